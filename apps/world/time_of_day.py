"""Times of day in world files: "08:00", "24:00", "17:00-02:00"; pure."""

import re

from apps.kernel.game_time import MINUTES_PER_DAY

_CLOCK = re.compile(r"(\d{2}):(\d{2})")
_SPAN = re.compile(r"(\d{2}:\d{2})-(\d{2}:\d{2})")


def minute_of(text: object) -> int:
    """Return the minute after midnight of "08:00"; "24:00" is 1,440.

    :raises ValueError: if it is no time of day.
    """
    found = _CLOCK.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(f"{text!r} is no time of day")
    hour, minute = int(found[1]), int(found[2])
    if minute > 59 or hour * 60 + minute > MINUTES_PER_DAY:
        raise ValueError(f"{text!r} is no time of day")
    return hour * 60 + minute


def span_of(text: object) -> tuple[int, int]:
    """Return (opens, closes) of "08:00-20:00"; a closing time after midnight is past 1,440.

    :raises ValueError: if it is no span of time, or an empty one.
    """
    found = _SPAN.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(f"{text!r} is no span of time")
    opens, closes = minute_of(found[1]), minute_of(found[2])
    if opens in (closes, MINUTES_PER_DAY):
        raise ValueError(f"{text!r} is no span of time")
    return opens, after(opens, closes)


def after(first: int, second: int) -> int:
    """Return the second minute of the day, moved past midnight if it precedes the first."""
    return second if second > first else second + MINUTES_PER_DAY
