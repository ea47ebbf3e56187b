"""What users do through a person, and what the person makes of it (U4, U7).

What is asked stands in the stream of the commands, at the tick that it takes effect at; what
comes of it in the person's own.
"""

from dataclasses import dataclass
from typing import ClassVar

from apps.agents.events import Tile
from apps.eventlog.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbodimentBegan(Event):
    """A user took a person over: from this tick on the person does what the user says.

    `embodiment` counts those of the simulation from 1; `agent` is a slug; a visitor is
    in town for as long as the embodiment lasts.
    """

    type: ClassVar[str] = "embodiment.began.v1"
    embodiment: int
    agent: str
    is_visitor: bool
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbodimentEnded(Event):
    """A user handed a person back to themselves, or had a visitor leave town."""

    type: ClassVar[str] = "embodiment.ended.v1"
    embodiment: int
    agent: str
    is_visitor: bool
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAsked(Event):
    """A user has the person walk: to the node of the path `to`, or, if "", to the tile."""

    type: ClassVar[str] = "embodiment.move-asked.v1"
    embodiment: int
    agent: str
    to: str
    tile: Tile | None
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsAsked(Event):
    """A user has the person say something.

    `to` is a slug, "" for whomever the person talks with or was spoken to by; `ends` says
    that no answer is waited for.
    """

    type: ClassVar[str] = "embodiment.words-asked.v1"
    embodiment: int
    agent: str
    text: str
    to: str
    ends: bool
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeedAsked(Event):
    """A user has the person use the object of the path for so many minutes.

    `doing` follows "<name> is".
    """

    type: ClassVar[str] = "embodiment.deed-asked.v1"
    embodiment: int
    agent: str
    object: str
    doing: str
    minutes: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswered(Event):
    """The person has begun, done or not done what was asked of them.

    `call` is the identity of the event that asked; `outcome` is one of
    `apps.embodiment.rules.Outcome`; `code` says why it was not done, and `why` does in words.
    """

    type: ClassVar[str] = "embodiment.call-answered.v1"
    call: str
    outcome: str
    code: str
    why: str


EVENTS = (
    EmbodimentBegan,
    EmbodimentEnded,
    MoveAsked,
    WordsAsked,
    DeedAsked,
    CallAnswered,
)
