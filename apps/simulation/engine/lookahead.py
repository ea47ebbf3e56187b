"""The lookahead policy: the last tick that an agent may take while others are behind.

This is conservative parallel discrete-event simulation with distance as lookahead (AI
Metropolis, MLSys 2025). The policy has no influence on what happens. It computes
until when no agent that is behind can come into view.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from apps.agents.events import Tile
from apps.kernel.game_time import FOREVER_TICK
from apps.world.tile_map import Room, chebyshev

SPEED = 1  # tiles that an agent walks in a tick


@dataclass(frozen=True, slots=True)
class AgentPosition:
    """The first uncommitted tick of an agent, and its tile at the beginning of that tick."""

    clock: int
    tile: Tile | None


@dataclass(slots=True)
class LookaheadCache:
    """The limits that a policy has set an agent because of each other agent, by slug.

    A limit stays valid: an agent that advances by a tick comes nearer by a tick's walk at
    most. A walk of the agent itself lowers the limits by its steps; another room has limits of
    its own.
    """

    tile: Tile | None = None
    limits: dict[str, int] = field(default_factory=dict)
    area: str = ""

    def move_to(self, tile: Tile | None, area: str = "") -> None:
        """Lower the limits for another tile, which is in the area."""
        if tile == self.tile:
            return
        is_other_area, self.area = area != self.area, area
        if tile is None or self.tile is None or is_other_area:
            self.limits.clear()
        else:
            steps = chebyshev(tile, self.tile)
            self.limits = {other: limit - steps for other, limit in self.limits.items()}
        self.tile = tile


class LookaheadPolicy(Protocol):
    """Bounds how far the clock of an agent may run ahead.

    `passes_over` is whether ticks in which nothing can change for an agent are passed without
    a check.
    """

    passes_over: ClassVar[bool]

    def safe_until(self, tile: Tile | None, others: Iterable[AgentPosition]) -> int:
        """Return the last tick that an agent may take that stays on the tile."""


def no_room(_tile: Tile) -> Room | None:
    """Return None: all tiles are outdoors."""
    return None


@dataclass(frozen=True, slots=True)
class DistanceLookahead:
    """Lets agents run ahead of others that are too far away to come into view until then.

    Agent a may take tick t when for every other b: clock(b) >= t, or chebyshev(a at t-1,
    b at clock(b)-1) > vision + reach + speed * (t - clock(b)), and if a is in a room, b is more
    than speed * (t - clock(b)) away from the room. Other walls are ignored. `reach` is
    the distance, in tiles, from an agent at which the effects of its actions are visible;
    `room_at` returns the room of a tile, of which an agent perceives some things as a whole.
    """

    passes_over: ClassVar[bool] = True

    vision: int
    reach: int
    room_at: Callable[[Tile], Room | None] = no_room

    def safe_until(self, tile: Tile | None, others: Iterable[AgentPosition]) -> int:
        """Return the largest t for which the rule holds for every other."""
        return min((self._until(tile, other) for other in others), default=FOREVER_TICK)

    def _until(self, tile: Tile | None, other: AgentPosition) -> int:
        if tile is None or other.tile is None:
            return other.clock
        slack = chebyshev(tile, other.tile) - self.vision - self.reach
        room = self.room_at(tile)
        if room is not None:
            slack = min(slack, room.steps_to(other.tile))
        # distance > vision + reach + speed * (t - clock), for whole numbers of t
        ahead = -(-slack // SPEED) - 1
        return other.clock + max(0, ahead)


@dataclass(frozen=True, slots=True)
class LockStep:
    """Lets no agent begin a tick before all agents have taken the one before.

    It checks every tick; tests compare the other policy and executors with it.
    """

    passes_over: ClassVar[bool] = False

    def safe_until(self, tile: Tile | None, others: Iterable[AgentPosition]) -> int:
        """Return the lowest clock of the others."""
        del tile
        return min((other.clock for other in others), default=FOREVER_TICK)


def committed_tick(clocks: Mapping[str, int]) -> int:
    """Return the last tick that all agents have taken: the lowest clock minus one."""
    return min(clocks.values(), default=0) - 1
