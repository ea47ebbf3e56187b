"""The event of a decision: the agent goes on or reacts (X1, X2)."""

from dataclasses import dataclass
from typing import ClassVar

from apps.eventlog.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed(Event):
    """An agent decided whether what it perceived changes what it does (X1).

    `subjects` are slugs of agents and paths of nodes, all that was decided about together;
    `choice` is "go on", "talk" or "act"; `about` is the subject that decided; `what` is what
    they want to say or do, "" to go on.
    """

    type: ClassVar[str] = "reaction.weighed.v1"
    subjects: tuple[str, ...]
    choice: str
    about: str
    what: str


EVENTS = (Weighed,)
