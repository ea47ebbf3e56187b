"""The idle window of an agent: the ticks in which nothing that it perceives can change.

The scheduler checks whether a turn is due at the ticks in which something may have changed,
and passes the others. Everything that makes a turn due must bound the window or end it; a test
compares it with lock-step, which checks every tick.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apps.agents.track import Track
from apps.kernel.game_time import FOREVER_TICK
from apps.simulation.engine.lookahead import SPEED
from apps.simulation.ports import Constants
from apps.simulation.snapshot.hearing import utterance_ends
from apps.simulation.snapshot.perception import Acquainted, has_news_later
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.tile_map import chebyshev


@dataclass(frozen=True, slots=True)
class IdleWindow:
    """The next tick to check, if nothing ends the window before.

    `ends_by_others` is whether it ends when another agent acts near this one, or comes near.
    """

    until: int
    ends_by_others: bool = True


AWAKE = IdleWindow(0)


def idle_window_after(
    constants: Constants,
    snapshot: WorldSnapshot,
    agent: str,
    tick: int,
    *,
    acquainted: Acquainted,
    requested: Iterable[int] = (),
) -> IdleWindow:
    """Return how long nothing changes for an agent whose turn is not due at the tick.

    `requested` are the ticks at which interventions and action requests reach it. Agents near
    by bound the window by their next known change.
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
    tile = track.tile_at(before)
    if tile is None or track.walks_after(before):
        return IdleWindow(tick + 1)
    if action.asleep and action.from_tick < before:
        return IdleWindow(min(look for look in looks if look > tick), ends_by_others=False)
    attention = constants.attention
    if has_news_later(snapshot, agent, before, known=acquainted, attention=attention):
        return IdleWindow(tick + 1)
    closing = constants.closing_tick(snapshot.world.map.area_at(tile), tick)
    if closing is not None:
        looks.append(closing)
    looks += _changes_near(constants, snapshot, track, tick, acquainted)
    return IdleWindow(min(look for look in looks if look > tick))


def _changes_near(
    constants: Constants, snapshot: WorldSnapshot, own: Track, tick: int, acquainted: Acquainted
) -> Iterator[int]:
    """Yield the ticks at which something known of others changes near an agent, or in its room.

    An agent that has lived on may come near by a walk that is known.
    """
    before, tile = tick - 1, own.tile_at(tick - 1)
    assert tile is not None, "an agent that is not in the world perceives nothing"
    near, room = constants.settings.vision + constants.reach, snapshot.world.map.room_at(tile)
    for track in snapshot.tracks_near(tile, near, room):
        other_tile = track.tile_at(before)
        if track is own or other_tile is None:
            continue
        steps = chebyshev(tile, other_tile) - near
        if room is not None:
            steps = min(steps, room.steps_to(other_tile))
        if steps <= 0:
            yield _next_change(track, before) + 1
            yield _next_notice(constants, acquainted, track.agent) + 1
            yield from map(constants.said_in_full_tick, snapshot.spoken.get(track.agent, ()))
        elif track.tile_at(FOREVER_TICK) != other_tile:
            yield tick + steps // SPEED


def _changes_of_states(snapshot: WorldSnapshot) -> Iterator[int]:
    """Yield the ticks at which the visible state of an object changes that a user has set."""
    for states in snapshot.set_states.values():
        for state in states:
            yield state.from_tick + 1
            if state.to_tick is not None:
                yield state.to_tick + 1


def _next_change(track: Track, tick: int) -> int:
    """Return the next tick at whose end the agent is elsewhere or has another action."""
    return tick + 1 if track.walks_after(tick) else track.next_start(tick)


def _next_notice(constants: Constants, acquainted: Acquainted, other: str) -> int:
    """Return the tick at whose end an unchanged agent is noticed again."""
    seen = acquainted.agents.get(other)
    return 0 if seen is None else seen.tick + constants.attention.retention_ticks
