"""Time inside the town: ticks since its founding, and the calendar that names them.

Nothing below the worker reads the machine's clock: game time is an argument.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

SECONDS_PER_MINUTE = 60
SECONDS_PER_HOUR = 3_600


@dataclass(frozen=True, slots=True)
class GameCalendar:
    """Turns ticks into game times and back; tick 0 is `start` (a naive datetime)."""

    start: datetime
    tick_seconds: int

    def time_at(self, tick: int) -> datetime:
        """Return the game time at which the tick begins."""
        return self.start + timedelta(seconds=tick * self.tick_seconds)

    def tick_at(self, time: datetime) -> int:
        """Return the first tick that begins at or after the game time (may be negative)."""
        seconds = (time - self.start) // timedelta(seconds=1)
        return -(-seconds // self.tick_seconds)

    def ticks_of(self, *, minutes: float) -> int:
        """Return how many ticks the minutes last, at least one."""
        return max(1, round(minutes * SECONDS_PER_MINUTE / self.tick_seconds))

    def hours_of(self, ticks: int) -> float:
        """Return how many game hours the ticks last."""
        return ticks * self.tick_seconds / SECONDS_PER_HOUR

    def minutes_of(self, ticks: int) -> float:
        """Return how many game minutes the ticks last."""
        return ticks * self.tick_seconds / SECONDS_PER_MINUTE


def spoken_time(time: datetime) -> str:
    """Return the time as the prompts say it: "Monday, February 13, 2023, 6:05 am"."""
    hour = time.hour % 12 or 12
    half = "am" if time.hour < 12 else "pm"
    return f"{time:%A, %B} {time.day}, {time.year}, {hour}:{time.minute:02d} {half}"


def spoken_clock(time: datetime) -> str:
    """Return the time of day as people say it: "6:05 am"."""
    hour = time.hour % 12 or 12
    return f"{hour}:{time.minute:02d} {'am' if time.hour < 12 else 'pm'}"
