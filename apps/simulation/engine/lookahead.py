"""The lookahead policy: how far ahead of another one an agent may take its turns.

This is conservative parallel discrete-event simulation with distance as lookahead (AI
Metropolis, MLSys 2025). The policy has no influence on what happens. It computes
until when no agent that is behind can come into view.
"""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from apps.agents.events import Tile
from apps.kernel.game_time import FOREVER_TICK
from apps.world.tile_map import chebyshev

SPEED = 1  # tiles that an agent walks in a tick


class LookaheadPolicy(Protocol):
    """Bounds how far the clock of an agent may run ahead.

    `passes_over` is whether ticks in which nothing can change for an agent are passed without
    a check.
    """

    passes_over: ClassVar[bool]

    def ticks_ahead(self, tile: Tile | None, other: Tile | None) -> int:
        """Return how many ticks an agent on the tile may be ahead of the other one."""

    def distance(self, ticks: int) -> int:
        """Return beyond how many tiles others allow an agent to be so many ticks ahead."""


@dataclass(frozen=True, slots=True)
class DistanceLookahead:
    """Lets agents run ahead of others that are too far away to come into view until then.

    Agent a may take tick t when for every other b: clock(b) >= t, or chebyshev(a at t-1,
    b at clock(b)-1) > vision + reach + speed * (t - clock(b)). Walls are ignored. `reach` is
    the distance, in tiles, from an agent at which the effects of its actions are visible.
    """

    passes_over: ClassVar[bool] = True

    vision: int
    reach: int

    def ticks_ahead(self, tile: Tile | None, other: Tile | None) -> int:
        """Return the largest t - clock(b) for which the rule holds."""
        if tile is None or other is None:
            return 0
        slack = chebyshev(tile, other) - self.vision - self.reach
        # distance > vision + reach + speed * ticks, for whole numbers of ticks
        return max(0, -(-slack // SPEED) - 1)

    def distance(self, ticks: int) -> int:
        """Return the distance at which others may come into view within the ticks."""
        return self.vision + self.reach + SPEED * ticks


@dataclass(frozen=True, slots=True)
class LockStep:
    """Lets no agent begin a tick before all agents have taken the one before.

    It checks every tick; tests compare the other policy and executors with it.
    """

    passes_over: ClassVar[bool] = False

    def ticks_ahead(self, tile: Tile | None, other: Tile | None) -> int:
        """Return 0."""
        del tile, other
        return 0

    def distance(self, ticks: int) -> int:
        """Return more than the size of any map."""
        del ticks
        return FOREVER_TICK
