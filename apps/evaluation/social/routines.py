"""Where agents spend their days, and how much two histories differ in that (E4, E5)."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from apps import history
from apps.history import World
from apps.kernel.game_time import MINUTES_PER_DAY, GameCalendar

LOOK_MINUTES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """The places of an agent in a stretch of time.

    `shares` are the shares of the time by place, "" outdoors, 0 to 1. `places_per_day` is the
    mean number of different places in a day. `radius` is the radius of gyration in tiles: the
    root of the mean squared distance from the mean position.
    """

    agent: str
    shares: Mapping[str, float]
    places_per_day: float
    radius: float


def routines(
    simulation_id: UUID, *, world: World, calendar: GameCalendar, ticks: range
) -> dict[str, Routine]:
    """Return the routines of the agents in the ticks, by slug, from a look each 5 minutes.

    Agents that are not there at any look are left out.
    """
    tracks = history.tracks(simulation_id, from_tick=ticks.start, to_tick=ticks.stop - 1)
    looks = ticks[:: calendar.ticks_of(minutes=LOOK_MINUTES)]
    found = {}
    for agent, track in sorted(tracks.items()):
        seen = [(tick, tile) for tick in looks if (tile := track.tile_at(tick)) is not None]
        if not seen:
            continue
        places: Counter[str] = Counter()
        by_day: dict[int, set[str]] = {}
        for tick, tile in seen:
            area = world.map.area_at(tile)
            place = world.tree.place_of(area) if area else ""
            places[place] += 1
            day = (tick - ticks.start) // calendar.ticks_of(minutes=MINUTES_PER_DAY)
            by_day.setdefault(day, set()).add(place)
        found[agent] = Routine(
            agent=agent,
            shares={place: count / len(seen) for place, count in sorted(places.items())},
            places_per_day=sum(len(day - {""}) for day in by_day.values()) / len(by_day),
            radius=radius_of_gyration([tile for _, tile in seen]),
        )
    return found


def radius_of_gyration(tiles: list[tuple[int, int]]) -> float:
    """Return the root of the mean squared distance of tiles from their mean.

    :raises ZeroDivisionError: without tiles.
    """
    count = len(tiles)
    x, y = sum(tile[0] for tile in tiles) / count, sum(tile[1] for tile in tiles) / count
    return math.sqrt(sum((one - x) ** 2 + (two - y) ** 2 for one, two in tiles) / count)


def days_until(calendar: GameCalendar, tick: int, days: int) -> range:
    """Return the ticks of the given number of days before the end of a tick."""
    begins = calendar.time_at(tick) - timedelta(days=days)
    return range(max(0, calendar.tick_at(begins)), tick + 1)
