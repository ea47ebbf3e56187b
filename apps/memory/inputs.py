"""Typed inputs of the LLM tasks of memory. English is printed by the task alone."""

from dataclasses import dataclass
from datetime import datetime

from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory without an importance."""

    kind: MemoryKind
    origin: MemoryOrigin
    description: str
    subject: str = ""
    scheduled: ScheduledActivity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportanceInput:
    """New memories of an agent, in their order (M3)."""

    agent_name: str
    age: int
    traits: tuple[str, ...]
    memories: tuple[NewMemory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryInput:
    """The memories for one part of the summary description, best first (S1)."""

    agent_name: str
    now: datetime
    memories: tuple[MemoryItem, ...]
