"""The pace of a simulation: game seconds per real second, counted on a monotonic clock."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone


@dataclass(frozen=True, slots=True, kw_only=True)
class RealTime:
    """The two clocks of the machine, as arguments.

    `monotonic` (seconds) measures time within a process; it does not jump, and does not count
    the time during which the machine was suspended. `wall` tells other processes when
    something was; an administrator may set it forward or back.
    """

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], datetime] = timezone.now


@dataclass(slots=True, kw_only=True)
class Pace:
    """Which tick is due at which monotonic second: `from_tick` was due at `since`.

    A scheduler counts it from the moment at which it can work on the simulation, and counts it
    anew when the simulation has fallen too far behind: time in which nobody could work is
    never caught up.
    """

    rate: float
    tick_seconds: int
    from_tick: int
    since: float

    def due_tick(self, now: float) -> int:
        """Return the last tick that may be committed at a monotonic second."""
        return self.from_tick + int(max(0.0, now - self.since) * self._ticks_per_second)

    def seconds_until(self, tick: int, now: float) -> float:
        """Return the real seconds until the tick is due; 0 if it is due already."""
        return max(0.0, self._due_at(tick) - now)

    def limit_lag(self, committed: int, now: float, *, catch_up_seconds_max: float) -> bool:
        """Count anew from now if the next tick has been due for longer than the maximum.

        :param committed: the last tick that is committed.
        :return: whether the lag was given up.
        """
        if now - self._due_at(committed + 1) <= catch_up_seconds_max:
            return False
        self.from_tick, self.since = committed, now
        return True

    @property
    def _ticks_per_second(self) -> float:
        return self.rate / self.tick_seconds

    def _due_at(self, tick: int) -> float:
        return self.since + (tick - self.from_tick) / self._ticks_per_second
