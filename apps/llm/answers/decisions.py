"""The decision in an answer, and how far the decisions of two answers agree; pure.

A decision is a set of facts, each a tuple of plain values: what the answer lets happen, without
its words. The order of lists does not count where a task leaves it out of the facts.
"""

from collections.abc import Iterable
from dataclasses import dataclass

Fact = tuple[str | int | float | bool | None, ...]
"""What it is, and its values: ("talk", 2), or ("at", 9, "Hobbs Cafe")."""
Decision = frozenset[Fact]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionAgreement:
    """How far two decisions agree.

    `overlap` is the share of their facts that both have, from 0 to 1; of two decisions without
    any it is 1.
    """

    is_equal: bool
    overlap: float


def agreement(one: Decision, other: Decision) -> DecisionAgreement:
    """Return how far two decisions agree."""
    either = one | other
    overlap = len(one & other) / len(either) if either else 1.0
    return DecisionAgreement(is_equal=one == other, overlap=overlap)


def marked(mark: str, values: Iterable[str | int]) -> Iterable[Fact]:
    """Return a fact for each of the values, such as the numbers that an answer names."""
    return ((mark, value) for value in values)
