"""The functions that rank answers in place of a model or people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from apps.django_support.function_registry import Registry
from apps.evaluation.rankings.inputs import RankingInput
from apps.kernel.errors import DomainError


class JudgeUnknown(DomainError):
    """There is no judge of that name; `GET /judges` lists them."""

    code: ClassVar[str] = "judge-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Returns the rank of each answer, 1 for the best; `title` is its name in reports."""

    name: str
    description: str
    function: Callable[[RankingInput], Sequence[int]]
    title: str = ""


JUDGES = Registry("judge", Judge, "apps.evaluation.rankings.rule_judge", unknown=JudgeUnknown)
