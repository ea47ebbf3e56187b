"""Reads the dates and weekdays that phrases name (stand-in, not a language model).

Dates are (month, day); a day is told as "Monday, February 13, 2023".
"""

import re
from datetime import date, timedelta

_MONTHS = (
    "January February March April May June July August September October November December"
)
MONTH = _MONTHS.replace(" ", "|")
_NUMBERS = {name[:3]: number for number, name in enumerate(_MONTHS.split(), start=1)}
_NAME = rf"(?:{MONTH}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_NTH = r"(?:st|nd|rd|th)?"
DATE = (
    rf"(?:{_NAME} \d{{1,2}}{_NTH}|(?:the )?\d{{1,2}}{_NTH}(?: of)? {_NAME}|"
    r"\d{4}-\d{2}-\d{2})(?!\d)"
)
_DATE = re.compile(
    rf"\b(?:({_NAME}) (\d{{1,2}})|(\d{{1,2}}){_NTH}(?: of)? ({_NAME})|"
    r"\d{4}-(\d{2})-(\d{2}))(?!\d)"
)
_YEAR = re.compile(r"\b((?:19|20)\d{2})\b")
WEEKDAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_WEEKDAY = re.compile(rf"\b({WEEKDAY})s?\b", re.IGNORECASE)
_WEEKDAYS_ONLY = re.compile(r"\bweekdays?\b|monday to friday|monday through friday", re.I)
_WEEKEND = re.compile(r"\bweekends?\b", re.I)
_SCHOOL = re.compile(r"\b(?:class|classes|lectures?|seminars?|teach\w*)\b", re.I)


def applies(sentence: str, today: str) -> bool:
    """Say whether the sentence holds on a day such as "Monday, February 13, 2023"."""
    weekday = today.partition(", ")[0]
    is_weekend = weekday in {"Saturday", "Sunday"}
    if dates(sentence):
        return is_on(sentence, today)
    if _WEEKDAYS_ONLY.search(sentence) or _SCHOOL.search(sentence):
        return not is_weekend
    if _WEEKEND.search(sentence):
        return is_weekend
    named = weekdays(sentence)
    return not named or weekday in named


def is_on(sentence: str, today: str) -> bool:
    """Say whether the sentence names the day's date, and no other year."""
    years = _YEAR.findall(sentence)
    return dates(today)[0] in dates(sentence) and (not years or today[-4:] in years)


def dates(text: str) -> list[tuple[int, int]]:
    """Return the dates of the text as (month, day): "February 14" is (2, 14)."""
    found = []
    for name, day, day_before, name_after, month, day_last in _DATE.findall(text):
        number = _NUMBERS[(name or name_after)[:3]] if name or name_after else int(month)
        found.append((number, int(day or day_before or day_last)))
    return found


def weekdays(text: str) -> set[str]:
    """Return the weekdays that the text names."""
    return {name.capitalize() for name in _WEEKDAY.findall(text)}


def day_after(today: str) -> str:
    """Return the day after "Tuesday, February 28, 2023": "Wednesday, March 1, 2023"."""
    month, day = dates(today)[0]
    after = date(int(today.rpartition(", ")[2]), month, day) + timedelta(days=1)
    return f"{after:%A, %B} {after.day}, {after.year}"


def is_past(sentence: str, today: str) -> bool:
    """Say whether all dates that the sentence names are over."""
    named = dates(sentence)
    return bool(named) and max(named) < dates(today)[0]
