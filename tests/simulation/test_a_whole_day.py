"""All of Smallville lives a day: twenty-five people, each in a way that fits them (P1, W5).

One seed here, because a day takes a while; `python -m benchmarks.days_of_seeds` holds any
seeds to the same checks.
"""

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.simulation import commands
from tests.support.lived import Lived, read_lived
from tests.support.towns import EIGHT_THREADS, found, live
from tests.support.whole_day import CHECKS, UNTIL

# Without the mark there is no database when this file is run by itself.
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def lived(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Lived:
    """Let everybody live from midnight to three in the night after; one run for all tests."""
    with django_db_blocker.unblock():
        row = live(found(seed=7, people=None), UNTIL, EIGHT_THREADS)
        everything = read_lived(row.pk)
        commands.delete_simulation(wiring.ports(), row.pk)
    return everything


class TestTheDay:
    @pytest.mark.parametrize("check", CHECKS)
    def test_is_one_on_which_people(self, lived: Lived, check: str) -> None:
        assert CHECKS[check](lived) == []
