"""The event of a decision to go on or to react (X1, X2)."""

from dataclasses import dataclass
from typing import ClassVar

from apps.eventlog.event import Event
from apps.reaction.inputs import Prevented


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionDecided(Event):
    """An agent decided to go on or to react to observations (X1).

    `subjects` are the slugs of agents and paths of nodes in the observations; `choice` is
    "go on", "talk", "later" (to talk at another time), "act" or "open"; `about` is the decisive
    subject; `what` is an intent or an infinitive, "" to go on.
    """

    type: ClassVar[str] = "reaction.decided.v1"
    subjects: tuple[str, ...]
    choice: str
    about: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StateJudged(Event):
    """An agent judged what the state of an object prevents, which it met for the first time.

    `object` is a path; `remedy` is an infinitive, "" for a state that prevents nothing or ends
    by itself.
    """

    type: ClassVar[str] = "reaction.state-judged.v1"
    object: str
    state: str
    prevents: Prevented
    ends_by_itself: bool
    remedy: str


EVENTS = (ReactionDecided, StateJudged)
