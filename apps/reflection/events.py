"""The event of a reflection (R2)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from apps.eventlog.event import Event
from apps.memory.events import FactChange
from apps.reflection.dealings import Claim


class DropReason(StrEnum):
    """The reason for dropping an insight of the model."""

    WITHOUT_EVIDENCE = "without-evidence"
    REPEATS = "repeats"
    UNEARNED = "unearned"  # a claim that the counts do not support


class ReflectionKind(StrEnum):
    """The kinds of reflections."""

    INSIGHTS = "insights"  # questions on the latest memories, and insights (R2)
    CONSOLIDATION = "consolidation"  # a day in a few memories


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """An insight, which is the memory of the number `memory`.

    `question` counts from 0 in the questions of the reflection; `evidence` has the numbers of
    the cited memories, in the order of citation; `not_offered` has the cited numbers that are
    not in the list of the prompt; `importance` is that of the memory.
    `replaces` is the number of the memory of an earlier insight that it revises, 0 for none;
    `claim` and `changes` are None without one.
    """

    question: int
    memory: int
    statement: str
    evidence: tuple[int, ...]
    not_offered: tuple[int, ...] = ()
    importance: int = 0
    replaces: int = 0
    claim: Claim | None = None
    changes: FactChange | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedInsight:
    """A dropped insight; `cited` has the cited numbers of the list in the prompt.

    `claim` is the claim that was not earned, None for other reasons.
    """

    question: int
    statement: str
    cited: tuple[int, ...]
    reason: DropReason
    claim: Claim | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflected(Event):
    """An agent reflected: questions, and insights that became memories (R2).

    `importance` is the sum, over memories perceived since the previous reflection, that
    exceeded the threshold. The retrievals for the questions are in the same turn, in order.
    A consolidation has one question, which is not from the model; its insights are the
    memories kept of the day, and `importance` is the sum over the memories in the prompt.
    """

    type: ClassVar[str] = "reflection.reflected.v1"
    importance: int
    questions: tuple[str, ...]
    insights: tuple[Insight, ...]
    dropped: tuple[DroppedInsight, ...]
    kind: ReflectionKind = ReflectionKind.INSIGHTS


EVENTS = (Reflected,)
