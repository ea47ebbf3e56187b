"""Typed inputs of the LLM tasks of memory. English is printed by the task alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.agents.summary import NO_FACTS, LastingFacts
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem, scheduled_activity


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory without an importance."""

    kind: MemoryKind
    origin: MemoryOrigin
    description: str
    subject: str = ""
    scheduled: ScheduledActivity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnratedMemory(NewMemory):
    """A memory of a stream that is not rated yet; `number` is its number."""

    number: int
    perceived: bool = False


def unrated_memory(row: Mapping[str, Any]) -> UnratedMemory:
    """Return the values of a row as a memory to be rated."""
    facts = {
        "kind": MemoryKind(row["kind"]),
        "origin": MemoryOrigin(row["origin"]),
        "scheduled": scheduled_activity(row["scheduled"]),
    }
    return UnratedMemory(**{**row, **facts})


@dataclass(frozen=True, slots=True)
class RatedExample:
    """A memory that the agent has rated before, with its importance."""

    importance: int
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportanceInput:
    """Memories of an agent without an importance, in their order (M3).

    `anchors` are rated memories of the same agent, the least important first: they show the
    meaning of the numbers for this agent. `lasting` are sentences of its occupation, its
    pursuits and the agents that it is close to.
    """

    agent_name: str
    age: int
    traits: tuple[str, ...]
    lasting: tuple[str, ...] = ()
    memories: tuple[NewMemory, ...]
    anchors: tuple[RatedExample, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryInput:
    """The memories for the three parts of the summary description, each once (S1).

    `lasting` does not depend on the memories.
    """

    agent_name: str
    now: datetime
    memories: tuple[MemoryItem, ...]
    lasting: LastingFacts = NO_FACTS
