"""Where a person is and what they do at the end of any tick, computed from few rows."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.agents.events import ActionKind, Tile
from apps.kernel.game_time import FOREVER_TICK


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """One step a tick from `from_tick` on, then standing on the last step.

    Without steps the person is nowhere: they have left town.
    """

    from_tick: int
    steps: tuple[Tile, ...]

    def tile_at(self, tick: int) -> Tile | None:
        """Return the tile stood on at the end of the tick (not before `from_tick`)."""
        if not self.steps:
            return None
        return self.steps[min(tick - self.from_tick, len(self.steps) - 1)]

    @property
    def rests_from(self) -> int:
        """The first tick at whose end the last step has been made."""
        return self.from_tick + len(self.steps) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a person does from `from_tick` on; over at `until_tick`, the first tick after.

    `event` is the identity of the event that began it.
    """

    from_tick: int
    until_tick: int
    description: str
    emoji: str
    area: str
    object: str
    object_state: str
    asleep: bool
    towards: str
    plan_item: int
    event: str
    kind: ActionKind = ActionKind.PLANNED


@dataclass(slots=True, kw_only=True)
class Track:
    """A person's movements and actions over a stretch of ticks, in order."""

    agent: str
    name: str
    movements: Sequence[Movement]
    actions: Sequence[Action]
    _movement_starts: list[int] = field(init=False)
    _action_starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        """Index the rows by their first tick."""
        self._movement_starts = [movement.from_tick for movement in self.movements]
        self._action_starts = [action.from_tick for action in self.actions]

    def movement_at(self, tick: int) -> Movement | None:
        """Return the movement that holds at the end of the tick, None before the first."""
        found = bisect_right(self._movement_starts, tick)
        return self.movements[found - 1] if found else None

    def action_at(self, tick: int) -> Action | None:
        """Return the action that holds at the end of the tick, None before the first."""
        found = bisect_right(self._action_starts, tick)
        return self.actions[found - 1] if found else None

    def tile_at(self, tick: int) -> Tile | None:
        """Return where the person stands at the end of the tick, None if not in town."""
        found = bisect_right(self._movement_starts, tick)
        return self.movements[found - 1].tile_at(tick) if found else None

    def walks_after(self, tick: int) -> bool:
        """Whether the person stands elsewhere at the end of the next tick, as far as known."""
        movement = self.movement_at(tick)
        return movement is not None and tick < movement.rests_from

    def next_start(self, tick: int) -> int:
        """Return the first tick after this one in which something known to us begins."""
        found = bisect_right(self._action_starts, tick)
        starts = self._action_starts
        return starts[found] if found < len(starts) else FOREVER_TICK

    def doing_at(self, tick: int) -> str:
        """Return the sentence that others perceive: "Klaus Mueller is reading"."""
        action = self.action_at(tick)
        return f"{self.name} is {action.description if action else 'here'}"
