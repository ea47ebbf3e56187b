"""An errand: an action that is to be begun, and the place for it."""

from dataclasses import dataclass

from apps.agents.events import ActionKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What is to be done, where, with which object, until which tick.

    An errand that a user asked for (USER_CONTROLLED) is not put off: an agent that is turned
    away from it stays where it is.
    """

    kind: ActionKind
    description: str
    emoji: str
    area: str
    from_tick: int
    to_tick: int
    object: str = ""
    object_state: str = ""
    asleep: bool = False
    plan_item: int = 0

    @property
    def is_asked(self) -> bool:
        """Whether a user asked for it."""
        return self.kind is ActionKind.USER_CONTROLLED

    @property
    def target(self) -> str:
        """The node to go to: the object, or the area where none is used."""
        return self.object or self.area
