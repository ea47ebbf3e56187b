"""The event of a decision to go on or to react (X1, X2)."""

from dataclasses import dataclass
from typing import ClassVar

from apps.eventlog.event import Event


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


EVENTS = (ReactionDecided,)
