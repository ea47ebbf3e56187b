"""A planned step: an action that is about to begin, and its place."""

from dataclasses import dataclass

from apps.agents.acts import NO_ACT, Act
from apps.agents.events import ActionKind


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStep:
    """An action, the area and object where it is performed, and its ticks.

    `with_agents` are the slugs of the other participants. `importance` is that of its
    memory, 0 where it is still to be rated. A step that a user requested (USER_CONTROLLED) is
    not put off: an agent that is turned away from it stays where it is. `hour` is the number
    of the planned hour that it is a part of, 0 for none.
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
    hour: int = 0
    importance: int = 0
    act: Act = NO_ACT
    with_agents: tuple[str, ...] = ()

    @property
    def is_requested(self) -> bool:
        """Whether a user requested it."""
        return self.kind is ActionKind.USER_CONTROLLED

    @property
    def target(self) -> str:
        """The node to go to: the object, or the area where none is used."""
        return self.object or self.area
