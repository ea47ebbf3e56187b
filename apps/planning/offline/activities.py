"""Finds the activity, and the hour of it, that words of a plan mean (stand-in)."""

import re

from apps.planning.offline.arts_and_outings import ARTS, OUTINGS
from apps.planning.offline.at_home import (
    AT_HOME,
    BEDTIME,
    BREAKFAST,
    DINNER,
    LUNCH,
    MEAL_AT_WORK,
    MEAL_OUT,
    MORNING,
)
from apps.planning.offline.desk_work import DESK_WORK
from apps.planning.offline.parties import PARTIES
from apps.planning.offline.trades import TRADES
from apps.planning.offline.vocabulary import THING, Activity, HourText

# The first whose cues are found is meant: what is plain comes before what is vague.
_BEFORE_WORK = (
    BEDTIME,
    MORNING,
    *PARTIES,
    MEAL_AT_WORK,
    MEAL_OUT,
    BREAKFAST,
    LUNCH,
    DINNER,
)
_AT_HOME = tuple(kind for kind in AT_HOME if kind not in _BEFORE_WORK)
ACTIVITIES: tuple[Activity, ...] = (
    *_BEFORE_WORK,
    *TRADES,
    *_AT_HOME,
    *DESK_WORK,
    *ARTS,
    *OUTINGS,
)


def _pattern(hour: HourText) -> re.Pattern[str]:
    return re.compile(re.escape(hour.text).replace(re.escape(THING), r"the .+"))


_HOURS = tuple((_pattern(hour), kind, hour) for kind in ACTIVITIES for hour in kind.hours)


def activity_for(text: str) -> Activity | None:
    """Return the activity that the words mean, None when no cue is found."""
    return next((kind for kind in ACTIVITIES if kind.cues.search(text)), None)


def hour_said(text: str) -> tuple[Activity, HourText] | None:
    """Return the very hour of the vocabulary that the text is, None when it is none."""
    return next(
        ((kind, hour) for pattern, kind, hour in _HOURS if pattern.fullmatch(text)), None
    )
