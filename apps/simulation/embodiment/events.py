"""The events of embodiments: control, action requests and their outcomes (U4).

Requests are in the stream of commands, at the tick from which they are in effect; outcomes are
in the agent's own stream.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.agents.acts import ActKind
from apps.agents.events import Tile
from apps.eventlog.event import CommandEvent, Event
from apps.simulation.embodiment.requested_actions import Action, Move, Open, Say, Use, WithAgent


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbodimentEvent(CommandEvent):
    """An event of one embodiment; `embodiment` counts from 1, `agent` is a slug."""

    embodiment: int
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbodimentBegan(EmbodimentEvent):
    """From this tick on a user controls the agent.

    A visitor is in the simulation for as long as the embodiment lasts.
    """

    type: ClassVar[str] = "embodiment.began.v1"
    is_visitor: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbodimentEnded(EmbodimentEvent):
    """From this tick on the agent controls itself again, or a visitor leaves."""

    type: ClassVar[str] = "embodiment.ended.v1"
    is_visitor: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveRequested(EmbodimentEvent):
    """A walk was requested to the node of the path `to` or, if that is "", to the tile."""

    type: ClassVar[str] = "embodiment.move-requested.v1"
    to: str
    tile: Tile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SayRequested(EmbodimentEvent):
    """An utterance was requested.

    `to` is a slug, or "" for the partner of the conversation or the agent that spoke to this
    one; `ends` means that no answer is expected. With `by_phone` a listener out of view is
    called; with `to_all` the words are said to all agents in view.
    """

    type: ClassVar[str] = "embodiment.say-requested.v1"
    text: str
    to: str
    ends: bool
    by_phone: bool = False
    to_all: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UseRequested(EmbodimentEvent):
    """The use of the object of the path was requested; `doing` follows "<name> is".

    `state` is that of the object meanwhile and `emoji` shows the action, "" for the usual ones.
    """

    type: ClassVar[str] = "embodiment.use-requested.v1"
    object: str
    doing: str
    minutes: int
    state: str = ""
    emoji: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActRequested(EmbodimentEvent):
    """An act with another agent was requested, for so many minutes at most.

    `other` is a slug, "" to leave a thing; `thing`, `object` and `state` are what is given or
    left, where it stays, and the state of that object from then on, "" for other acts.
    """

    type: ClassVar[str] = "embodiment.act-requested.v1"
    kind: ActKind
    other: str
    thing: str
    object: str
    state: str
    minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRequested(EmbodimentEvent):
    """To open the door of the agent's home or private area to a visitor was requested.

    `to` is the slug of the visitor.
    """

    type: ClassVar[str] = "embodiment.open-requested.v1"
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequestAnswered(Event):
    """The agent has begun, completed or refused an action request.

    `call` is the identity of the event that requested it; `outcome` is a value of `Outcome`;
    `code` and `why` give the reason of a refusal.
    """

    type: ClassVar[str] = "embodiment.action-request-answered.v1"
    call: str
    outcome: str
    code: str
    why: str


REQUEST_EVENTS: Mapping[type[Action], type[EmbodimentEvent]] = {
    Move: MoveRequested,
    Say: SayRequested,
    Use: UseRequested,
    WithAgent: ActRequested,
    Open: OpenRequested,
}
"""The event that requests each action; it has the fields of the action."""
EVENTS: tuple[type[Event], ...] = (
    EmbodimentBegan,
    EmbodimentEnded,
    *REQUEST_EVENTS.values(),
    ActionRequestAnswered,
)
