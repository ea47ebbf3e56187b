"""The events of embodiments: control, action requests and their outcomes (U4).

Requests are in the stream of commands, at the tick from which they are in effect; outcomes are
in the agent's own stream.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from apps.eventlog.event import CommandEvent, Event


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
class ActionRequested(EmbodimentEvent):
    """An action of the agent was requested.

    `kind` is its name in `requested_actions.ACTIONS`; `body` are its values, by paths and
    slugs.
    """

    type: ClassVar[str] = "embodiment.action-requested.v1"
    kind: str
    body: Mapping[str, Any]


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


EVENTS: tuple[type[Event], ...] = (
    EmbodimentBegan,
    EmbodimentEnded,
    ActionRequested,
    ActionRequestAnswered,
)
