"""Finds the activity, and the hour of it, that words of a plan mean (stand-in)."""

import re

from apps.rule_model.planning.arts import ARTS
from apps.rule_model.planning.at_home import AT_HOME, BEDTIME, MORNING, WASHING
from apps.rule_model.planning.campaigns import CAMPAIGNS
from apps.rule_model.planning.desk_work import DESK_WORK, STORY
from apps.rule_model.planning.eating import EATING
from apps.rule_model.planning.furniture import without_furniture
from apps.rule_model.planning.mishaps import REMADE_MEALS, is_remedy
from apps.rule_model.planning.outings import OUTINGS, SHOPPING
from apps.rule_model.planning.parties import PARTIES
from apps.rule_model.planning.study import STUDIES
from apps.rule_model.planning.trades import TRADES
from apps.rule_model.planning.vocabulary import THING, Activity, HourText

# The first whose cues are found is meant: what is plain comes before what is vague.
ACTIVITIES: tuple[Activity, ...] = (
    BEDTIME,
    WASHING,
    MORNING,
    *REMADE_MEALS,
    *CAMPAIGNS,
    *PARTIES,
    *EATING,
    *SHOPPING,
    *TRADES,
    *AT_HOME,
    *STUDIES,
    *DESK_WORK,
    *ARTS,
    STORY,
    *OUTINGS,
)


def _pattern(hour: HourText) -> re.Pattern[str]:
    return re.compile(re.escape(hour.text).replace(re.escape(THING), r"the .+"))


_HOURS = tuple((_pattern(hour), kind, hour) for kind in ACTIVITIES for hour in kind.hours)


def _step_pattern(doing: str) -> str:
    plain = without_furniture(doing)
    return re.escape(plain).replace(re.escape(THING), r"the .+")


_STEPS = re.compile(
    "|".join(
        sorted(
            {
                _step_pattern(step.doing)
                for kind in ACTIVITIES
                for hour in kind.hours
                for step in hour.steps
            }
        )
    )
)


def is_moment(text: str) -> bool:
    """Say whether "is writing a paragraph of the paper" tells of a few minutes only.

    What a person remembers to have done must not be taken for what they are working on.
    """
    done = re.match(r"(?:is|was) (\w+ing\b.*)", text)
    return done is not None and _STEPS.fullmatch(without_furniture(done[1])) is not None


def activity_for(text: str) -> Activity | None:
    """Return the activity that the words mean, None when no cue is found."""
    if is_remedy(text):
        return None
    return next((kind for kind in ACTIVITIES if kind.cues.search(text)), None)


def hour_said(text: str) -> tuple[Activity, HourText] | None:
    """Return the very hour of the vocabulary that the text is, None when it is none."""
    return next(
        ((kind, hour) for pattern, kind, hour in _HOURS if pattern.fullmatch(text)), None
    )
