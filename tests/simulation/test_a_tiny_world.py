"""A day in worlds of two people, written from the guide alone: they wake, eat and sleep."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.simulation.engine import lifecycle
from tests.support import day_checks, sense_checks
from tests.support.lived import Lived, read_lived
from tests.support.towns import found, live
from worlds.drawing.__main__ import main as draw

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "how_to" / "bring_your_own_world.md"
GUIDES_FILE = re.compile(r"^```yaml (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# When three of the four have planned their second day.
UNTIL = "2024-06-04T06:40"
# In a bakery one eats on its bench, and its keeper at the counter.
EATEN_AT = day_checks.EATEN_AT | {"bench", "counter"}
CHECKS = {
    "wake and go to bed at their hours": day_checks.wrong_hours,
    "eat three times": lambda lived: day_checks.unfed(lived, eaten_at=EATEN_AT),
    "sleep at night": sense_checks.sleepless,
    "plan a day without gap or overlap": day_checks.untiled_plans,
    "are turned away no more than now and then": lambda lived: day_checks.often_turned_away(
        lived, most=8
    ),
    "do something else every now and then": sense_checks.monotonous,
    "do not do the same again and again": sense_checks.repetitive,
    "take a moment for what takes a moment": sense_checks.dawdling,
    "keep off the walls": day_checks.on_walls,
    "take one step at a time": day_checks.leaps,
    "are in one place at a time": day_checks.in_two_places,
    "share no room for one": day_checks.shared_rooms,
}


def write_the_guides_world(root: Path) -> Path:
    """Follow the guide: write its files, draw its plans."""
    folder = root / "millbrook"
    (folder / "plans").mkdir(parents=True)
    for name, text in GUIDES_FILE.findall(GUIDE.read_text("utf-8")):
        (folder / name).write_text(text, "utf-8")
    draw([str(folder)])
    return root


@pytest.fixture(scope="module", params=["two_rooms", "millbrook"])
def lived(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Lived:
    """Let both people live from midnight to the next morning."""
    world = request.param
    root = ROOT / "tests" / "worlds"
    if world == "millbrook":
        root = write_the_guides_world(tmp_path_factory.mktemp("worlds"))
    ports = replace(wiring.ports(), worlds_root=root)
    with django_db_blocker.unblock():
        row = live(found(world=world, people=None, ports=ports), UNTIL, ports=ports)
        everything = read_lived(row.pk, worlds_root=root)
        lifecycle.delete_simulation(ports, row.pk)
    return everything


class TestADayOfTwo:
    @pytest.mark.parametrize("check", CHECKS)
    def test_is_one_on_which_they(self, lived: Lived, check: str) -> None:
        assert CHECKS[check](lived) == []
