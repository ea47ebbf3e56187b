"""Who came to a gathering, of those that knew of it and those that accepted (paper 7.1, E4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.track import Track
from apps.dialogue.queries import agreements_between
from apps.evaluation.social.diffusion import Diffusion
from apps.kernel.game_time import GameCalendar
from apps.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """An agent that knew of a gathering, had agreed to come, or came.

    `agreements` are ids of events; `minutes` is how long it was in the place, and `came_tick`
    the first minute of that, None if it did not come.
    """

    agent: str
    knew: bool
    agreements: tuple[str, ...]
    minutes: int
    came_tick: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestList:
    """The guests of a gathering at a place in the ticks [from_tick, to_tick), by slug."""

    place: str
    from_tick: int
    to_tick: int
    guests: tuple[Guest, ...]

    @property
    def knew(self) -> int:
        """The number of agents that knew of it."""
        return sum(guest.knew for guest in self.guests)

    @property
    def accepted(self) -> int:
        """The number of agents that had agreed to be there."""
        return sum(bool(guest.agreements) for guest in self.guests)

    @property
    def came(self) -> int:
        """The number of agents that came, whether they knew of it or not."""
        return sum(guest.came_tick is not None for guest in self.guests)

    @property
    def came_knowing(self) -> int:
        """The number of agents that knew of it and came, as the paper counts."""
        return sum(guest.knew and guest.came_tick is not None for guest in self.guests)


def guest_list(
    simulation_id: UUID,
    *,
    world: World,
    calendar: GameCalendar,
    place: str,
    ticks: range,
    news: Diffusion,
) -> GuestList:
    """Return who knew of the gathering, agreed to come, and came.

    :param place: a place or an area of the tree; an agent is there in any area of it.
    :param ticks: the time of the gathering.
    :param news: who knows of it; agents of the diffusion are those that are counted.
    """
    tracks = agent_queries.tracks(simulation_id, from_tick=ticks.start, to_tick=ticks.stop - 1)
    present = ticks_at(place, tracks, world, ticks[:: calendar.ticks_of(minutes=1)])
    agreed = agreements_between(simulation_id, place, calendar, ticks)
    knowers = {knower.agent for knower in news.knowers}
    counted = sorted(knowers | {*news.unaware})
    return GuestList(
        place=place,
        from_tick=ticks.start,
        to_tick=ticks.stop,
        guests=tuple(
            Guest(
                agent=agent,
                knew=agent in knowers,
                agreements=agreed.get(agent, ()),
                minutes=len(present.get(agent, ())),
                came_tick=next(iter(present.get(agent, ())), None),
            )
            for agent in counted
            if agent in knowers or agent in agreed or present.get(agent)
        ),
    )


def ticks_at(
    node: str, tracks: Mapping[str, Track], world: World, ticks: Iterable[int]
) -> dict[str, list[int]]:
    """Return those of the ticks at whose end each agent is in a place or area."""
    found: dict[str, list[int]] = {agent: [] for agent in tracks}
    for tick in ticks:
        for agent, track in tracks.items():
            tile = track.tile_at(tick)
            area = "" if tile is None else world.map.area_at(tile)
            if area == node or area.startswith(f"{node}: "):
                found[agent].append(tick)
    return found
