"""What a plot is asked for: a simulation, a moment, and a piece of news."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from apps.evaluation.social.news import News
from apps.history import Recorded
from apps.kernel.game_time import GameCalendar, format_clock, format_day


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotRequest:
    """A simulation as of the end of a tick.

    `read_log` returns the log up to a tick. `news` is None where a plot needs none.
    """

    simulation_id: UUID
    calendar: GameCalendar
    as_of_tick: int
    read_log: Callable[[UUID, int], Iterable[Recorded]]
    news: News | None = None

    @property
    def moment(self) -> datetime:
        """The game time that the plot shows."""
        return self.calendar.time_at(self.as_of_tick)

    @property
    def moment_in_words(self) -> str:
        """The game time that the plot shows: "Monday, February 13, 8:00 pm"."""
        return f"{format_day(self.moment)}, {format_clock(self.moment)}"

    @property
    def first_midnight(self) -> datetime:
        """The midnight before tick 0, or at it."""
        return self.calendar.start.replace(hour=0, minute=0, second=0, microsecond=0)

    @property
    def midnight(self) -> datetime:
        """The midnight before the moment, or at it."""
        return self.moment.replace(hour=0, minute=0, second=0, microsecond=0)

    @property
    def day_starts(self) -> int:
        """The first tick of the day of the moment."""
        return max(0, self.calendar.tick_at(self.midnight))

    def hour_of(self, tick: int) -> float:
        """Return the hours from the first midnight to the tick."""
        return (self.calendar.time_at(tick) - self.first_midnight) / timedelta(hours=1)
