"""Perception: which agents and objects are in view, and what of it is new (W6, X1, X3).

The scheduler and the turn ask the same questions of the same snapshot, so that a turn is due
exactly when there is something new to notice.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from apps.agents.events import Sight
from apps.agents.queries import Seen
from apps.agents.sharing import SetState
from apps.kernel.chance import draw
from apps.kernel.language import phrase
from apps.simulation.settings import Attention
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.tile_map import Tile, chebyshev
from apps.world.world import World

# Within this many ticks, each of two agents notices the other once.
TICKS_TO_NOTICE = 2
SIGHTS_KEPT_MAX = 16  # tables of sights, one for each world and vision of this process

_Sights = dict[Tile, tuple[tuple[str, int], ...]]


@dataclass(slots=True, kw_only=True)
class Acquainted:
    """What an agent has last noticed of other agents, by slug, and of objects, by path."""

    agents: dict[str, Seen]
    objects: dict[str, Seen]


@dataclass(frozen=True, slots=True)
class InView:
    """A sight, its distance in tiles, and the event that it shows ("" for none).

    `is_far` marks an agent beyond the vision, in the same room: who it is can be seen, not
    what it does.
    """

    distance: int
    sight: Sight
    source: str
    is_far: bool = False


def news_for(
    snapshot: WorldSnapshot, agent: str, tick: int, *, known: Acquainted, attention: Attention
) -> list[InView]:
    """Return what is new to the agent at the end of the tick, nearest first (W6).

    The attention bandwidth bounds what is noticed at once; the rest is still new in the next
    tick. A sleeping agent perceives alarming object states only. In a room, dangers are
    perceived at any distance, and who has come in.
    """
    action = snapshot.tracks[agent].action_at(tick)
    if action is not None and action.asleep:
        return alarms_for(snapshot, agent, tick, known=known, attention=attention)
    near = agents_in_view(snapshot, agent, tick, vision=attention.vision)
    users = {agent, *(other for _distance, other in near)}
    news = [
        *(
            seen
            for seen in (
                *_agent_news(snapshot, near, tick, known=known, attention=attention),
                *_arrivals(snapshot, agent, tick, known=known, attention=attention),
            )
            if _notices(snapshot.seed, agent, seen.sight.subject, tick)
        ),
        *_object_news(snapshot, agent, tick, known=known, attention=attention, users=users),
    ]
    news.sort(key=lambda seen: (seen.distance, seen.sight.subject))
    return news[: attention.bandwidth]


def has_news_later(
    snapshot: WorldSnapshot, agent: str, tick: int, *, known: Acquainted, attention: Attention
) -> bool:
    """Return whether there is news of an agent in view that is noticed in a later tick."""
    near = agents_in_view(snapshot, agent, tick, vision=attention.vision)
    return any(_agent_news(snapshot, near, tick, known=known, attention=attention)) or any(
        _arrivals(snapshot, agent, tick, known=known, attention=attention)
    )


def alarms_for(
    snapshot: WorldSnapshot, agent: str, tick: int, *, known: Acquainted, attention: Attention
) -> list[InView]:
    """Return the alarming object states in view that are new to the agent, nearest first."""
    if not snapshot.set_states:
        return []
    news = _object_news(snapshot, agent, tick, known=known, attention=attention, users=set())
    return [
        seen
        for seen in news
        if shows_alarm(seen, snapshot.set_state_of(seen.sight.subject, tick))
    ]


def shows_alarm(seen: InView, state: SetState | None) -> bool:
    """Return whether the sight shows an alarming state that a user has set.

    An object in use can show the state of its use instead.
    """
    return state is not None and state.is_alarming and seen.sight.description == state.state


def agents_in_view(
    snapshot: WorldSnapshot, agent: str, tick: int, *, vision: int
) -> list[tuple[int, str]]:
    """Return distance and slug of each agent in view at the end of the tick, nearest first."""
    tile = snapshot.tile_of(agent, tick)
    if tile is None:
        return []
    area, found = snapshot.world.map.area_at(tile), []
    for track in snapshot.tracks_near(tile, vision):
        other_tile = track.tile_at(tick)
        if other_tile is None or track.agent == agent:
            continue
        distance = chebyshev(tile, other_tile)
        if distance <= vision and snapshot.world.map.area_at(other_tile) == area:
            found.append((distance, track.agent))
    return sorted(found)


def objects_in_sight(world: World, tile: Tile, vision: int) -> tuple[tuple[str, int], ...]:
    """Return path and distance of the objects in view from the tile, all of its area (W6).

    They never change and are computed once for each tile of a world.
    """
    seen_from = _sights(world.digest, vision)
    sights = seen_from.get(tile)
    if sights is None:
        sights = seen_from[tile] = tuple(_objects_in_sight(world, tile, vision))
    return sights


@lru_cache(maxsize=SIGHTS_KEPT_MAX)
def _sights(world_digest: str, vision: int) -> _Sights:
    """Return the table of a world and a vision, to be filled tile by tile.

    The digest identifies the world, so that simulations share the table.
    """
    del world_digest, vision
    return {}


def _objects_in_sight(world: World, tile: Tile, vision: int) -> Iterable[tuple[str, int]]:
    area = world.map.area_at(tile)
    if not area:
        return
    for node in world.tree.children(area):
        distance = min(chebyshev(tile, covered) for covered in world.map.tiles_of(node.path))
        if distance <= vision:
            yield node.path, distance


def _notices(seed: int, agent: str, other: str, tick: int) -> bool:
    """Return whether the agent notices what is new about another one at the end of the tick.

    Two agents never notice each other in one tick: both would speak first. Each of them does
    in one of the two ticks of a span; a draw decides who does in the first.
    """
    span, is_second = divmod(tick, TICKS_TO_NOTICE)
    of_pair = sorted((agent, other))
    first = of_pair[draw(seed, "notice", span, *of_pair) % len(of_pair)]
    return (agent == first) is not bool(is_second)


def _agent_news(
    snapshot: WorldSnapshot,
    near: Iterable[tuple[int, str]],
    tick: int,
    *,
    known: Acquainted,
    attention: Attention,
) -> Iterable[InView]:
    for distance, other in near:
        track = snapshot.tracks[other]
        doing = track.doing_at(tick)
        seen = known.agents.get(other)
        is_kept = seen is not None and tick - seen.tick < attention.retention_ticks
        if seen is not None and is_kept and doing == seen.description:
            continue
        area = snapshot.area_of(other, tick) or ""
        action = track.action_at(tick)
        sight = Sight(subject=other, description=doing, area=area, is_object=False)
        yield InView(distance, sight, "" if action is None else action.event)


def _arrivals(
    snapshot: WorldSnapshot, agent: str, tick: int, *, known: Acquainted, attention: Attention
) -> Iterable[InView]:
    """Yield the agents in the room beyond the vision that were last seen elsewhere.

    Each is one that the agent has seen before; what it does there is news once it is near.
    """
    tile = snapshot.tile_of(agent, tick)
    room = None if tile is None else snapshot.world.map.room_at(tile)
    if tile is None or room is None or attention.across_rooms != "arrivals":
        return
    for other, seen in known.agents.items():
        is_kept = tick - seen.tick < attention.retention_ticks
        their_tile = snapshot.tile_of(other, tick)
        if their_tile is None or other == agent or (is_kept and seen.area == room.area):
            continue
        distance = chebyshev(tile, their_tile)
        if distance > attention.vision and snapshot.world.map.room_at(their_tile) == room:
            here = phrase("{name} is here", name=snapshot.tracks[other].name)
            sight = Sight(subject=other, description=here, area=room.area, is_object=False)
            yield InView(distance, sight, "", is_far=True)


def objects_perceived(
    snapshot: WorldSnapshot, tile: Tile, tick: int, attention: Attention
) -> tuple[tuple[str, int], ...]:
    """Return path and distance of the objects in view, and of those that alarm the room."""
    world, vision = snapshot.world, attention.vision
    in_sight = objects_in_sight(world, tile, vision)
    room = world.map.room_at(tile)
    if room is None or not snapshot.set_states or attention.across_rooms == "nothing":
        return in_sight
    distances = {
        path: min(chebyshev(tile, covered) for covered in world.map.tiles_of(path))
        for path, states in snapshot.set_states.items()
        if world.tree.area_of(path) == room.area
        and any(state.is_alarming and state.stands_at(tick) for state in states)
    }
    return (*in_sight, *((path, far) for path, far in distances.items() if far > vision))


def _object_news(
    snapshot: WorldSnapshot,
    agent: str,
    tick: int,
    *,
    known: Acquainted,
    attention: Attention,
    users: set[str],
) -> Iterable[InView]:
    """Yield objects that are unknown, or whose state is not the one last seen.

    An object in use by one of the `users` is left out: the action of that agent shows it.
    """
    tile = snapshot.tile_of(agent, tick)
    if tile is None:
        return
    area = snapshot.world.map.area_at(tile)
    for path, distance in objects_perceived(snapshot, tile, tick, attention):
        seen = known.objects.get(path)
        set_state = snapshot.set_state_of(path, tick)
        is_idle = path not in snapshot.uses and set_state is None
        if seen is not None and is_idle and not seen.description:
            continue
        uses = snapshot.occupants_of(path, tick)
        state = snapshot.state_of(path, tick)
        # What has been left at an object is as it was when the use of the object is over.
        shows_use = set_state is None or (set_state.is_left and state != set_state.state)
        is_shown_by_user = shows_use and any(use.agent in users for use in uses)
        if seen is not None and is_shown_by_user:
            continue
        idle = snapshot.world.tree.node(path).idle_state
        if seen is not None and state == (seen.description or idle):
            continue
        sight = Sight(subject=path, description=state, area=area, is_object=True)
        yield InView(distance, sight, "" if set_state is None else set_state.event)
