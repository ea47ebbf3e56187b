"""The gate: when a person's next tick may settle, though others have not come that far.

This is conservative parallel discrete-event simulation with distance as lookahead (design
section 5; AI Metropolis, MLSys 2025). Nothing here decides what happens: it only says when
it is certain that nobody who has fallen behind can still do something within view.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from apps.agents.events import Tile
from apps.world.geometry import chebyshev

SPEED = 1  # tiles a person walks in a tick
FAR_FUTURE = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Standpoint:
    """Somebody's first unsettled tick and the tile stood on at its beginning."""

    clock: int
    tile: Tile | None


@dataclass(slots=True)
class Leeway:
    """How far a gate lets somebody go, as it has said of each of the others, by slug.

    What it said holds from then on: others who come on by a tick come nearer by a tick's
    walk at most. So does whoever walks themselves.
    """

    tile: Tile | None = None
    limits: dict[str, int] = field(default_factory=dict)

    def move_to(self, tile: Tile | None) -> None:
        """Keep what still holds on another tile."""
        if tile == self.tile:
            return
        if tile is None or self.tile is None:
            self.limits.clear()
        else:
            steps = chebyshev(tile, self.tile)
            self.limits = {other: limit - steps for other, limit in self.limits.items()}
        self.tile = tile


class Gate(Protocol):
    """Says how far somebody's clock may run.

    `passes_over`: whether ticks in which nothing can change for somebody are settled without
    a look.
    """

    passes_over: ClassVar[bool]

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

    passes_over: ClassVar[bool] = True

    vision: int
    reach: int

    def open_until(self, tile: Tile | None, others: Iterable[Standpoint]) -> int:
        """Return the largest t for which the rule holds for every other."""
        return min((self._until(tile, other) for other in others), default=FAR_FUTURE)

    def _until(self, tile: Tile | None, other: Standpoint) -> int:
        if tile is None or other.tile is None:
            return other.clock
        slack = chebyshev(tile, other.tile) - self.vision - self.reach
        # distance > vision + reach + speed * (t - clock), for whole numbers of t
        ahead = -(-slack // SPEED) - 1
        return other.clock + max(0, ahead)


@dataclass(frozen=True, slots=True)
class LockStepGate:
    """Lets nobody begin a tick before everybody has settled the one before.

    The plainest way of running, which the others are held to: it looks at every tick.
    """

    passes_over: ClassVar[bool] = False

    def open_until(self, tile: Tile | None, others: Iterable[Standpoint]) -> int:
        """Return the lowest clock of the others."""
        del tile
        return min((other.clock for other in others), default=FAR_FUTURE)


def settled_tick(clocks: Mapping[str, int]) -> int:
    """Return the last tick that is settled for everybody: the lowest clock minus one."""
    return min(clocks.values(), default=0) - 1
