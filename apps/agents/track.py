"""The tile and the action of an agent at the end of any tick, from its rows."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.agents.acts import ActKind
from apps.agents.events import ActionKind, Tile
from apps.agents.phrases import doing_text
from apps.kernel.game_time import FOREVER_TICK
from apps.kernel.language import phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """One step a tick from `from_tick` on, then the last one; none after the agent has left."""

    from_tick: int
    steps: tuple[Tile, ...]

    def tile_at(self, tick: int) -> Tile | None:
        """Return the tile at the end of the tick, which is `from_tick` or later."""
        if not self.steps:
            return None
        return self.steps[min(tick - self.from_tick, len(self.steps) - 1)]

    @property
    def rests_from(self) -> int:
        """The tick of the last step."""
        return self.from_tick + len(self.steps) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """An action from `from_tick` on; `until_tick` is the first tick after its planned end.

    `event` is the id of its event; `act`, `other` and `activity` are as in ActionBegan.
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
    act: ActKind = ActKind.NONE
    other: str = ""
    activity: str = ""


@dataclass(slots=True, kw_only=True)
class Track:
    """The movements and actions of an agent over some ticks, in order."""

    agent: str
    name: str
    movements: Sequence[Movement]
    actions: Sequence[Action]
    _movement_starts: list[int] = field(init=False)
    _action_starts: list[int] = field(init=False)
    _rests_from: int = field(init=False, default=FOREVER_TICK)
    _rests_at: Tile | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Index the rows by their first tick; note where the agent stays in the end."""
        self._movement_starts = [movement.from_tick for movement in self.movements]
        self._action_starts = [action.from_tick for action in self.actions]
        if self.movements:
            last = self.movements[-1]
            self._rests_from = max(last.from_tick, last.rests_from)
            self._rests_at = last.tile_at(self._rests_from)

    def movement_at(self, tick: int) -> Movement | None:
        """Return the movement at the end of the tick, None before the first."""
        found = bisect_right(self._movement_starts, tick)
        return self.movements[found - 1] if found else None

    def action_at(self, tick: int) -> Action | None:
        """Return the action at the end of the tick, None before the first."""
        found = bisect_right(self._action_starts, tick)
        return self.actions[found - 1] if found else None

    def tile_at(self, tick: int) -> Tile | None:
        """Return the tile at the end of the tick, None if the agent is not present."""
        if tick >= self._rests_from:
            return self._rests_at  # the answer to most of very many questions
        movement = self.movement_at(tick)
        return movement.tile_at(tick) if movement else None

    def steps_after(self, tick: int) -> tuple[Tile, ...]:
        """Return the tiles that the agent still has to walk after the tick, one a tick."""
        movement = self.movement_at(tick)
        return () if movement is None else movement.steps[tick - movement.from_tick + 1 :]

    def walks_after(self, tick: int) -> bool:
        """Return whether the next tick has a step, as far as known."""
        movement = self.movement_at(tick)
        return movement is not None and tick < movement.rests_from

    def next_start(self, tick: int) -> int:
        """Return the first tick after this one in which a known action begins."""
        found = bisect_right(self._action_starts, tick)
        starts = self._action_starts
        return starts[found] if found < len(starts) else FOREVER_TICK

    def doing_at(self, tick: int) -> str:
        """Return the action as a sentence: "Klaus Mueller is reading"."""
        action = self.action_at(tick)
        if action is None:
            return phrase("{name} is here", name=self.name)
        return doing_text(self.name, action.description)
