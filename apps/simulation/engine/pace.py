"""The pace of a simulation: game seconds per real second, counted on a monotonic clock."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.conf import settings
from django.utils import timezone

from apps.simulation.models import SimulationRow
from apps.simulation.queries import paced_tick

ERROR_SECONDS_MAX = 1.0
"""The due tick of the row, by the wall clock, is corrected when it is further off."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RealTime:
    """The two clocks of the machine, as arguments.

    `monotonic` (seconds) measures time within a process; it does not jump, and does not count
    the time during which the machine was suspended. `wall` gives times to other processes; an
    administrator may set it forward or back.
    """

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], datetime] = timezone.now


@dataclass(slots=True, kw_only=True)
class Pace:
    """Which tick is due at which monotonic second: `from_tick` was due at `since`.

    The count restarts when the simulation has fallen too far behind: time in which no process
    worked on it is not caught up.
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

    def restart(self, committed: int, now: float) -> None:
        """Count from now on: the tick `committed` is due now."""
        self.from_tick, self.since = committed, now

    def limit_lag(self, committed: int, now: float, *, catch_up_seconds_max: float) -> bool:
        """Restart if the tick after `committed` has been due for longer than the maximum.

        :return: whether the lag was given up.
        """
        if now - self._due_at(committed + 1) <= catch_up_seconds_max:
            return False
        self.restart(committed, now)
        return True

    @property
    def _ticks_per_second(self) -> float:
        return self.rate / self.tick_seconds

    def _due_at(self, tick: int) -> float:
        return self.since + (tick - self.from_tick) / self._ticks_per_second


@dataclass(slots=True)
class PaceKeeper:
    """The pace that was requested last, counted from when the scheduler read the request.

    The count is by the monotonic clock alone: an absence, or a wall clock that is set forward
    or back, neither hurries nor delays the simulation. The row reports it to other processes.
    """

    time: RealTime
    tick_seconds: int
    _pace: Pace | None = None
    _row: SimulationRow | None = None
    _request: object = None

    def read(self, row: SimulationRow, committed: int) -> None:
        """Count the pace from now if it was requested since the last call."""
        if row.pace is None:
            self._pace = None
            return
        if self._pace is None or self._request != _request(row):
            self._pace = Pace(
                rate=row.pace,
                tick_seconds=self.tick_seconds,
                from_tick=committed,
                since=self.time.monotonic(),
            )
        self._row = row
        self._publish(row, self._pace)

    def restart(self, committed: int) -> None:
        """Count the pace from now: no agent could take a turn before."""
        if self._pace is not None:
            self._pace.restart(committed, self.time.monotonic())

    def due_tick(self, committed: int) -> int | None:
        """Return the tick that is due, None without a pace.

        The lag beyond PACE_CATCH_UP_SECONDS_MAX is given up.
        """
        if self._pace is None:
            return None
        now, seconds_max = self.time.monotonic(), float(settings.PACE_CATCH_UP_SECONDS_MAX)
        if self._pace.limit_lag(committed, now, catch_up_seconds_max=seconds_max):
            logger.info("pace restarted", tick=committed, catch_up_seconds_max=seconds_max)
            if self._row is not None:
                self._publish(self._row, self._pace)
        return self._pace.due_tick(now)

    def seconds_until(self, tick: int) -> float:
        """Return the real seconds until the tick is due; 0 without a pace."""
        now = self.time.monotonic()
        return 0.0 if self._pace is None else self._pace.seconds_until(tick, now)

    def _publish(self, row: SimulationRow, pace: Pace) -> None:
        """Correct the due tick of the row, from which the lag is reported."""
        wall = self.time.wall()
        due = pace.due_tick(self.time.monotonic())
        published = paced_tick(row, pace.tick_seconds, wall)
        error_max = 1 + ERROR_SECONDS_MAX * pace.rate / pace.tick_seconds
        is_ahead = row.paced_at is not None and row.paced_at > wall
        if published is None or abs(due - published) > error_max or is_ahead:
            # Only an unchanged row: another request starts a count of its own.
            unchanged = SimulationRow.objects.filter(
                pk=row.pk, pace=row.pace, paced_at=row.paced_at
            )
            if unchanged.update(paced_from_tick=due, paced_at=wall):
                row.paced_from_tick, row.paced_at = due, wall
        self._request = _request(row)


def _request(row: SimulationRow) -> object:
    return row.pace, row.paced_at, row.paced_from_tick
