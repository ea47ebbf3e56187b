"""Memories as inputs of LLM tasks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol

from pydantic import TypeAdapter

from apps.agents.status import PlannedTime
from apps.agents.summary import NO_FACTS, LastingFacts
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.passing_on import terms_at

_SCHEDULED: TypeAdapter[ScheduledActivity] = TypeAdapter(ScheduledActivity)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryItem:
    """A memory in the input of an LLM task; `memory_text` prints it.

    `superseded_at` is the game time from which it no longer holds, None while it does.
    `times` is how often it was perceived, and `repeated_at` the game time of the latest
    repetition, None without one. `subject` is a slug or a path, "" for neither;
    `subject_name` is the full name of an agent as subject; `formed_at` is a game time.
    `is_over` is whether the time of what is scheduled has passed; `passing_on` are the terms
    on which it may be told now.
    """

    number: int
    kind: MemoryKind
    origin: MemoryOrigin
    description: str
    importance: int
    formed_at: datetime
    subject: str = ""
    subject_name: str = ""
    scheduled: ScheduledActivity | None = None
    superseded_at: datetime | None = None
    is_over: bool = False
    times: int = 1
    repeated_at: datetime | None = None
    passing_on: str = ""


class StoredMemory(Protocol):
    """What rankings and rows of memories have in common."""

    @property
    def number(self) -> int: ...  # noqa: D102 (as in MemoryItem)
    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def origin(self) -> str: ...  # noqa: D102
    @property
    def description(self) -> str: ...  # noqa: D102
    @property
    def importance(self) -> int: ...  # noqa: D102
    @property
    def subject(self) -> str: ...  # noqa: D102
    @property
    def scheduled(self) -> Any: ...  # noqa: D102 (JSON in a row)
    @property
    def formed_tick(self) -> int: ...  # noqa: D102
    @property
    def action(self) -> str: ...  # noqa: D102 (the kind of an action that was begun or seen)
    @property
    def superseded(self) -> int | None: ...  # noqa: D102 (a tick)
    @property
    def times(self) -> int: ...  # noqa: D102 (how often it was perceived)
    @property
    def last_repeated_tick(self) -> int | None: ...  # noqa: D102
    @property
    def passing_on(self) -> str: ...  # noqa: D102 (terms, as in MemoryFormed)


ToItems = Callable[[Iterable[StoredMemory]], tuple[MemoryItem, ...]]


def memory_item(
    memory: StoredMemory,
    *,
    time_at: Callable[[int], datetime],
    name_of: Callable[[str], str],
    now: datetime | None = None,
) -> MemoryItem:
    """Return a stored memory as an input at the game time `now`.

    `time_at` returns the game time of a tick; `name_of` returns the full name of an agent by
    slug, "" for other subjects. Without `now` nothing is over.
    """
    scheduled = scheduled_activity(memory.scheduled)
    return MemoryItem(
        number=memory.number,
        kind=MemoryKind(memory.kind),
        origin=MemoryOrigin(memory.origin),
        description=memory.description,
        importance=memory.importance,
        formed_at=time_at(memory.formed_tick),
        subject=memory.subject,
        subject_name=name_of(memory.subject) if memory.subject else "",
        scheduled=scheduled,
        superseded_at=None if memory.superseded is None else time_at(memory.superseded),
        is_over=now is not None and is_over(scheduled, now),
        times=memory.times,
        repeated_at=(
            None if memory.last_repeated_tick is None else time_at(memory.last_repeated_tick)
        ),
        passing_on=memory.passing_on if now is None else terms_at(memory.passing_on, now),
    )


def is_over(scheduled: ScheduledActivity | None, now: datetime) -> bool:
    """Return whether the scheduled time of a memory has passed; without a time it has not."""
    return scheduled is not None and scheduled.ends is not None and scheduled.ends <= now


def scheduled_to_json(scheduled: ScheduledActivity | None) -> str | None:
    """Return the activity in the format of rows."""
    return None if scheduled is None else _SCHEDULED.dump_json(scheduled).decode()


def scheduled_from_json(text: str | None) -> ScheduledActivity | None:
    """Return the activity of a row."""
    return None if text is None else _SCHEDULED.validate_json(text)


def scheduled_activity(stored: Any) -> ScheduledActivity | None:
    """Return the activity of a stored memory, which is JSON in a row."""
    if stored is None or isinstance(stored, ScheduledActivity):
        return stored
    return _SCHEDULED.validate_python(stored)


def without_outlined(
    memories: Iterable[MemoryItem], outline: Sequence[PlannedTime]
) -> tuple[MemoryItem, ...]:
    """Return the memories without what was once planned for the day of the outline.

    `outline` is the plan of the day in the same input, which has the day as it is planned now.
    """
    days = {planned.starts.date() for planned in outline}
    return tuple(memory for memory in memories if _planned_day(memory) not in days)


def _planned_day(memory: MemoryItem) -> date | None:
    """Return the day for which the memory is a plan, None for all other memories."""
    scheduled = memory.scheduled
    if memory.origin is not MemoryOrigin.PLANNED or scheduled is None:
        return None
    return None if scheduled.starts is None else scheduled.starts.date()


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
