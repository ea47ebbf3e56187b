"""Days of game time, and the figures that are counted for each of them.

A day begins at 3:00, when everybody is asleep; what happens before the first 3:00 belongs to
the first day.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from apps import history
from apps.django_support.function_registry import Registry
from apps.history import WorldFolders
from apps.kernel.errors import NotFound
from apps.kernel.game_time import MINUTES_PER_DAY, GameCalendar

DAY_BEGINS = timedelta(hours=3)
Value = float | None
Series = dict[str, list[Value]]
Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class Days:
    """The first `count` days of a simulation."""

    calendar: GameCalendar
    count: int

    def of(self, tick: int) -> int | None:
        """Return the number of the tick's day from 0 on, None after the last day."""
        day = max(0, (tick - self.begins(0)) // self.calendar.ticks_of(minutes=MINUTES_PER_DAY))
        return day if day < self.count else None

    def begins(self, day: int) -> int:
        """Return the first tick of the day."""
        midnight = self.calendar.start.replace(hour=0, minute=0, second=0)
        return self.calendar.tick_at(midnight + DAY_BEGINS + timedelta(days=day))

    @property
    def ends(self) -> int:
        """The first tick after the last day."""
        return self.begins(self.count)

    def minute(self, tick: int) -> int:
        """Return the minute of the day of the clock."""
        time = self.calendar.time_at(tick)
        return time.hour * 60 + time.minute

    def split(self, items: Iterable[Kind], tick_of: Callable[[Kind], int]) -> list[list[Kind]]:
        """Return the items of each day, in the same order."""
        found: list[list[Kind]] = [[] for _ in range(self.count)]
        for item in items:
            day = self.of(tick_of(item))
            if day is not None:
                found[day].append(item)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCount:
    """Counts figures of a simulation that is read as of the end of a tick, for each day."""

    name: str
    description: str
    function: Callable[[UUID, WorldFolders, Days, int], Series]


DAY_FIGURES = Registry("figure by day", DayCount, unknown=NotFound)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayFigures:
    """The dates of the days that are over, and the figures with a value for each of them."""

    dates: tuple[str, ...]
    series: Series

    @property
    def figures(self) -> list[dict[str, object]]:
        """The figures as a list, each with its name and values."""
        return [{"name": name, "values": values} for name, values in self.series.items()]


def days_over(simulation_id: UUID, *, as_of_tick: int) -> Days:
    """Return the days that are over as of the end of the tick."""
    calendar = history.calendar_of(simulation_id)
    first = Days(calendar, 0).ends
    passed = max(0, as_of_tick - first) // calendar.ticks_of(minutes=24 * 60)
    return Days(calendar, passed)


def dates_of(days: Days) -> tuple[str, ...]:
    """Return the dates on which the days begin."""
    return tuple(
        f"{days.calendar.start + timedelta(days=day):%Y-%m-%d}" for day in range(days.count)
    )


def day_figures(simulation_id: UUID, worlds: WorldFolders, *, as_of_tick: int) -> DayFigures:
    """Return the figures of the days that are over as of the end of the tick."""
    days = days_over(simulation_id, as_of_tick=as_of_tick)
    series: Series = {}
    for count in DAY_FIGURES.values():
        series |= count.function(simulation_id, worlds, days, as_of_tick)
    return DayFigures(dates=dates_of(days), series=series)
