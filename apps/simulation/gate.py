"""The gate: when a person's next tick may settle, though others have not come that far.

This is conservative parallel discrete-event simulation with distance as lookahead (design
section 5; AI Metropolis, MLSys 2025). Nothing here decides what happens: it only says when
it is certain that nobody who has fallen behind can still do something within view.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from apps.agents.events import Tile

SPEED = 1  # tiles a person walks in a tick


@dataclass(frozen=True, slots=True)
class Standpoint:
    """Somebody's first unsettled tick and the tile stood on at its beginning."""

    clock: int
    tile: Tile | None


class Gate(Protocol):
    """Says how far somebody's clock may run."""

    def open_until(self, tile: Tile | None, others: Iterable[Standpoint]) -> int:
        """Return the last tick that may settle for whoever stands on the tile all along."""
        ...


@dataclass(frozen=True, slots=True)
class DistanceGate:
    """Lets people run ahead of those who are too far off to come into view meanwhile.

    Tick t of a may settle when for every other b: clock(b) >= t, or chebyshev(a at t-1,
    b at clock(b)-1) > vision + reach + speed * (t - clock(b)). Walls are ignored. `reach`
    is how far from where people stand what they do can be seen.
    """

    vision: int
    reach: int

    def open_until(self, tile: Tile | None, others: Iterable[Standpoint]) -> int:
        """Return the largest t for which the rule holds for every other."""
        return min((self._until(tile, other) for other in others), default=_FAR_FUTURE)

    def _until(self, tile: Tile | None, other: Standpoint) -> int:
        if tile is None or other.tile is None:
            return other.clock
        x, y = tile
        other_x, other_y = other.tile
        distance = max(abs(x - other_x), abs(y - other_y))
        slack = distance - self.vision - self.reach
        # distance > vision + reach + speed * (t - clock), for whole numbers of t
        ahead = -(-slack // SPEED) - 1
        return other.clock + max(0, ahead)


@dataclass(frozen=True, slots=True)
class LockStepGate:
    """Lets nobody begin a tick before everybody has settled the one before."""

    def open_until(self, tile: Tile | None, others: Iterable[Standpoint]) -> int:
        """Return the lowest clock of the others."""
        del tile
        return min((other.clock for other in others), default=_FAR_FUTURE)


def settled_tick(clocks: Mapping[str, int]) -> int:
    """Return the last tick that is settled for everybody: the lowest clock minus one."""
    return min(clocks.values(), default=0) - 1


_FAR_FUTURE = 2**31 - 1
