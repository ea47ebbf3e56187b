"""The past activities of an agent, by stays and hours, from its track; pure.

Plans are intentions, and memories neither cover each hour nor have durations.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby

from apps.agents.events import Tile
from apps.agents.status import PlannedTime
from apps.agents.track import Action, Track

MINUTE = timedelta(minutes=1)
# Shorter stays are left out.
STAY_MINUTES_MIN = 5
# Enough for two busy days; the latest are kept.
SPENT_MAX = 80


# A minute of the track: its beginning, the place, and the action.
_Minute = tuple[datetime, str, Action]


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
    for _, group in groupby(minutes, key=lambda minute: minute[1]):
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
    places: dict[Tile, str] = {}  # there are far fewer tiles than minutes
    for number in range((now - starts) // MINUTE + 1):
        time = starts + number * MINUTE
        tick = tick_at(time)
        tile, action = track.tile_at(tick), track.action_at(tick)
        if tile is not None and action is not None:
            if tile not in places:
                places[tile] = place_at(tile)
            yield time, places[tile], action


def _by_hours(stay: Sequence[_Minute]) -> list[PlannedTime]:
    """Return the stay by hours of the clock; equal neighbours are joined."""
    spent: list[PlannedTime] = []
    for _, group in groupby(
        stay, key=lambda minute: (minute[2].asleep, minute[0].date(), minute[0].hour)
    ):
        hour = _hour(list(group))
        if spent and _is_continued(spent[-1], hour):
            hour = replace(spent.pop(), ends=hour.ends)
        spent.append(hour)
    return spent


def _hour(minutes: Sequence[_Minute]) -> PlannedTime:
    starts, place, action = minutes[0]
    done = [action.description for _, _, action in minutes if not action.towards]
    [(activity, _)] = Counter(
        done or (action.description for _, _, action in minutes)
    ).most_common(1)
    return PlannedTime(
        starts=starts,
        ends=minutes[-1][0] + MINUTE,
        activity=activity,
        place=place,
        is_asleep=action.asleep,
    )


def _is_continued(spent: PlannedTime, hour: PlannedTime) -> bool:
    if spent.ends != hour.starts or spent.is_asleep != hour.is_asleep:
        return False
    return hour.is_asleep or spent.activity == hour.activity
