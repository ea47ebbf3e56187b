"""Days and times of day in natural language, written in full and as people say them.

Full: "on February 14, 2023, from 5:00 pm to 7:00 pm". Spoken: "tomorrow from 5 to 7 pm".
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from math import sin, tau

from apps.rule_model.content import patterns

_PATTERNS = patterns("moments")
HOUR, HALF_DAY, MINUTES_OF_DAY = 60, 720, 1_440
# The day of the year of the equinox, and how much later the sun sets at midsummer, in minutes.
EQUINOX, LONGEST_DAY = 80, 120
# The minutes of a beginning and of an end, None where they are not said.
Hours = tuple[int | None, int | None]
_WITHIN_A_WEEK = 7
_HALF_A_YEAR = 183
MONTHS, WEEKDAYS = (_PATTERNS[name].pattern.split("|") for name in ("month", "week_day"))
_DAYS_FROM_TODAY = {"the day after tomorrow": 2, "tomorrow": 1, "yesterday": -1}


@dataclass(frozen=True, slots=True)
class When:
    """A day and minutes after its midnight, as far as they are said."""

    day: date | None = None
    start: int | None = None
    end: int | None = None


def when_in(text: str, today: date) -> When:
    """Return the first day and the first times that the text names."""
    days = [day for match in _PATTERNS["day"].finditer(text) if (day := _day(match, today))]
    start, end = hours_in(text)
    return When(days[0] if days else None, start, end)


def hours_in(text: str) -> Hours:
    """Return the first times of day that the text names: when it begins and ends."""
    match = _PATTERNS["hours"].search(text)
    if match is None:
        return None, None
    if match["point"]:
        return minute_of(match["point"]), None
    end = minute_of(match["end"])
    start = minute_of(match["start"])
    if not match["start"].lower().endswith(("m", "noon", "midnight", "m.")):
        # "from 5 to 7 pm": the first hour is of the same half, if that comes before the end.
        same_half = start % HALF_DAY + (HALF_DAY if end > HALF_DAY else 0)
        start = same_half if same_half < end else start
    return start, end if end > start else end + MINUTES_OF_DAY


def is_over(text: str, now: datetime) -> bool:
    """Return whether what the text dates lies before now; what it does not date is not over."""
    when = when_in(text, now.date())
    if when.day != now.date():
        return when.day is not None and when.day < now.date()
    return when.end is not None and when.end <= minute_at(now)


def written(text: str, today: date) -> str:
    """Return the text with its days and times written out, so that they stay true later."""

    def out(match: re.Match[str]) -> str:
        day = _day(match, today)
        if day is None:
            return match[0]
        tonight = "evening" if (match["relative"] or "").lower() == "tonight" else ""
        part = match["of"] or match["part"] or tonight
        on = f"on the {part} of" if part else "on"
        return f"{on} {MONTHS[day.month - 1]} {day.day}, {day.year}{_comma(match)}"

    return _PATTERNS["hours"].sub(_written_hours, _PATTERNS["day"].sub(out, text))


def spoken(text: str, today: date) -> str:
    """Return the text with its days and times as people say them."""

    def out(match: re.Match[str]) -> str:
        day = _day(match, today)
        if day is None or not match["month"]:
            return match[0]
        said = spoken_day(day, today)
        if not match["of"]:
            return said
        return f"{said} {match['of']}" if " " not in said else f"{said} in the {match['of']}"

    return _PATTERNS["hours"].sub(_spoken_hours, _PATTERNS["day"].sub(out, text))


def spoken_day(day: date, today: date) -> str:
    """Return "today", "tomorrow", "on Friday, February 17" or "on March 3"."""
    ahead = (day - today).days
    named = f"{MONTHS[day.month - 1]} {day.day}"
    if ahead in (-1, 0, 1):
        return ("today", "tomorrow", "yesterday")[ahead]
    if 0 < ahead < _WITHIN_A_WEEK:
        return f"on {WEEKDAYS[day.weekday()]}, {named}"
    return f"on {named}" if day.year == today.year else f"on {named}, {day.year}"


def minute_of(clock: str) -> int:
    """Return the minutes after midnight of "5:30 pm", "17:30", "5", "noon" or "midnight"."""
    words = clock.lower().replace(".", "").replace(" ", "")
    if words in {"noon", "midnight"}:
        return HALF_DAY if words == "noon" else MINUTES_OF_DAY
    hour, _, minute = words.rstrip("apm").partition(":")
    minutes = int(hour) * 60 + int(minute or 0)
    if words.endswith("m"):
        minutes = minutes % HALF_DAY + (HALF_DAY if words.endswith("pm") else 0)
    return minutes


def clock_of(minute: int) -> str:
    """Return "5:30 pm" for minutes after midnight."""
    hour, rest = divmod(minute % MINUTES_OF_DAY, 60)
    return f"{hour % 12 or 12}:{rest:02d} {'pm' if hour >= 12 else 'am'}"


def short_clock(minute: int) -> str:
    """Return "5 pm" or "5:30 pm" for minutes after midnight."""
    return clock_of(minute).replace(":00", "")


def daylight(day: date) -> tuple[int, int]:
    """Return the minutes of sunrise and sunset in the temperate north, roughly."""
    half = 6 * HOUR + round(LONGEST_DAY * sin(tau * (day.timetuple().tm_yday - EQUINOX) / 365))
    return HALF_DAY - half, HALF_DAY + half


def minute_at(moment: datetime) -> int:
    """Return the minutes after midnight of a moment."""
    return moment.hour * 60 + moment.minute


def minute_on(moment: datetime, day: date) -> int:
    """Return the minutes from the midnight of the day to the moment."""
    return (moment - datetime.combine(day, time())) // timedelta(minutes=1)


def _day(match: re.Match[str], today: date) -> date | None:
    if match["month"]:
        return _calendar_day(match, today)
    if match["weekday"]:
        ahead = (WEEKDAYS.index(match["weekday"]) - today.weekday()) % 7
        return today + timedelta(days=ahead or 7)
    return today + timedelta(days=_DAYS_FROM_TODAY.get(match["relative"].lower(), 0))


def _calendar_day(match: re.Match[str], today: date) -> date | None:
    """Return the named day, None for no such day; without a year the one nearest to today."""
    month, day = MONTHS.index(match["month"]) + 1, int(match["day"])
    try:
        # The day after the last one that there is could not be counted.
        found = date(int(match["year"] or today.year), month, day)
        if match["year"]:
            return found if found.year < date.max.year else None
        is_long_ago = (today - found).days > _HALF_A_YEAR
        return found.replace(year=today.year + 1) if is_long_ago else found
    except ValueError:
        return None


def _comma(match: re.Match[str]) -> str:
    """Return the comma behind a year that stands in a sentence, "" at its end."""
    after = match.string[match.end() : match.end() + 2]
    return "," if after[:1] == " " or match[0].endswith(",") else ""


def _written_hours(match: re.Match[str]) -> str:
    start, end = hours_in(match[0])
    assert start is not None, "a match names at least one time"
    if end is None:
        return f"{match['how'].lower()} {clock_of(start)}"
    return f"from {clock_of(start)} to {clock_of(end)}"


def _spoken_hours(match: re.Match[str]) -> str:
    start, end = hours_in(match[0])
    assert start is not None, "a match names at least one time"
    if end is None:
        return f"{match['how'].lower()} {short_clock(start)}"
    same_half = start // HALF_DAY == end // HALF_DAY
    begins = short_clock(start).rpartition(" ")[0] if same_half else short_clock(start)
    return f"from {begins} to {short_clock(end)}"
