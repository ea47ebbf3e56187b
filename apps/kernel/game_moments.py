"""Game times in requests and responses: ISO 8601 without a zone, or ticks."""

import re
from datetime import datetime

from apps.kernel.errors import DomainError
from apps.kernel.game_time import MINUTES_PER_DAY, TICK_MAX, GameCalendar

TIME_CHARACTERS_MAX = 40
MOMENT_PATTERN = r"^(\d{1,10}|\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?)?)$"
GAME_TIME_PATTERN = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$"

_TICK = re.compile(r"[0-9]{1,10}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2})?)?")
_ZONE = re.compile(r".*\d\d:\d\d.*(Z|[+-]\d{2}(:?\d{2})?)", re.IGNORECASE)


class UnusableTime(DomainError):
    """This is no moment of the simulation."""


def iso(time: datetime) -> str:
    """Return the game time as responses have it: "2023-02-13T06:55:00"."""
    return time.isoformat(timespec="seconds")


def clock_of(minute: int) -> str:
    """Return a minute of the day as responses have it: "06:05"; "24:00" for its end."""
    if minute == MINUTES_PER_DAY:
        return "24:00"
    hours, minutes = divmod(minute % MINUTES_PER_DAY, 60)
    return f"{hours:02d}:{minutes:02d}"


def first_tick_from(value: str | int, calendar: GameCalendar) -> int:
    """Return the tick named, or the first that begins at or after the game time named.

    :raises UnusableTime: if the value names neither, or one out of bounds.
    """
    if isinstance(value, int) or _TICK.fullmatch(value):
        tick = int(value)
    else:
        tick = calendar.tick_at(parse_game_time(value))
    return _in_bounds(tick, value)


def last_tick_until(value: str | int, calendar: GameCalendar) -> int:
    """Return the tick named, or the last that has begun by the game time named.

    :raises UnusableTime: if the value names neither, or one out of bounds.
    """
    tick = first_tick_from(value, calendar)
    if isinstance(value, int) or _TICK.fullmatch(value):
        return tick
    has_begun = calendar.time_at(tick) <= parse_game_time(value)
    return tick if has_begun else _in_bounds(tick - 1, value)


def parse_game_time(text: str) -> datetime:
    """Return the game time, naive, that a text like "2023-02-13T06:55" names.

    :raises UnusableTime: if it names none, or holds an offset from UTC.
    """
    if len(text) <= TIME_CHARACTERS_MAX and _ZONE.fullmatch(text):
        raise UnusableTime(
            f"{_shown(text)} names a time zone; a simulation has one clock: leave the offset "
            "out, as in 2023-02-13T06:55:00"
        )
    if not _TIME.fullmatch(text):
        raise UnusableTime(
            f"{_shown(text)} is neither a tick nor a game time; write 2490 or "
            "2023-02-13T06:55:00"
        )
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise UnusableTime(f"{_shown(text)} is not in the calendar") from None


def _in_bounds(tick: int, value: str | int) -> int:
    if 0 <= tick <= TICK_MAX:
        return tick
    raise UnusableTime(
        f"{_shown(str(value))} is out of bounds: a simulation has the ticks 0 to {TICK_MAX}"
    )


def _shown(text: str) -> str:
    return repr(text if len(text) <= TIME_CHARACTERS_MAX else f"{text[:TIME_CHARACTERS_MAX]}…")
