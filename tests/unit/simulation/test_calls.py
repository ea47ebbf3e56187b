"""Calls bound how far agents run ahead of one another."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.dialogue.utterances import Talk, Voices
from apps.kernel.game_time import FOREVER_TICK, GameCalendar
from apps.simulation.engine.agent_clocks import AgentClock, reached_by_calls
from apps.simulation.ports import Constants
from apps.simulation.settings import SimulationSettings
from apps.simulation.snapshot.perception import Acquainted
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from tests.support.builders import spoken_by
from tests.support.turns import ADA, BEN, COTTAGE

RING_TICKS = 12
OPENING = spoken_by(ADA, BEN, "Hello?", tick=100, conversation="100/ada", by_phone=True)


def constants(*, phones: bool) -> Constants:
    return Constants(
        simulation_id=UUID(int=1),
        world=replace(COTTAGE, phones=phones),
        seed=7,
        calendar=GameCalendar(start=datetime(2024, 6, 3), tick_seconds=10),
        settings=SimulationSettings(),
    )


def limit(*, phones: bool, by_phone: bool | None = None) -> int:
    """Return how far Ben may run ahead of Ada at tick 101, who may be in a conversation."""
    snapshot = WorldSnapshot(world=COTTAGE, seed=7)
    if by_phone is not None:
        talk = Talk(
            agent=ADA,
            conversation="100/ada",
            other=BEN,
            from_tick=100,
            to_tick=None,
            by_phone=by_phone,
        )
        snapshot.replace_voices(Voices(spoken=(), talks=(talk,)), of=[ADA])
    ben, ada = (
        AgentClock(agent=agent, tick=tick, acquainted=Acquainted(agents={}, objects={}))
        for agent, tick in ((BEN, 90), (ADA, 101))
    )
    return reached_by_calls(constants(phones=phones), snapshot, ben, ada)


def test_without_telephones_there_is_no_bound() -> None:
    assert limit(phones=False) == FOREVER_TICK


def test_an_agent_that_may_call_is_not_left_behind_by_more_than_the_ring() -> None:
    # A call of Ada's tick 101 reaches Ben at 113, which he has not taken.
    assert limit(phones=True) == 101 + RING_TICKS - 1
    assert limit(phones=True, by_phone=False) == 101 + RING_TICKS - 1


def test_the_two_of_a_call_stay_together() -> None:
    assert limit(phones=True, by_phone=True) == 101


def test_the_words_that_open_a_call_are_heard_when_it_has_rung() -> None:
    in_a_world = constants(phones=True)
    assert in_a_world.said_in_full_tick(OPENING) == 100 + RING_TICKS + 1
    assert in_a_world.said_in_full_tick(replace(OPENING, number=2)) == 101
