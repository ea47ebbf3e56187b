"""Reads the dates and weekdays that phrases name (stand-in, not a language model).

Dates are (month, day); a day is told as "Monday, February 13, 2023".
"""

import re
from datetime import date, timedelta

_MONTHS = (
    "January February March April May June July August September October November December"
)
MONTH = _MONTHS.replace(" ", "|")
_DATE = re.compile(rf"\b(?:({MONTH}) (\d{{1,2}})|(\d{{1,2}}) ({MONTH}))\b")
_WEEKDAY = re.compile(r"\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b", re.I)
_WEEKDAYS_ONLY = re.compile(r"\bweekdays?\b|monday to friday|monday through friday", re.I)
_WEEKEND = re.compile(r"\bweekends?\b", re.I)
_SCHOOL = re.compile(r"\b(?:class|classes|lectures?|seminars?|teach\w*)\b", re.I)


def applies(sentence: str, today: str) -> bool:
    """Say whether the sentence holds on a day such as "Monday, February 13, 2023"."""
    weekday = today.partition(", ")[0]
    is_weekend = weekday in {"Saturday", "Sunday"}
    named_dates = dates(sentence)
    if named_dates:
        return dates(today)[0] in named_dates
    if _WEEKDAYS_ONLY.search(sentence) or _SCHOOL.search(sentence):
        return not is_weekend
    if _WEEKEND.search(sentence):
        return is_weekend
    named = {name.lower() for name in _WEEKDAY.findall(sentence)}
    return not named or weekday.lower() in named


def dates(text: str) -> list[tuple[int, int]]:
    """Return the dates of the text as (month, day): "February 14" is (2, 14)."""
    return [
        (_MONTHS.split().index(month or month_after) + 1, int(day or day_before))
        for month, day, day_before, month_after in _DATE.findall(text)
    ]


def day_after(today: str) -> tuple[int, int]:
    """Return the day after "Tuesday, February 28, 2023" as (month, day): (3, 1)."""
    month, day = dates(today)[0]
    after = date(int(today.rpartition(", ")[2]), month, day) + timedelta(days=1)
    return after.month, after.day


def is_past(sentence: str, today: str) -> bool:
    """Say whether all dates that the sentence names are over."""
    named = dates(sentence)
    return bool(named) and max(named) < dates(today)[0]
