"""What an event is, and what the log knows of one that it holds; plain Python."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID

COMMANDS_STREAM = "commands"
SIMULATION_STREAM = "simulation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A fact, past tense, complete enough to be understood without looking anything up.

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
    """Where an event stands in the canonical order of its simulation (design section 4)."""

    tick: int
    stream: str
    ordinal: int

    def __str__(self) -> str:
        """Return the event's identity: "2490/isabella-rodriguez/3"."""
        return f"{self.tick}/{self.stream}/{self.ordinal}"

    @classmethod
    def parse(cls, identity: str) -> "EventId":
        """Return the place of an event from its identity.

        :raises ValueError: if the words are no identity of an event.
        """
        tick, stream, ordinal = identity.split("/")
        return cls(int(tick), stream, int(ordinal))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """An event with what the log knows of it."""

    simulation_id: UUID
    place: EventId
    event: Event
    cause: str
    model_calls: tuple[str, ...]
    position: int
    recorded_at: datetime

    @property
    def tick(self) -> int:
        """The tick that the event happened at."""
        return self.place.tick

    @property
    def stream(self) -> str:
        """The agent that it happened to, "commands" or "simulation"."""
        return self.place.stream
