"""Which turns are ready while an agent that is behind has a turn in work."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

import pytest

from apps.dialogue.utterances import Talk, Voices
from apps.kernel.game_time import FOREVER_TICK, GameCalendar
from apps.kernel.ordered import OrderedByKey
from apps.simulation.engine.agent_clocks import AgentClock, AgentClocks
from apps.simulation.engine.lookahead import DistanceLookahead, LockStep, LookaheadPolicy
from apps.simulation.engine.ready_queue import ReadyQueue
from apps.simulation.ports import Constants
from apps.simulation.settings import SimulationSettings
from apps.simulation.snapshot.perception import Acquainted
from apps.simulation.snapshot.tile_index import TileIndex, box_around
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.tile_map import Room, Tile
from tests.support.builders import standing, tracked_action
from tests.support.worlds import smallville

WORLD = smallville()
VISION, NOW, RING_TICKS = 4, 101, 12
REACH = 1 + WORLD.widest_shared
NEAR = VISION + REACH
HERE = (20, 50)
GATE = DistanceLookahead(vision=VISION, reach=REACH)


def to_the_right(tiles: int) -> Tile:
    return (HERE[0] + tiles, HERE[1])


def is_ready(
    tick: int,
    *,
    distance: int,
    others: Iterable[int] = (),
    phones: bool = False,
    by_phone: bool | None = None,
    gate: LookaheadPolicy = GATE,
) -> bool:
    """Return whether Ben, so far from Ada, may take his turn while she takes hers of NOW.

    Nothing is due for the `others`, at their distances from Ada, of whom Ben may be heard.
    """
    snapshot = WorldSnapshot(world=WORLD, seed=7)
    idle = {f"other-{at}": at for at in others}
    places = {"ada": 0, "ben": distance, **idle}
    snapshot.replace_tracks(
        standing(
            agent,
            to_the_right(at),
            tracked_action(
                "busy",
                from_tick=0,
                until_tick=tick if agent == "ben" else FOREVER_TICK,
                asleep=agent in idle,
            ),
        )
        for agent, at in places.items()
    )
    if by_phone is not None:
        talk = Talk(
            agent="ada",
            conversation="100/ada",
            other="ben",
            from_tick=100,
            to_tick=None,
            by_phone=by_phone,
        )
        snapshot.replace_voices(Voices(spoken=(), talks=(talk,)), of=["ada"])
    constants = Constants(
        simulation_id=UUID(int=1),
        world=replace(WORLD, phones=phones),
        seed=7,
        calendar=GameCalendar(start=datetime(2024, 6, 3), tick_seconds=10),
        settings=SimulationSettings(vision=VISION),
    )
    clocks = AgentClocks(
        OrderedByKey(
            (
                agent,
                AgentClock(
                    agent=agent,
                    tick=NOW,
                    acquainted=Acquainted(agents={}, objects={}),
                    in_work=agent == "ada",
                ),
            )
            for agent in places
        )
    )
    ready = list(ReadyQueue(constants, gate, clocks, snapshot).advance(FOREVER_TICK - 1))
    assert {turn.agent for turn in ready} <= {"ben"}
    return bool(ready)


def latest_ready(**setting: object) -> int:
    """Return the last tick at which Ben's turn is ready."""
    ticks = range(NOW, NOW + 90)
    ready = [tick for tick in ticks if is_ready(tick, **setting)]  # type: ignore[arg-type]
    assert ready == list(range(NOW, NOW + len(ready)))
    return ready[-1]


@pytest.mark.parametrize("tiles", [1, NEAR, NEAR + 1, NEAR + 2, NEAR + 40])
def test_an_agent_runs_ahead_by_the_time_that_the_other_needs_to_come(tiles: int) -> None:
    assert latest_ready(distance=tiles) == NOW + max(0, tiles - NEAR - 1)


def test_an_agent_between_carries_on_what_it_perceives() -> None:
    # It perceives at NOW + 2 what Ada can have done at NOW, and Ben at NOW + 4 what it does.
    assert latest_ready(distance=2 * NEAR + 4, others=[NEAR + 2]) == NOW + 3
    assert latest_ready(distance=2 * NEAR + 4, others=[NEAR * 3]) == NOW + NEAR + 3


def test_all_wait_in_lock_step() -> None:
    assert latest_ready(distance=100, gate=LockStep()) == NOW


def test_a_telephone_rings_at_any_distance() -> None:
    assert latest_ready(distance=100, phones=True) == NOW + RING_TICKS - 1
    assert latest_ready(distance=100, phones=True, by_phone=False) == NOW + RING_TICKS - 1


def test_the_two_of_a_call_stay_together() -> None:
    assert latest_ready(distance=100, phones=True, by_phone=True) == NOW


class TestTileIndex:
    def test_finds_those_within_the_distance(self) -> None:
        index = TileIndex()
        for agent, tile in {"ada": (0, 0), "ben": (40, 3), "cem": (3, 41), "dov": None}.items():
            index.place(agent, tile)
        assert index.within(box_around((0, 0), 39)) == ["ada", "dov"]
        assert index.within(box_around((0, 0), 40)) == ["ada", "ben", "dov"]
        assert index.within(box_around((0, 0), 999)) == index.within(None)
        index.place("ben", (2, 2))
        assert index.within(box_around((1, 1), 1)) == ["ada", "ben", "dov"]
        assert index.within(box_around((40, 3), 9)) == ["dov"]

    def test_finds_those_beside_a_room(self) -> None:
        index, hall = TileIndex(), Room(area="hall", left=0, top=0, right=30, bottom=4)
        index.place("ada", (33, 5))
        assert index.within(box_around((1, 2), 9, hall, 2)) == []
        assert index.within(box_around((1, 2), 9, hall, 3)) == ["ada"]
