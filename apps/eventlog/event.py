"""Events, their identity, and their record in the log; plain Python."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID

COMMANDS_STREAM = "commands"
SIMULATION_STREAM = "simulation"
STREAMS_OF_USERS = frozenset({COMMANDS_STREAM, SIMULATION_STREAM})
"""The streams that are no agent's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A fact in the past tense, complete without any other record.

    Fields are ids, numbers, strings, other such dataclasses and tuples of those.
    """

    type: ClassVar[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandEvent(Event):
    """An event in the stream of commands: the user that requested it, and the reason (U7)."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True, order=True)
class EventId:
    """The position of an event in the canonical order of its simulation."""

    tick: int
    stream: str
    ordinal: int

    def __str__(self) -> str:
        """Return the id as text: "2490/isabella-rodriguez/3"."""
        return f"{self.tick}/{self.stream}/{self.ordinal}"

    @classmethod
    def parse(cls, identity: str) -> "EventId":
        """Return the id of an event from its text.

        :raises ValueError: if the text is no id of an event.
        """
        tick, stream, ordinal = identity.split("/")
        return cls(int(tick), stream, int(ordinal))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """An event and its record in the log; `place` is its id."""

    simulation_id: UUID
    place: EventId
    event: Event
    cause: str
    model_calls: tuple[str, ...]
    position: int
    recorded_at: datetime

    @property
    def tick(self) -> int:
        """The tick of the event."""
        return self.place.tick

    @property
    def stream(self) -> str:
        """The slug of an agent, "commands" or "simulation"."""
        return self.place.stream
