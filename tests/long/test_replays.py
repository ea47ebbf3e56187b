"""Four days of several worlds are replayed: later days change nothing of earlier turns (V5)."""

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

DAYS = 4
TEST_WORLDS = Path(__file__).parents[1] / "worlds"


@pytest.mark.parametrize(
    ("world", "preset"),
    [("two_rooms", "economy"), ("muehlbach", "standard"), ("smallville", "standard")],
)
def test_four_days_are_led_to_again(world: str, preset: str) -> None:
    ports = wiring.ports()
    if world != "smallville":
        ports = replace(ports, worlds=WorldFolders(TEST_WORLDS))
    row = found(
        world=world,
        agents=THREE if world == "smallville" else None,
        ports=ports,
        settings={"preset": preset},
    )
    lifecycle.request_run(
        row.pk, until_tick=queries.calendar_of(row.pk).ticks_of(minutes=DAYS * 24 * 60)
    )
    run_until_rest(ports, row.pk, EIGHT_THREADS)
    row.refresh_from_db()
    *_, found_again = replay(ports, row.pk, from_tick=0, to_tick=row.committed_tick)
    assert (found_again.divergence, found_again.changed_call) == (None, "")
    assert found_again.tick > row.committed_tick * (DAYS - 1) / DAYS
