"""The past activities of an agent, by stays and hours, from its track; pure.

Plans are intentions, and memories neither cover each hour nor have durations.
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
# Shorter stays are left out.
STAY_MINUTES_MIN = 5
# Enough for two busy days; the latest are kept.
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
    """Return the main activity of each hour from `starts` to `now`, in order.

    `tick_at` returns the tick of a game time. Sleep begins and ends at the minute.
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
    """Return the stay by hours of the clock; equal neighbours are joined."""
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
