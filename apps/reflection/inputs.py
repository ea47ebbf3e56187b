"""Typed inputs of the LLM tasks of reflection. Only the tasks print English."""

from dataclasses import dataclass
from datetime import date, datetime

from apps.agents.status import Deed, Standing
from apps.agents.summary import AgentSummary
from apps.memory.events import FactKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.reflection.dealings import Dealings


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsInput:
    """The latest memories, the oldest first, at least one (R2).

    `since` is the game time of the reflection before, None for the first one.
    """

    agent_name: str
    summary: AgentSummary | None
    now: datetime
    memories: tuple[MemoryItem, ...]
    since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationInput:
    """The most important memories of a day and what was done in it, both in order.

    `now` is its end, which may be past midnight; `date` is that of its waking; `kept` are the
    latest memories that were kept of earlier days, in order.
    """

    agent_name: str
    summary: AgentSummary | None
    now: datetime
    date: date
    memories: tuple[MemoryItem, ...]
    kept: tuple[MemoryItem, ...] = ()
    performed: tuple[Deed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldFact:
    """A lasting fact of the agent that an insight may revise, as sentences (ADR 53).

    `other` is the full name of the other agent of a relationship, "" for other kinds; `until`
    is as in the events of facts.
    """

    number: int
    kind: FactKind
    statements: tuple[str, ...]
    other: str = ""
    standing: Standing | None = None
    until: str = ""

    @property
    def key(self) -> str:
        """The key in prompts and answers, "" for a relationship: its other agent names it."""
        return "" if self.other else f"{self.kind}-{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question, and the places of its memories in the list of all, from 1, best first."""

    text: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InsightsInput:
    """The questions of a reflection and the memories retrieved for them, each once (R2).

    `dealings` are those with the agents in the memories; `since` is the game time of the
    reflection before, None for the first one. `facts` are the occupation, the pursuits and the
    relationships to these agents.
    """

    agent_name: str
    summary: AgentSummary | None
    now: datetime
    questions: tuple[AskedQuestion, ...]
    memories: tuple[MemoryItem, ...]
    dealings: tuple[Dealings, ...] = ()
    since: datetime | None = None
    facts: tuple[HeldFact, ...] = ()

    @property
    def earlier_insights(self) -> tuple[int, ...]:
        """The numbers, from 1, of the memories that an insight may replace."""
        return tuple(
            number for number, one in enumerate(self.memories, start=1) if is_replaceable(one)
        )


def is_replaceable(memory: MemoryItem) -> bool:
    """Return whether the memory is an insight that still holds."""
    return memory.origin is MemoryOrigin.INSIGHT and memory.superseded_at is None
