"""All of Smallville lives a day: twenty-five people, each in a way that fits them (P1, W5)."""

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.simulation import commands
from tests.support import day_checks
from tests.support.lived import Lived, read_lived
from tests.support.smallville_routines import ROUTINES
from tests.support.towns import EIGHT_THREADS, found, live

UNTIL = "2023-02-14T03:00"
CUSTOMERS = {
    "Hobbs Cafe": 8,
    "The Rose and Crown Pub": 3,
    "Harvey Oak Supply Store": 4,
    "The Willows Market and Pharmacy": 4,
}
TURNED_AWAY_AT_MOST = 8


@pytest.fixture(scope="module")
def lived(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Lived:
    """Let everybody live from midnight to three in the night after; one run for all tests."""
    with django_db_blocker.unblock():
        row = live(found(seed=7, people=None), UNTIL, EIGHT_THREADS)
        everything = read_lived(row.pk)
        commands.delete_simulation(wiring.ports(), row.pk)
    return everything


class TestEverybody:
    def test_is_there(self, lived: Lived) -> None:
        assert len(lived.people) == 25

    def test_wakes_and_goes_to_bed_within_an_hour_of_their_hours(self, lived: Lived) -> None:
        assert day_checks.wrong_hours(lived) == []

    def test_eats_three_times_where_one_eats(self, lived: Lived) -> None:
        assert day_checks.unfed(lived) == []

    def test_is_at_work_or_in_class_when_their_routine_says_so(self, lived: Lived) -> None:
        assert day_checks.absent(lived, ROUTINES) == []

    def test_plans_a_day_without_gap_or_overlap(self, lived: Lived) -> None:
        assert day_checks.untiled_plans(lived) == []

    def test_is_turned_away_no_more_than_now_and_then(self, lived: Lived) -> None:
        assert day_checks.often_turned_away(lived, most=TURNED_AWAY_AT_MOST) == []

    def test_does_something_else_every_now_and_then(self, lived: Lived) -> None:
        assert day_checks.monotonous(lived) == []


class TestArtists:
    def test_have_days_of_their_own(self, lived: Lived) -> None:
        artists = [who for who, at in lived.people.items() if "co-living" in at.home]
        assert len(artists) == 5
        assert day_checks.alike(lived, artists) == []


class TestShops:
    @pytest.mark.parametrize("place", CUSTOMERS)
    def test_have_customers(self, lived: Lived, place: str) -> None:
        served = day_checks.customers(lived, place)
        assert (
            len([agent for agent, minutes in served.items() if minutes >= 5])
            >= (CUSTOMERS[place])
        )


class TestNorms:
    def test_keep_everybody_off_the_walls(self, lived: Lived) -> None:
        assert day_checks.on_walls(lived) == []

    def test_let_nobody_be_in_two_places(self, lived: Lived) -> None:
        assert day_checks.leaps(lived) == []
        assert day_checks.in_two_places(lived) == []

    def test_keep_closed_places_closed_but_to_those_who_keep_them(self, lived: Lived) -> None:
        assert day_checks.entered_closed(lived) == []

    def test_empty_a_place_when_it_closes(self, lived: Lived) -> None:
        assert day_checks.stayed_after_closing(lived) == []

    def test_let_no_two_into_a_bathroom_for_one(self, lived: Lived) -> None:
        assert day_checks.shared_rooms(lived) == []
