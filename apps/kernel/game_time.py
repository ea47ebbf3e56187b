"""Game time: ticks, the calendar of a simulation, and the only formats of times and dates.

Game time is always an argument: only the worker and HTTP read the machine's clock.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache

from babel.dates import format_datetime

from apps.kernel.language import active_language, phrase, phrase_in

SECONDS_PER_MINUTE = 60
SECONDS_PER_HOUR = 3_600
SECONDS_PER_DAY = 86_400
MINUTES_PER_DAY = 1_440
# Three centuries of ticks of ten seconds; the sum of two still fits the database's integer.
TICK_MAX = 1_000_000_000
# The `until_tick` of what has no end; no simulation reaches it.
FOREVER_TICK = 2**31 - 1

# Answers may name hours of the next night: "25:30" is 1:30 am.
_HOUR_MAX = 36
_CLOCK = re.compile(
    r"(\d{1,2})(?:[:.](\d{2}))?(?::00)?\s*(?:([ap])\.?m\.?|uhr)?", re.IGNORECASE
)
_FORMATS_KEPT_MAX = 4_096


@dataclass(frozen=True, slots=True)
class GameCalendar:
    """Converts ticks to game times and back; tick 0 is `start` (a naive datetime)."""

    start: datetime
    tick_seconds: int

    def time_at(self, tick: int) -> datetime:
        """Return the game time at which the tick begins."""
        return self.start + timedelta(seconds=tick * self.tick_seconds)

    def tick_at(self, time: datetime) -> int:
        """Return the first tick that begins at or after the game time (may be negative)."""
        seconds = (time - self.start) // timedelta(seconds=1)
        return -(-seconds // self.tick_seconds)

    def moment(self, tick: int) -> str:
        """Return the game time of a tick and the tick, for messages."""
        try:
            return f"{self.time_at(tick).isoformat()} (tick {tick})"
        except OverflowError:
            return f"tick {tick}"

    def not_committed(self, tick: int, committed_tick: int) -> str:
        """Return the sentence that the tick is not committed yet, for messages."""
        return (
            f"{self.moment(tick)} is not committed yet; the simulation has come to "
            f"{self.moment(committed_tick)}"
        )

    def ticks_of(self, *, minutes: float) -> int:
        """Return the minutes in ticks, at least one."""
        return max(1, round(minutes * SECONDS_PER_MINUTE / self.tick_seconds))

    def hours_of(self, ticks: int) -> float:
        """Return the ticks in game hours."""
        return ticks * self.tick_seconds / SECONDS_PER_HOUR

    def minutes_of(self, ticks: int) -> float:
        """Return the ticks in game minutes."""
        return ticks * self.tick_seconds / SECONDS_PER_MINUTE


def format_time(time: datetime) -> str:
    """Return date and time of day: "Monday, February 13, 2023, 6:05 am"."""
    return phrase("{date}, {time}", date=format_date(time), time=format_clock(time))


def format_date(day: date) -> str:
    """Return the date: "Monday, February 13, 2023"."""
    return _formatted(_day(day), phrase_in("pattern of a date", "EEEE, MMMM d, y"))


def format_day(day: date) -> str:
    """Return the date without its year: "Monday, February 13"."""
    return _formatted(_day(day), phrase_in("pattern of a day", "EEEE, MMMM d"))


def format_short_day(day: date) -> str:
    """Return the day in few letters: "Mon 13 Feb"."""
    return _formatted(_day(day), phrase_in("pattern of a short day", "EEE d MMM"))


def format_clock(time: datetime | int) -> str:
    """Return the time of day: "6:05 am"; an int is minutes after midnight, of any day."""
    minute = time if isinstance(time, int) else time.hour * 60 + time.minute
    hour, past = divmod(minute % MINUTES_PER_DAY, 60)
    clock = datetime(1, 1, 1, hour, past)
    return _formatted(clock, phrase_in("pattern of a time of day", "h:mm aaaaa'm'"))


def parse_clock(text: str) -> int | None:
    """Return minutes after midnight for "14:30", "14.30 Uhr", "2:30 pm" or "9", else None.

    Hours past 24 are those of the next day.
    """
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        return None
    hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour * 60 + minute if hour <= _HOUR_MAX and minute < 60 else None


def _day(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)


def _formatted(when: datetime, pattern: str) -> str:
    return _formatted_in(active_language(), when, pattern)


@lru_cache(maxsize=_FORMATS_KEPT_MAX)
def _formatted_in(language: str, when: datetime, pattern: str) -> str:
    return format_datetime(when, pattern, locale=language)
