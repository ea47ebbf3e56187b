"""Ticks that need no look: how long what somebody could perceive stays as it is.

The scheduler looks whether a turn is due at the ticks in which something may have changed,
and passes over the others. Whatever can make a turn due must be named here too; lock-step
looks at every tick, and a test holds the other ways of running to it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from apps.agents.track import Track
from apps.simulation.engine.lookahead import SPEED
from apps.simulation.ports import Constants
from apps.simulation.snapshot.hearing import words_due
from apps.simulation.snapshot.opening_hours import closing_tick
from apps.simulation.snapshot.perception import Acquainted
from apps.simulation.snapshot.world_snapshot import Town
from apps.world.geometry import Tile, chebyshev


@dataclass(frozen=True, slots=True)
class Quiet:
    """The next tick to look at, should none of those relied on take a turn before."""

    until: int
    relied_on: frozenset[str] = frozenset()


LOUD = Quiet(0)


def quiet_after(
    constants: Constants,
    town: Town,
    agent: str,
    tick: int,
    *,
    acquainted: Acquainted,
    clocks: Mapping[str, int],
    wanted: Iterable[int] = (),
) -> Quiet:
    """Return how long nothing changes for somebody whose turn is not due at the tick.

    `wanted` are the ticks at which users want something of them. Whoever is far off needs time
    to come near. Of those who are near, it is relied on that they go on as their rows say.
    """
    before = tick - 1
    track = town.tracks[agent]
    action = track.action_at(before)
    assert action is not None, "a turn is due for whoever does nothing"
    looks = [
        action.until_tick,
        *words_due(constants, town, agent),
        *_changes_of_states(town),
        *wanted,
    ]
    if action.asleep and action.from_tick < before:
        return Quiet(min(look for look in looks if look > tick))
    tile = track.tile_at(before)
    if tile is None or track.walks_after(before):
        return Quiet(tick + 1)
    closing = closing_tick(
        constants.world.tree, constants.calendar, area=town.world.map.area_at(tile), tick=tick
    )
    if closing is not None:
        looks.append(closing)
    relied_on = []
    for other, its_track in town.tracks.items():
        if other == agent:
            continue
        known = min(before, clocks.get(other, tick) - 1)
        near_from = _near_from(constants, tile, its_track, known)
        if near_from > before:
            looks.append(near_from + 1)
        else:
            relied_on.append(other)
            looks.append(_next_change(its_track, before) + 1)
            looks.append(_noticed_anew(constants, acquainted, other) + 1)
    return Quiet(min(look for look in looks if look > tick), frozenset(relied_on))


def _changes_of_states(town: Town) -> Iterator[int]:
    """Yield the ticks at which an object whose state was set looks different than before."""
    for states in town.set_states.values():
        for state in states:
            yield state.from_tick + 1
            if state.to_tick is not None:
                yield state.to_tick + 1


def _near_from(constants: Constants, tile: Tile, track: Track, known: int) -> int:
    """Return the first tick at whose end what somebody does may be seen from the tile.

    What they do after the tick `known` is not known.
    """
    other_tile = track.tile_at(known)
    if other_tile is None:
        return known
    seen_from = constants.settings.vision + constants.reach
    return known + max(0, chebyshev(tile, other_tile) - seen_from) // SPEED


def _next_change(track: Track, tick: int) -> int:
    """Return the next tick at whose end somebody is elsewhere or does else."""
    return tick + 1 if track.walks_after(tick) else track.next_start(tick)


def _noticed_anew(constants: Constants, acquainted: Acquainted, other: str) -> int:
    """Return the tick at whose end even what has not changed would be news."""
    seen = acquainted.people.get(other)
    return 0 if seen is None else seen.tick + constants.attention.retention_ticks
