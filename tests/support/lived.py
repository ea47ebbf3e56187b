"""A lived stretch of a town, read back from its rows tick by tick, for checks to look at."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import groupby
from pathlib import Path
from uuid import UUID

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.events import Tile
from apps.agents.identity import Identity
from apps.agents.models import TurnedAwayRow
from apps.agents.track import Action, Track
from apps.kernel.game_time import GameCalendar
from apps.planning.models import PlanItemRow
from apps.simulation.models import SimulationRow
from apps.simulation.ports import constants_of
from apps.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """Somebody being in an area ("" outdoors) from a tick up to, but without, another."""

    agent: str
    area: str
    from_tick: int
    to_tick: int

    @property
    def ticks(self) -> int:
        """How long it lasts."""
        return self.to_tick - self.from_tick


@dataclass(frozen=True, kw_only=True)
class Lived:
    """What happened from tick 0 up to and including `last_tick`."""

    world: World
    calendar: GameCalendar
    people: dict[str, Identity]
    tracks: dict[str, Track]
    plans: tuple[PlanItemRow, ...]
    turned_away: tuple[TurnedAwayRow, ...]
    last_tick: int

    @cached_property
    def tiles(self) -> dict[str, list[Tile]]:
        """Where everybody stands at the end of each tick."""
        return {
            agent: [_known(track.tile_at(tick)) for tick in range(self.last_tick + 1)]
            for agent, track in self.tracks.items()
        }

    @cached_property
    def areas(self) -> dict[str, list[str]]:
        """In which area everybody is at the end of each tick."""
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
        """Return where the person was, stretch by stretch."""
        tick = 0
        for area, ticks in groupby(self.areas[agent]):
            length = len(list(ticks))
            yield Stay(agent=agent, area=area, from_tick=tick, to_tick=tick + length)
            tick += length

    def actions(self, agent: str) -> list[Action]:
        """Return what the person did, walking left out."""
        return [action for action in self.tracks[agent].actions if not action.towards]

    def ended(self, agent: str, action: Action) -> int:
        """Return the first tick at which the action was over."""
        actions = self.tracks[agent].actions
        after = actions.index(action) + 1
        return actions[after].from_tick if after < len(actions) else self.last_tick + 1

    def share_in(self, agent: str, node: str, span: tuple[str, str]) -> float:
        """Return for how much of the time of day the person was in the place or area."""
        ticks = range(self.tick(span[0]), self.tick(span[1]))
        inside = [is_in(self.areas[agent][tick], node) for tick in ticks]
        return sum(inside) / len(inside)


def is_in(area: str, node: str) -> bool:
    """Say whether the area is the node or one of its areas."""
    return area == node or area.startswith(f"{node}: ")


def read_lived(simulation_id: UUID, *, day: int = 0, worlds_root: Path | None = None) -> Lived:
    """Read what has settled of the simulation from the midnight of its nth day on."""
    row = SimulationRow.objects.get(pk=simulation_id)
    constants = constants_of(simulation_id, worlds_root or wiring.ports().worlds_root)
    rows = agent_queries.list_agents(simulation_id)
    start = constants.calendar.start + timedelta(days=day)
    begun = constants.calendar.tick_at(start)
    plans = PlanItemRow.objects.filter(
        simulation_id=simulation_id, day__gte=f"{start:%Y-%m-%d}"
    )
    turned_away = TurnedAwayRow.objects.filter(simulation_id=simulation_id, tick__gte=begun)
    tracks = agent_queries.tracks(simulation_id, from_tick=begun)
    return Lived(
        world=constants.world,
        calendar=replace(constants.calendar, start=start),
        people={row.agent: agent_queries.identity_of(row) for row in rows},
        tracks={agent: _since(track, begun) for agent, track in tracks.items()},
        plans=tuple(
            planned
            for item in plans.order_by("agent", "number")
            if (planned := _planned_since(item, begun)).to_tick > planned.from_tick
        ),
        turned_away=tuple(turned_away.order_by("tick", "agent")),
        last_tick=row.settled_tick - begun,
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


def _planned_since(item: PlanItemRow, begun: int) -> PlanItemRow:
    """Return the item with its ticks counted from the one given, as far as it was kept to."""
    kept_to = item.to_tick if item.kept_to_tick is None else item.kept_to_tick
    item.from_tick -= begun
    item.to_tick = min(item.to_tick, kept_to) - begun
    return item


def _known(tile: Tile | None) -> Tile:
    assert tile is not None, "everybody is in town from the first tick on"
    return tile
