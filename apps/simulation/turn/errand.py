"""An errand: what somebody is to do, and where they go for it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """Something to be done: what, where, with which object, until which tick.

    What a user has the person do (`is_asked`) is not put off: who is turned away stands there.
    """

    plan_item: int
    description: str
    emoji: str
    area: str
    object: str
    object_state: str
    asleep: bool
    from_tick: int
    to_tick: int
    is_asked: bool = False

    @property
    def target(self) -> str:
        """The node to go to: the object, or the area where none is used."""
        return self.object or self.area
