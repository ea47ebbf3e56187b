"""What a person perceives: who and what is in view, and what of it is new (W6, X1, X3).

The scheduler asks the same questions to know whether a turn is due as the turn asks to know
what was noticed, of the same town at the same tick: so they cannot disagree.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from apps.agents.events import Sight
from apps.agents.queries import Seen
from apps.agents.sharing import SetState
from apps.agents.track import Action
from apps.simulation.attention import Attention
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.geometry import Tile, chebyshev
from apps.world.world import World

# Tables of sights, one for each world and vision that simulations of this process have.
SIGHTS_KEPT_MAX = 16

_Sights = dict[Tile, tuple[tuple[str, int], ...]]


@dataclass(slots=True, kw_only=True)
class Acquainted:
    """What a person knows already: people by slug, objects by path, known nodes."""

    people: dict[str, Seen]
    objects: dict[str, Seen]


@dataclass(frozen=True, slots=True)
class InView:
    """A sight, how far off it is, and the event that it comes from ("" if from none)."""

    distance: int
    sight: Sight
    source: str


def news_for(
    town: WorldSnapshot, agent: str, tick: int, *, known: Acquainted, attention: Attention
) -> list[InView]:
    """Return what is new to somebody at the end of the tick, nearest first (W6).

    The attention bandwidth bounds what is noticed at once; the rest is still new in the
    next tick. Who sleeps perceives nothing but dangers.
    """
    action = town.tracks[agent].action_at(tick)
    if action is not None and action.asleep:
        return alarms_for(town, agent, tick, known=known, attention=attention)
    near = people_in_view(town, agent, tick, vision=attention.vision)
    news = [*_people_news(town, near, tick, known=known, attention=attention)]
    users = {agent, *(other for _distance, other in near)}
    news.extend(_object_news(town, agent, tick, known=known, attention=attention, users=users))
    news.sort(key=lambda seen: (seen.distance, seen.sight.subject))
    return news[: attention.bandwidth]


def alarms_for(
    town: WorldSnapshot, agent: str, tick: int, *, known: Acquainted, attention: Attention
) -> list[InView]:
    """Return the dangers in view that are new to somebody, nearest first."""
    if not town.set_states:
        return []
    news = _object_news(town, agent, tick, known=known, attention=attention, users=set())
    return [
        seen for seen in news if shows_alarm(seen, town.set_state_of(seen.sight.subject, tick))
    ]


def shows_alarm(seen: InView, state: SetState | None) -> bool:
    """Return whether the sight shows an alarming state that a user has set.

    An object in use can show the state of its use instead.
    """
    return state is not None and state.is_alarming and seen.sight.description == state.state


def people_in_view(
    town: WorldSnapshot, agent: str, tick: int, *, vision: int
) -> list[tuple[int, str]]:
    """Return who is in view at the end of the tick: distance and slug, nearest first."""
    tile = town.tile_of(agent, tick)
    if tile is None:
        return []
    area = town.world.map.area_at(tile)
    found = []
    for other, track in town.tracks.items():
        other_tile = track.tile_at(tick)
        if other == agent or other_tile is None:
            continue
        distance = chebyshev(tile, other_tile)
        if distance <= vision and town.world.map.area_at(other_tile) == area:
            found.append((distance, other))
    return sorted(found)


def objects_in_sight(world: World, tile: Tile, vision: int) -> tuple[tuple[str, int], ...]:
    """Return the objects of the tile's area in view from it: path and distance (W6).

    What does not change is worked out once for each tile of a world.
    """
    seen_from = _sights(world.digest, vision)
    sights = seen_from.get(tile)
    if sights is None:
        sights = seen_from[tile] = tuple(_objects_in_sight(world, tile, vision))
    return sights


@lru_cache(maxsize=SIGHTS_KEPT_MAX)
def _sights(world_digest: str, vision: int) -> _Sights:
    """Return the table of a world and a vision, which is filled tile by tile.

    The digest stands for all that the sights depend on, so that simulations can share it.
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


def _people_news(
    town: WorldSnapshot,
    near: Iterable[tuple[int, str]],
    tick: int,
    *,
    known: Acquainted,
    attention: Attention,
) -> Iterable[InView]:
    for distance, other in near:
        track = town.tracks[other]
        doing = track.doing_at(tick)
        seen = known.people.get(other)
        if seen is not None and not _is_news(doing, seen, tick, attention):
            continue
        area = town.area_of(other, tick) or ""
        action = track.action_at(tick)
        yield InView(
            distance,
            Sight(subject=other, description=doing, area=area, is_object=False),
            _event_of(action),
        )


def _object_news(
    town: WorldSnapshot,
    agent: str,
    tick: int,
    *,
    known: Acquainted,
    attention: Attention,
    users: set[str],
) -> Iterable[InView]:
    """Yield objects that are unknown, or whose state is not the one last seen.

    An object that one of the `users` in view is using is left out: what they do says it.
    """
    tile = town.tile_of(agent, tick)
    if tile is None:
        return
    area = town.world.map.area_at(tile)
    for path, distance in objects_in_sight(town.world, tile, attention.vision):
        seen = known.objects.get(path)
        set_state = town.set_state_of(path, tick)
        is_quiet = path not in town.uses and set_state is None
        if seen is not None and is_quiet and not seen.description:
            continue
        held_by = town.holders_of(path, tick)
        is_told_by_use = set_state is None and any(use.agent in users for use in held_by)
        if seen is not None and is_told_by_use:
            continue
        state = town.state_of(path, tick)
        idle = town.world.tree.node(path).idle_state
        if seen is not None and state == (seen.description or idle):
            continue
        yield InView(
            distance,
            Sight(subject=path, description=state, area=area, is_object=True),
            "" if set_state is None else set_state.event,
        )


def _is_news(description: str, seen: Seen, tick: int, attention: Attention) -> bool:
    if description != seen.description:
        return True
    return tick - seen.tick >= attention.retention_ticks


def _event_of(action: Action | None) -> str:
    return "" if action is None else action.event
