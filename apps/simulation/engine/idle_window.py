"""The idle window of an agent: the ticks in which nothing that it perceives can change.

The scheduler checks whether a turn is due at the ticks in which something may have changed,
and passes the others. Everything that makes a turn due must bound the window; a test compares
it with lock-step, which checks every tick.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from apps.agents.track import Track
from apps.simulation.engine.lookahead import SPEED
from apps.simulation.ports import Constants
from apps.simulation.snapshot.hearing import utterance_ends
from apps.simulation.snapshot.perception import Acquainted, has_news_later
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.tile_map import Tile, chebyshev


@dataclass(frozen=True, slots=True)
class IdleWindow:
    """The next tick to check, if no agent that the window depends on takes a turn before."""

    until: int
    depends_on: frozenset[str] = frozenset()


AWAKE = IdleWindow(0)


def idle_window_after(
    constants: Constants,
    snapshot: WorldSnapshot,
    agent: str,
    tick: int,
    *,
    acquainted: Acquainted,
    clocks: Mapping[str, int],
    requested: Iterable[int] = (),
) -> IdleWindow:
    """Return how long nothing changes for an agent whose turn is not due at the tick.

    `requested` are the ticks at which interventions and action requests reach it. An agent
    that is far away needs time to come near; near agents bound the window by their next known
    change, and the window depends on them taking no turn before.
    """
    before = tick - 1
    track = snapshot.tracks[agent]
    action = track.action_at(before)
    assert action is not None, "a turn is due for an agent without an action"
    looks = [
        action.until_tick,
        *utterance_ends(constants, snapshot, agent),
        *_changes_of_states(snapshot),
        *requested,
    ]
    if action.asleep and action.from_tick < before:
        return IdleWindow(min(look for look in looks if look > tick))
    tile = track.tile_at(before)
    if tile is None or track.walks_after(before):
        return IdleWindow(tick + 1)
    attention = constants.attention
    if has_news_later(snapshot, agent, before, known=acquainted, attention=attention):
        return IdleWindow(tick + 1)
    closing = constants.closing_tick(snapshot.world.map.area_at(tile), tick)
    if closing is not None:
        looks.append(closing)
    depends_on = []
    for other, its_track in snapshot.tracks.items():
        if other == agent:
            continue
        known = min(before, clocks.get(other, tick) - 1)
        near_from = _near_from(constants, tile, its_track, known)
        if near_from > before:
            looks.append(near_from + 1)
        else:
            depends_on.append(other)
            looks.append(_next_change(its_track, before) + 1)
            looks.append(_next_notice(constants, acquainted, other) + 1)
            spoken = snapshot.spoken.get(other, ())
            looks += map(constants.said_in_full_tick, spoken)
    return IdleWindow(min(look for look in looks if look > tick), frozenset(depends_on))


def _changes_of_states(snapshot: WorldSnapshot) -> Iterator[int]:
    """Yield the ticks at which the visible state of an object changes that a user has set."""
    for states in snapshot.set_states.values():
        for state in states:
            yield state.from_tick + 1
            if state.to_tick is not None:
                yield state.to_tick + 1


def _near_from(constants: Constants, tile: Tile, track: Track, known: int) -> int:
    """Return the first tick at whose end an agent's action may be visible from the tile.

    The track is known until the tick `known`.
    """
    other_tile = track.tile_at(known)
    if other_tile is None:
        return known
    seen_from = constants.settings.vision + constants.reach
    steps = chebyshev(tile, other_tile) - seen_from
    room = constants.world.map.room_at(tile)
    if room is not None:
        steps = min(steps, room.steps_to(other_tile))
    return known + max(0, steps) // SPEED


def _next_change(track: Track, tick: int) -> int:
    """Return the next tick at whose end the agent is elsewhere or has another action."""
    return tick + 1 if track.walks_after(tick) else track.next_start(tick)


def _next_notice(constants: Constants, acquainted: Acquainted, other: str) -> int:
    """Return the tick at whose end an unchanged agent is noticed again."""
    seen = acquainted.agents.get(other)
    return 0 if seen is None else seen.tick + constants.attention.retention_ticks
