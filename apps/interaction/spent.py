"""How an agent has spent its time, by stays and hours, from its track alone; pure.

A plan says what was meant to be done, the track what was done: questions about the past
are answered from the track. Memories do not cover each hour and have no durations.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby

from apps.agents.events import Tile
from apps.agents.status import PlannedTime
from apps.agents.track import Track

MINUTE = timedelta(minutes=1)
# A shorter stay is passing by.
STAY_MINUTES_MIN = 5
# Two busy days; of more the latest count.
SPENT_MAX = 80


@dataclass(frozen=True, slots=True)
class _Minute:
    starts: datetime
    place: str
    activity: str
    is_asleep: bool
    is_walking: bool


def time_spent(
    track: Track,
    *,
    starts: datetime,
    now: datetime,
    tick_at: Callable[[datetime], int],
    place_at: Callable[[Tile], str],
) -> tuple[PlannedTime, ...]:
    """Return the time from a game time up to now, in order: what was done most in each hour.

    `tick_at` gives the tick of a game time. Asleep and awake are told apart to the minute.
    """
    minutes = _minutes(track, starts, now, tick_at, place_at)
    spent: list[PlannedTime] = []
    for _, group in groupby(minutes, key=lambda minute: minute.place):
        stay = list(group)
        if len(stay) >= STAY_MINUTES_MIN:
            spent.extend(_by_hours(stay))
    return tuple(spent[-SPENT_MAX:])


def _minutes(
    track: Track,
    starts: datetime,
    now: datetime,
    tick_at: Callable[[datetime], int],
    place_at: Callable[[Tile], str],
) -> Iterator[_Minute]:
    for number in range((now - starts) // MINUTE + 1):
        time = starts + number * MINUTE
        tick = tick_at(time)
        tile, action = track.tile_at(tick), track.action_at(tick)
        if tile is not None and action is not None:
            yield _Minute(
                time, place_at(tile), action.description, action.asleep, bool(action.towards)
            )


def _by_hours(stay: Sequence[_Minute]) -> list[PlannedTime]:
    """Return the stay by hours of the clock; neighbours that are alike become one."""
    spent: list[PlannedTime] = []
    for _, group in groupby(
        stay, key=lambda minute: (minute.is_asleep, minute.starts.date(), minute.starts.hour)
    ):
        hour = _hour(list(group))
        if spent and _is_continued(spent[-1], hour):
            hour = replace(spent.pop(), ends=hour.ends)
        spent.append(hour)
    return spent


def _hour(minutes: Sequence[_Minute]) -> PlannedTime:
    done = [minute.activity for minute in minutes if not minute.is_walking]
    [(activity, _)] = Counter(done or (minute.activity for minute in minutes)).most_common(1)
    return PlannedTime(
        starts=minutes[0].starts,
        ends=minutes[-1].starts + MINUTE,
        activity=activity,
        place=minutes[0].place,
        is_asleep=minutes[0].is_asleep,
    )


def _is_continued(spent: PlannedTime, hour: PlannedTime) -> bool:
    if spent.ends != hour.starts or spent.is_asleep != hour.is_asleep:
        return False
    return hour.is_asleep or spent.activity == hour.activity
