"""All of Smallville lives a day: twenty-five people, each in a way that fits them (P1, W5).

One seed here, because a day takes a while; `python -m benchmarks.days_of_seeds` holds any
seeds to the same checks.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.history import DayRecord, read_day_record
from apps.simulation.engine import lifecycle
from tests.support.towns import found, live
from tests.support.whole_day import CHECKS, UNTIL
from tools.stories.day_query import read_day
from tools.stories.story import write_story

# Without the mark there is no database when this file is run by itself.
pytestmark = pytest.mark.django_db

STORIES = Path(__file__).parents[2] / "docs" / "stories"
TOLD = ("isabella-rodriguez", "klaus-mueller")
TOLD_UNTIL = "2023-02-14T07:00"


@dataclass(frozen=True, slots=True)
class SimulatedDay:
    """The day as it was lived, and the stories told of it."""

    lived: DayRecord
    stories: dict[str, str]


@pytest.fixture(scope="module")
def town(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> SimulatedDay:
    """Let everybody live from midnight to the next morning; one run for all tests."""
    with django_db_blocker.unblock():
        row = live(found(seed=7, agents=None), UNTIL)
        lived = read_day_record(row.pk, wiring.ports().worlds)
        live(row, TOLD_UNTIL)
        stories = {agent: write_story(read_day(row.pk, agent)) for agent in TOLD}
        lifecycle.delete_simulation(wiring.ports(), row.pk)
    return SimulatedDay(lived, stories)


class TestTheDay:
    @pytest.mark.parametrize("check", CHECKS)
    def test_is_one_on_which_people(self, town: SimulatedDay, check: str) -> None:
        assert CHECKS[check](town.lived) == []


class TestTheStories:
    @pytest.mark.parametrize("agent", TOLD)
    def test_are_those_of_the_day(self, town: SimulatedDay, agent: str) -> None:
        # Written anew as docs/stories/README.md says, whenever people live otherwise.
        assert (STORIES / f"{agent}.md").read_text("utf-8") == town.stories[agent]
