"""What happens when somebody weighs what they perceive: they go on or react (X1, X2)."""

from dataclasses import dataclass
from typing import ClassVar

from apps.eventlog.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed(Event):
    """A person was asked whether what they perceived changes what they do (X1).

    `subjects` are slugs of people and paths of nodes, all that was weighed together;
    `choice` is "go on", "talk" or "act"; `about` is the subject that decided; `what` is what
    they want to say or do, "" to go on.
    """

    type: ClassVar[str] = "reaction.weighed.v1"
    subjects: tuple[str, ...]
    choice: str
    about: str
    what: str


EVENTS = (Weighed,)
