"""When the words of calls are heard."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.kernel.game_time import GameCalendar
from apps.simulation.ports import Constants
from apps.simulation.settings import SimulationSettings
from tests.support.builders import spoken_by
from tests.support.turns import ADA, BEN, COTTAGE

RING_TICKS = 12
OPENING = spoken_by(ADA, BEN, "Hello?", tick=100, conversation="100/ada", by_phone=True)


def constants() -> Constants:
    return Constants(
        simulation_id=UUID(int=1),
        world=replace(COTTAGE, phones=True),
        seed=7,
        calendar=GameCalendar(start=datetime(2024, 6, 3), tick_seconds=10),
        settings=SimulationSettings(),
    )


def test_the_words_that_open_a_call_are_heard_when_it_has_rung() -> None:
    in_a_world = constants()
    assert in_a_world.said_in_full_tick(OPENING) == 100 + RING_TICKS + 1
    assert in_a_world.said_in_full_tick(replace(OPENING, number=2)) == 101
