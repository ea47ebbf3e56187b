"""Knocks at doors of homes and private areas, and which agents hear them (W5)."""

from dataclasses import dataclass

from apps.agents.events import ActionKind
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.tile_map import chebyshev


@dataclass(frozen=True, slots=True, kw_only=True)
class Knock:
    """A knock of an agent at the door of a node; `event` is the id of its event."""

    agent: str
    node: str
    event: str


def knocks_heard(
    snapshot: WorldSnapshot, agent: str, tick: int, *, distance: int
) -> list[Knock]:
    """Return the knocks of the tick that the agent hears, in the order of slugs.

    It is awake and in the home or private area, at most the distance in tiles from the agent
    that knocks. Walls are ignored.
    """
    tile, own = snapshot.tile_of(agent, tick), snapshot.tracks[agent].action_at(tick)
    area = "" if tile is None else snapshot.world.map.area_at(tile)
    if tile is None or not area or (own is not None and own.asleep):
        return []
    found = []
    for other, track in snapshot.tracks.items():
        action = track.action_at(tick)
        if action is None or action.kind is not ActionKind.KNOCKING:
            continue
        its_tile = track.tile_at(tick)
        is_near = its_tile is not None and chebyshev(tile, its_tile) <= distance
        is_at_own_door = action.towards in {area, snapshot.world.tree.place_of(area)}
        if action.from_tick == tick and is_near and is_at_own_door:
            found.append(Knock(agent=other, node=action.towards, event=action.event))
    return found
