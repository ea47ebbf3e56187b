"""Keeps the pace of one simulation: counts it in memory, and tells readers by the row."""

from dataclasses import dataclass, field

import structlog
from django.conf import settings

from apps.simulation.engine.pace import Pace, RealTime
from apps.simulation.models import SimulationRow
from apps.simulation.queries import paced_tick

ERROR_SECONDS_MAX = 1.0
"""The row says which tick is due by the wall clock; it is corrected when it is further off."""

logger = structlog.get_logger(__name__)


def catch_up_seconds_max() -> float:
    """Return how far a simulation may fall behind its pace and still catch up."""
    return float(settings.PACE_CATCH_UP_SECONDS_MAX)


@dataclass(slots=True, kw_only=True)
class Pacing:
    """The pace that was requested last, counted from when the scheduler read the request.

    The wall clock decides nothing here: an absence, or a clock that is set forward or back,
    neither hurries the simulation nor holds it up.
    """

    time: RealTime
    tick_seconds: int
    catch_up_seconds_max: float = field(default_factory=catch_up_seconds_max)
    _pace: Pace | None = None
    _row: SimulationRow | None = None
    _request: object = None

    def read(self, row: SimulationRow, committed: int) -> None:
        """Count the pace from now if it was requested since the last time."""
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
        """Count the pace from now: until now no agent could take a turn."""
        if self._pace is not None:
            self._pace.from_tick, self._pace.since = committed, self.time.monotonic()

    def due_tick(self, committed: int) -> int | None:
        """Return the tick that the pace has come to, None without a pace.

        A simulation that is further behind than it may catch up goes on from where it is.
        """
        if self._pace is None:
            return None
        now = self.time.monotonic()
        seconds_max = self.catch_up_seconds_max
        if self._pace.limit_lag(committed, now, catch_up_seconds_max=seconds_max):
            logger.info("pace counted anew", tick=committed, catch_up_seconds_max=seconds_max)
            if self._row is not None:
                self._publish(self._row, self._pace)
        return self._pace.due_tick(now)

    def seconds_until(self, tick: int) -> float:
        """Return the real seconds until the tick is due; 0 without a pace."""
        now = self.time.monotonic()
        return 0.0 if self._pace is None else self._pace.seconds_until(tick, now)

    def _publish(self, row: SimulationRow, pace: Pace) -> None:
        """Correct what the row says of the due tick; lag is reported by it."""
        wall = self.time.wall()
        due = pace.due_tick(self.time.monotonic())
        said = paced_tick(row, pace.tick_seconds, wall)
        error_max = 1 + ERROR_SECONDS_MAX * pace.rate / pace.tick_seconds
        is_ahead = row.paced_at is not None and row.paced_at > wall
        if said is not None and abs(due - said) <= error_max and not is_ahead:
            self._request = _request(row)
            return
        # A run that was requested meanwhile has begun a count of its own.
        unchanged = SimulationRow.objects.filter(
            pk=row.pk, pace=row.pace, paced_at=row.paced_at
        )
        if unchanged.update(paced_from_tick=due, paced_at=wall):
            row.paced_from_tick, row.paced_at = due, wall
        self._request = _request(row)


def _request(row: SimulationRow) -> object:
    return row.pace, row.paced_at, row.paced_from_tick
