"""The event of a reflection: questions, insights, and dropped insights (R2)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from apps.eventlog.event import Event


class DropReason(StrEnum):
    """Why an insight that the model gave was not kept."""

    WITHOUT_EVIDENCE = "without-evidence"
    REPEATS = "repeats"


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """A thought that was kept; it is the memory of that number.

    `question` counts from 0 in the reflection's questions; `evidence` are the numbers of
    the memories that it rests on, in the order they were cited; `not_offered` are numbers
    of the list that were cited too though the list had none of them.
    """

    question: int
    memory: int
    statement: str
    evidence: tuple[int, ...]
    not_offered: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedInsight:
    """A thought that was not kept; `cited` are the numbers of the list that it named."""

    question: int
    statement: str
    cited: tuple[int, ...]
    reason: DropReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflected(Event):
    """An agent reflected: questions, and insights that became memories (R2).

    `importance` is the sum, over what was perceived since the reflection before, that was
    past the threshold. What was retrieved for each question is in the retrievals of the same
    turn, in the order of the questions.
    """

    type: ClassVar[str] = "reflection.reflected.v1"
    importance: int
    questions: tuple[str, ...]
    insights: tuple[Insight, ...]
    dropped: tuple[DroppedInsight, ...]


EVENTS = (Reflected,)
