"""The page of a comparison: of a simulation and its branch, and what only one of them has."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django.plugin import DjangoDbBlocker

from apps import wiring
from apps.access.rights import Role
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.interventions import InnerVoiceBody, request_intervention
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.engine.lifecycle import delete_simulation
from apps.simulation.models import SimulationRow
from tests.acceptance.admin.conftest import Staff, staff_with
from tests.acceptance.admin.reading import Page
from tests.support.towns import live

FORK_TICK = 4_100
QUERIES_MAX = 60
"""A comparison reads two histories: twice the queries of a page, and their differences."""


@pytest.fixture(scope="module")
def branch(lived: SimulationRow, django_db_blocker: DjangoDbBlocker) -> Iterator[SimulationRow]:
    """Give a branch in which Isabella wants to read in the park."""
    with django_db_blocker.unblock():
        spec = ForkSpec(name="In the park", at_tick=FORK_TICK)
        row = fork_simulation(wiring.ports(), lived.pk, spec)
        voice = InnerVoiceBody(text="You want to read a book about dragons in the park")
        request_intervention(row.pk, "isabella-rodriguez", voice, issuer=Issuer(by="a tester"))
        row = live(row, "2023-02-13T12:20")
    yield row
    with django_db_blocker.unblock():
        delete_simulation(wiring.ports(), row.pk)


class TestComparison:
    def test_shows_the_divergence_and_each_agent(
        self, operator: Staff, branch: SimulationRow
    ) -> None:
        page = operator.page(f"comparisons/{branch.pk}/?about=dragons")
        assert "inner voice given" in page
        assert 'id="isabella-rodriguez"' in page
        assert "Plans only here or there" in page
        assert "read a book about dragons in the park" in page
        assert "12:20 pm" in page

    def test_is_linked_from_both_overviews(
        self, operator: Staff, branch: SimulationRow
    ) -> None:
        there = Page(operator.page()).to(f"/comparisons/{branch.pk}/", "compare")
        assert "In the park" in operator.page(there)
        of_branch = Page(operator.page(f"/admin/simulations/{branch.pk}/"))
        back = of_branch.to(f"/comparisons/{operator.simulation.pk}/", "compare")
        assert "Isabella Rodriguez" in operator.page(back)

    def test_of_a_moment_before_the_fork_finds_no_difference(
        self, operator: Staff, branch: SimulationRow
    ) -> None:
        page = operator.page(f"comparisons/{branch.pk}/?at=2023-02-13T09:00:00")
        assert "both histories are the same" in page

    def test_makes_a_bounded_number_of_queries(
        self, operator: Staff, branch: SimulationRow
    ) -> None:
        with CaptureQueriesContext(connection) as captured:
            operator.page(f"comparisons/{branch.pk}/?about=dragons")
        assert len(captured) <= QUERIES_MAX

    def test_is_only_for_readers_of_both(
        self, lived: SimulationRow, branch: SimulationRow, db: None
    ) -> None:
        reader = staff_with(Role.GUEST, lived)
        reader.page(f"comparisons/{branch.pk}/", status=404)
