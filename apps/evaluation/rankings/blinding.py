"""Blind presentation: answers in a random order, under letters that say nothing (paper 6.1)."""

from collections.abc import Iterable
from string import ascii_uppercase

from apps.evaluation.models import RankingTaskRow
from apps.kernel.chance import draw

CONDITIONS_MAX = len(ascii_uppercase)


def presented_conditions(task: RankingTaskRow, *, seed: int, evaluator: str) -> dict[str, str]:
    """Return the conditions of the task by letter, in the order for this evaluator.

    The order is random, differs between tasks and evaluators, and is the same at each request.
    """
    shuffled = in_random_order(task.answers, seed, "answers", str(task.pk), evaluator)
    return dict(zip(ascii_uppercase, shuffled, strict=False))


def in_random_order(names: Iterable[str], seed: int, *what: str | int) -> list[str]:
    """Return the names in an order drawn from seed and key, whatever theirs is."""
    return sorted(names, key=lambda name: (draw(seed, *what, name), name))
