"""Where a person has been since yesterday's midnight, and what they did there; pure.

A plan says what was meant, the track what came of it: who is asked about the past is asked
for that. Memories hold the same, but not each hour of it, and without its time.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from apps.agents.events import Tile
from apps.agents.track import Track
from apps.interaction.chains.answer import SLEEPING, SpentTime

# Whoever stays no longer only passes by.
STAY_MINUTES_MIN = 5
# Two busy days; of more the latest count.
SPENT_MAX = 80
HOUR = 60


@dataclass(frozen=True, slots=True)
class _Moment:
    minute: int
    place: str
    activity: str
    walks: bool


def time_spent(
    track: Track,
    *,
    minutes: range,
    tick_at: Callable[[int], int],
    place_at: Callable[[Tile], str],
) -> tuple[SpentTime, ...]:
    """Return how the minutes went, in order: within a stay, what was done most each hour.

    Minutes count from today's midnight; `tick_at` is the tick of such a minute.
    """
    moments = list(_moments(track, minutes, tick_at, place_at))
    spent: list[SpentTime] = []
    for _, stay in groupby(moments, key=lambda moment: moment.place):
        stayed = list(stay)
        if len(stayed) >= STAY_MINUTES_MIN:
            spent.extend(_by_hours(stayed))
    return tuple(spent[-SPENT_MAX:])


def _moments(
    track: Track,
    minutes: range,
    tick_at: Callable[[int], int],
    place_at: Callable[[Tile], str],
) -> Iterator[_Moment]:
    for minute in minutes:
        tick = tick_at(minute)
        tile, action = track.tile_at(tick), track.action_at(tick)
        if tile is not None and action is not None:
            activity = SLEEPING if action.asleep else action.description
            yield _Moment(minute, place_at(tile), activity, bool(action.towards))


def _by_hours(stay: list[_Moment]) -> list[SpentTime]:
    """Return the stay by hours of the clock, those with the same activity as one."""
    spent: list[SpentTime] = []
    for _, hour in groupby(stay, key=_part):
        moments = list(hour)
        done = [moment.activity for moment in moments if not moment.walks]
        on_the_way = [moment.activity for moment in moments]
        [(activity, _)] = Counter(done or on_the_way).most_common(1)
        begins = moments[0].minute
        if spent and spent[-1].activity == activity and spent[-1].to_minute == begins:
            begins = spent.pop().from_minute
        spent.append(
            SpentTime(
                from_minute=begins,
                to_minute=moments[-1].minute + 1,
                activity=activity,
                place=moments[0].place,
            )
        )
    return spent


def _part(moment: _Moment) -> tuple[bool, int]:
    """Return what parts a stay: each hour, but falling asleep and waking to the minute."""
    return moment.activity == SLEEPING, moment.minute // HOUR
