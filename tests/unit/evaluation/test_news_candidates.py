"""Which memories a verifier of news reads, of those in the same words."""

from dataclasses import replace
from datetime import datetime, timedelta

from apps.evaluation.news_searches.verification import firsts_of_each
from apps.memory.events import ScheduledActivity
from tests.support.turns import ranked

TICKS_OF_DAY = 8_640
TODAY = "The party is today"


def time_at(tick: int) -> datetime:
    return datetime(2023, 2, 13) + timedelta(seconds=10 * tick)


def test_the_first_stands_for_those_that_tell_the_same() -> None:
    later, first, other = ranked(2, TODAY), ranked(1, TODAY.upper()), ranked(3, "Rain")
    assert firsts_of_each([later, other, first], time_at) == [first, other]


def test_the_same_words_of_another_day_subject_or_activity_are_other_news() -> None:
    first = ranked(1, TODAY)
    others = [
        replace(ranked(2, TODAY), formed_tick=TICKS_OF_DAY + 1),
        replace(ranked(3, TODAY), subject="maria-lopez"),
        replace(ranked(4, TODAY), scheduled=ScheduledActivity(activity="dance")),
    ]
    assert firsts_of_each([first, *others], time_at) == [first, *others]
