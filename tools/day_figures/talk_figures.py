"""Whether talks are new, end as they say, and whether promises are kept."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from apps.evaluation.quality.counts import nameless
from apps.evaluation.quality.days import Series
from apps.kernel.game_time import MINUTES_PER_DAY
from tools.day_figures.daily_shares import DailyShare, share
from tools.day_figures.run_record import (
    Conversation,
    RunRecord,
)
from tools.day_figures.word_lists import DEPARTURE, LEAVE_TAKING

SAME_TIME_MINUTES = 15
STAYS_MINUTES = 10


def number_figures(run: RunRecord, talks: Sequence[Conversation]) -> Series:
    """Return how many talks there are, how many get no answer, and how new the words are."""
    answered = DailyShare(run.days)
    for talk in talks:
        answered.add(talk.tick, hit=talk.is_answered)
    said = run.days.split(run.utterances, lambda one: one.tick)
    texts = [nameless([one.text for one in day], run.names) for day in said]
    missed = [None if value is None else round(100 - value, 1) for value in answered.percent()]
    return {
        "conversations": answered.hits(),
        "openings without an answer, %": missed,
        "distinct utterances without names, %": [
            share(len(set(day)), len(day)) for day in texts
        ],
    }


def repetition_figures(run: RunRecord, talks: Sequence[Conversation]) -> Series:
    """Return the share of talks of a pair that talked at that time on an earlier day.

    At that time is within SAME_TIME_MINUTES by the clock. A talk of several counts if any pair
    of it has done so.
    """
    repeated = DailyShare(run.days)
    met: dict[frozenset[str], list[tuple[int, int]]] = defaultdict(list)
    for talk in talks:
        day, minute = run.days.of(talk.tick), run.days.minute(talk.tick)
        pairs = [frozenset(pair) for pair in combinations(sorted(talk.speakers), 2)]
        hit = any(
            day is not None and before < day and minutes_apart(minute, at) < SAME_TIME_MINUTES
            for pair in pairs
            for before, at in met[pair]
        )
        repeated.add(talk.tick, hit=hit)
        for pair in pairs:
            if day is not None:
                met[pair].append((day, minute))
    return {"same pair within 15 minutes of an earlier day, %": repeated.percent()}


def minutes_apart(one: int, other: int) -> int:
    """Return the distance of two times of the clock in minutes."""
    apart = abs(one - other)
    return min(apart, MINUTES_PER_DAY - apart)


def leaving_figures(run: RunRecord, talks: Sequence[Conversation]) -> Series:
    """Return how often agents say goodbye and stay.

    Of the talks with leave-taking (`LEAVE_TAKING`), how many have all speakers in one
    room STAYS_MINUTES after the last words; of the utterances that announce that the speaker
    leaves (`DEPARTURE`), after how many the speaker is in the same room by then. Talks
    on the telephone and outdoors are not counted.
    """
    stayed, departed = DailyShare(run.days), DailyShare(run.days)
    later = run.days.calendar.ticks_of(minutes=STAYS_MINUTES)
    for talk in talks:
        if any(one.by_phone for one in talk.said):
            continue
        last = talk.said[-1].tick
        here = {run.area_at(agent, last) for agent in talk.speakers}
        if any(LEAVE_TAKING.search(one.text) for one in talk.said) and here != {""}:
            rooms = {run.area_at(agent, last + later) for agent in talk.speakers}
            stayed.add(talk.tick, hit=len(rooms) == 1 and rooms == here)
        for one in talk.said:
            room = run.area_at(one.agent, one.tick)
            if room and DEPARTURE.search(one.text):
                departed.add(one.tick, hit=run.area_at(one.agent, last + later) == room)
    return {
        "goodbye, and all still in the room ten minutes later, %": stayed.percent(),
        "talks with leave-taking": stayed.counted(),
        "announces to leave and stays ten minutes, %": departed.percent(),
    }
