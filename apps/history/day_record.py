"""What the agents of a simulation did in a day, tick by tick, from its rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import groupby
from uuid import UUID

from apps.agents.events import Tile
from apps.agents.models import TurnedAwayRow
from apps.agents.queries import list_agents, tracks
from apps.agents.summary import Identity
from apps.agents.track import Action, Track
from apps.history.agent_days import planned_items
from apps.kernel.game_time import MINUTES_PER_DAY, GameCalendar
from apps.planning.rules import PlanItem
from apps.simulation.ports import constants_of
from apps.simulation.queries import get_simulation
from apps.world.folders import WorldFolders
from apps.world.norms import hours_of, keepers_of, may_enter
from apps.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """A stay of an agent in an area, "" outdoors, in the ticks [from_tick, to_tick)."""

    agent: str
    area: str
    from_tick: int
    to_tick: int

    @property
    def ticks(self) -> int:
        """The length of the stay in ticks."""
        return self.to_tick - self.from_tick


@dataclass(frozen=True, kw_only=True)
class DayRecord:
    """The tracks and plans of agents in the ticks [0, last_tick]; ticks count from midnight.

    `turned_away` has an agent as often as it was turned away at a door.
    """

    world: World
    calendar: GameCalendar
    agents: dict[str, Identity]
    tracks: dict[str, Track]
    plans: dict[str, list[PlanItem]]
    turned_away: tuple[str, ...]
    last_tick: int

    @cached_property
    def tiles(self) -> dict[str, list[Tile]]:
        """The tile of each agent at the end of each tick."""
        return {
            agent: [_present(track.tile_at(tick)) for tick in range(self.last_tick + 1)]
            for agent, track in self.tracks.items()
        }

    @cached_property
    def areas(self) -> dict[str, list[str]]:
        """The area of each agent at the end of each tick, "" outdoors."""
        area_at = self.world.map.area_at
        return {agent: [area_at(tile) for tile in tiles] for agent, tiles in self.tiles.items()}

    def tick(self, clock: str) -> int:
        """Return the tick of a time such as "6:00" of the first day."""
        hour, _, minute = clock.partition(":")
        moment = self.calendar.start.replace(hour=0, minute=0)
        return self.calendar.tick_at(moment + timedelta(hours=int(hour), minutes=int(minute)))

    def time(self, tick: int) -> datetime:
        """Return the game time of the tick."""
        return self.calendar.time_at(tick)

    def minute(self, tick: int) -> int:
        """Return the minutes from the first midnight to the tick."""
        return int(self.calendar.minutes_of(tick))

    def stays(self, agent: str) -> Iterator[Stay]:
        """Yield the stays of the agent in order."""
        tick = 0
        for area, ticks in groupby(self.areas[agent]):
            length = len(list(ticks))
            yield Stay(agent=agent, area=area, from_tick=tick, to_tick=tick + length)
            tick += length

    def actions(self, agent: str) -> list[Action]:
        """Return the actions of the agent without walks."""
        return [action for action in self.tracks[agent].actions if not action.towards]

    def opening_hours(self, node: str) -> tuple[int, int] | None:
        """Return the minutes of the day at which a place or area opens and closes."""
        return hours_of(self.world.tree, node)

    def keepers(self, place: str) -> list[str]:
        """Return the agents that keep a place."""
        names = keepers_of(self.world.tree, place)
        return [agent for agent, identity in self.agents.items() if identity.name in names]

    def is_closed_to(self, agent: str, area: str, tick: int) -> bool:
        """Return whether the agent may not be in an area at the tick."""
        name, minute = self.agents[agent].name, self.minute(tick) % MINUTES_PER_DAY
        return may_enter(self.world.tree, person=name, area=area, minute=minute) is not None

    def ended(self, agent: str, action: Action) -> int:
        """Return the first tick at which the action was over."""
        actions = self.tracks[agent].actions
        after = actions.index(action) + 1
        return actions[after].from_tick if after < len(actions) else self.last_tick + 1


def is_in(area: str, node: str) -> bool:
    """Return whether the area is the node or one of its areas."""
    return area == node or area.startswith(f"{node}: ")


def read_day_record(
    simulation_id: UUID,
    worlds: WorldFolders,
    *,
    from_tick: int = 0,
    as_of_tick: int | None = None,
) -> DayRecord:
    """Return what has happened from a tick, a midnight, up to the end of another one.

    By default that is the latest committed one. Agents that were not there all the time are
    left out.
    """
    committed_tick = get_simulation(simulation_id).committed_tick
    last = committed_tick if as_of_tick is None else as_of_tick
    constants = constants_of(simulation_id, worlds)
    begun, start = from_tick, constants.calendar.time_at(from_tick)
    rows = [
        row for row in list_agents(simulation_id, as_of_tick=last) if row.joined_tick <= begun
    ]
    slugs = [row.agent for row in rows]
    moved = tracks(simulation_id, from_tick=begun, to_tick=last, agents=slugs)
    plans = planned_items(simulation_id, levels=("outline", "hour"), as_of_tick=last)
    turned_away = TurnedAwayRow.objects.filter(
        simulation_id=simulation_id, agent__in=slugs, tick__gte=begun, tick__lte=last
    ).order_by("tick", "agent")
    return DayRecord(
        world=constants.world,
        calendar=replace(constants.calendar, start=start),
        agents={row.agent: row.identity for row in rows},
        tracks={agent: _since(track, begun) for agent, track in moved.items()},
        plans={
            agent: [
                replace(item, from_tick=item.from_tick - begun, to_tick=item.to_tick - begun)
                for item in plans.get(agent, ())
                if item.day >= f"{start:%Y-%m-%d}"
            ]
            for agent in slugs
        },
        turned_away=tuple(turned_away.values_list("agent", flat=True)),
        last_tick=last - begun,
    )


def _since(track: Track, begun: int) -> Track:
    """Return the track with its ticks counted from the one given."""
    return Track(
        agent=track.agent,
        name=track.name,
        movements=[replace(m, from_tick=m.from_tick - begun) for m in track.movements],
        actions=[
            replace(a, from_tick=max(a.from_tick - begun, 0), until_tick=a.until_tick - begun)
            for a in track.actions
        ],
    )


def _present(tile: Tile | None) -> Tile:
    assert tile is not None, "the agents of a record are there all the time"
    return tile
