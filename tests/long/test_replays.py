"""Days and a morning are replayed: later days change nothing of earlier turns (V5).

The second day of Smallville has a day before and a day after it, each with its night. A world
of two rooms is replayed in tests/simulation/test_a_tiny_world.py.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from apps import wiring
from apps.replays.comparison import replay
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import run_until_rest
from apps.world.folders import WorldFolders
from tests.support.towns import EIGHT_THREADS, THREE, found

pytestmark = pytest.mark.django_db(transaction=True)

MORNING = 9 * 60  # minutes; all are up by then
TEST_WORLDS = Path(__file__).parents[1] / "worlds"


@pytest.mark.parametrize(
    ("world", "preset", "days"), [("muehlbach", "economy", 1), ("smallville", "standard", 2)]
)
def test_days_are_led_to_again(world: str, preset: str, days: int) -> None:
    ports = wiring.ports()
    if world != "smallville":
        ports = replace(ports, worlds=WorldFolders(TEST_WORLDS))
    row = found(
        world=world,
        agents=THREE if world == "smallville" else None,
        ports=ports,
        settings={"preset": preset},
    )
    calendar = queries.calendar_of(row.pk)
    lifecycle.request_run(
        row.pk, until_tick=calendar.ticks_of(minutes=days * 24 * 60 + MORNING)
    )
    run_until_rest(ports, row.pk, EIGHT_THREADS)
    row.refresh_from_db()
    *_, found_again = replay(ports, row.pk, from_tick=0, to_tick=row.committed_tick)
    assert (found_again.divergence, found_again.changed_call) == (None, "")
    assert found_again.tick > calendar.ticks_of(minutes=days * 24 * 60)
