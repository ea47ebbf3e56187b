"""The lookahead policy: how far ahead of another one an agent may take its turns.

This is conservative parallel discrete-event simulation with distance as lookahead (AI
Metropolis, MLSys 2025). The policy has no influence on what happens. It computes
until when no agent that is behind can come into view.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from apps.agents.events import Tile
from apps.simulation.snapshot.tile_index import Box, box_around
from apps.world.tile_map import Room, chebyshev

SPEED = 1  # tiles that an agent walks in a tick


class LookaheadPolicy(Protocol):
    """Bounds how far the clock of an agent may run ahead.

    `passes_over` is whether ticks in which nothing can change for an agent are passed without
    a check.
    """

    passes_over: ClassVar[bool]

    def ticks_ahead(self, tile: Tile | None, other: Tile | None) -> int:
        """Return how many ticks an agent on the tile may be ahead of the other one."""

    def box_around(self, tile: Tile | None, ticks: int) -> Box | None:
        """Return where others are that hold an agent back at so many ticks; None: anywhere."""


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

    def ticks_ahead(self, tile: Tile | None, other: Tile | None) -> int:
        """Return the largest t - clock(b) for which the rule holds."""
        if tile is None or other is None:
            return 0
        slack = chebyshev(tile, other) - self.vision - self.reach
        room = self.room_at(tile)
        if room is not None:
            slack = min(slack, room.steps_to(other))
        # distance > vision + reach + speed * ticks, for whole numbers of ticks
        return max(0, -(-slack // SPEED) - 1)

    def box_around(self, tile: Tile | None, ticks: int) -> Box | None:
        """Return where others are that can come into view, or into the room, in the ticks."""
        if tile is None:
            return None
        return box_around(
            tile, self.vision + self.reach + SPEED * ticks, self.room_at(tile), SPEED * ticks
        )


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

    def box_around(self, tile: Tile | None, ticks: int) -> Box | None:
        """Return None: everywhere."""
        del tile, ticks
        return None
