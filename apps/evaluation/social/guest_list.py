"""Who came to a gathering, of those that knew of it and those that accepted (paper 7.1, E4)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from apps import history
from apps.evaluation.social.grapevine import Diffusion
from apps.history import Track, World, is_in
from apps.kernel.game_time import GameCalendar


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """An agent that knew of a gathering before its end, had agreed to come, or came.

    `memory` is the number of the first memory that holds the news, and `knew_tick` the tick of
    that memory; both are None if it did not know. `agreements` are ids of events; `minutes` is
    how long it was in the place, and `came_tick` the tick in which it came, None if it did not
    come. One that was there before the beginning came in the first tick.
    """

    agent: str
    memory: int | None
    knew_tick: int | None
    agreements: tuple[str, ...]
    minutes: int
    came_tick: int | None

    @property
    def knew(self) -> bool:
        """Whether it knew of the gathering before its end."""
        return self.knew_tick is not None

    @property
    def came(self) -> bool:
        """Whether it came, knowing or not."""
        return self.came_tick is not None

    @property
    def came_knowing(self) -> bool:
        """Whether it came, and knew of the gathering when it came."""
        if self.knew_tick is None or self.came_tick is None:
            return False
        return self.knew_tick <= self.came_tick


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestList:
    """The guests of a gathering at a place in the ticks [from_tick, to_tick), by slug.

    `hosts` are the agents that gave it; they are no guests.
    """

    place: str
    from_tick: int
    to_tick: int
    hosts: tuple[str, ...]
    guests: tuple[Guest, ...]

    @property
    def knew(self) -> int:
        """The number of guests that knew of it before its end."""
        return sum(guest.knew for guest in self.guests)

    @property
    def accepted(self) -> int:
        """The number of guests that had agreed to be there."""
        return sum(bool(guest.agreements) for guest in self.guests)

    @property
    def came(self) -> int:
        """The number of guests that came, whether they knew of it or not."""
        return sum(guest.came for guest in self.guests)

    @property
    def came_knowing(self) -> int:
        """The number of guests that knew of it when they came, as the paper counts."""
        return sum(guest.came_knowing for guest in self.guests)


def guest_list(
    simulation_id: UUID,
    *,
    world: World,
    calendar: GameCalendar,
    place: str,
    ticks: range,
    news: Diffusion,
    hosts: Collection[str] | None = None,
) -> GuestList:
    """Return who knew of the gathering, agreed to come, and came, without the hosts.

    :param place: a place or an area of the tree; an agent is there in any area of it.
    :param ticks: the time of the gathering.
    :param news: who knows of it, as of the last of the ticks or later; agents of the diffusion
        are those that are counted.
    :param hosts: the agents that give it, by slug; None stands for those with which the news
        began.
    """
    left_out = sorted(hosts_of(news) if hosts is None else hosts)
    tracks = history.tracks(simulation_id, from_tick=ticks.start, to_tick=ticks.stop - 1)
    step = calendar.ticks_of(minutes=1)
    present = ticks_at(place, tracks, world, ticks[::step])
    agreed = agreements_between(simulation_id, place, calendar, ticks)
    knowers = {knower.agent: knower for knower in news.knowers if knower.tick < ticks.stop}
    counted = {*news.unaware, *(knower.agent for knower in news.knowers)}
    guests = []
    for agent in sorted(counted.difference(left_out)):
        knower, looks = knowers.get(agent), present.get(agent, [])
        if knower is None and not looks and agent not in agreed:
            continue
        came_tick = None
        if looks:
            minute = range(max(ticks.start, looks[0] - step + 1), looks[0] + 1)
            [came_tick, *_] = ticks_at(place, {agent: tracks[agent]}, world, minute)[agent]
        guests.append(
            Guest(
                agent=agent,
                memory=knower.memory if knower else None,
                knew_tick=knower.tick if knower else None,
                agreements=agreed.get(agent, ()),
                minutes=len(looks),
                came_tick=came_tick,
            )
        )
    return GuestList(
        place=place,
        from_tick=ticks.start,
        to_tick=ticks.stop,
        hosts=tuple(left_out),
        guests=tuple(guests),
    )


def agreements_between(
    simulation_id: UUID, place: str, calendar: GameCalendar, ticks: range
) -> dict[str, tuple[str, ...]]:
    """Return the events by which agents had agreed to be at a place at some of the ticks.

    The result is by slug. Counted are agreements of before the last tick that were not changed
    or cancelled by then.
    """
    starts, ends = calendar.time_at(ticks.start), calendar.time_at(ticks.stop)
    agreed = history.list_commitments(simulation_id, as_of_tick=ticks.stop - 1)
    rows = agreed.filter(
        declined=False,
        cancelled=False,
        place__contains=place,
        day__range=(f"{starts:%Y-%m-%d}", f"{ends:%Y-%m-%d}"),
        from_minute__isnull=False,
    ).exclude(superseded_tick__lt=ticks.stop)
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        midnight = datetime.fromisoformat(row.day)
        begins = midnight + timedelta(minutes=row.from_minute or 0)
        over = midnight + timedelta(minutes=row.to_minute or row.from_minute or 0)
        if begins < ends and starts < max(over, begins + timedelta(minutes=1)):
            found[row.agent] = (*found.get(row.agent, ()), row.event)
    return found


def hosts_of(news: Diffusion) -> set[str]:
    """Return the agents with which the news began: its first origins.

    An agent that a user tells the news later is an origin, too, but no host.
    """
    origins = [knower for knower in news.knowers if knower.is_origin]
    first = min((knower.tick for knower in origins), default=0)
    return {knower.agent for knower in origins if knower.tick == first}


def ticks_at(
    node: str, tracks: Mapping[str, Track], world: World, ticks: Iterable[int]
) -> dict[str, list[int]]:
    """Return those of the ticks at whose end each agent is in a place or area."""
    found: dict[str, list[int]] = {agent: [] for agent in tracks}
    for tick in ticks:
        for agent, track in tracks.items():
            tile = track.tile_at(tick)
            area = "" if tile is None else world.map.area_at(tile)
            if is_in(area, node):
                found[agent].append(tick)
    return found
