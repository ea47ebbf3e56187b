"""Two mornings with the same seed are compared: one of them with a fire in the cafe."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django.plugin import DjangoDbBlocker

from apps import wiring
from apps.simulation.engine import lifecycle
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, caller_of, problem
from tests.support.snapshots import simulated
from tests.support.towns import live, set_object

FIRE_FROM, UNTIL = "2023-02-13T08:30", "2023-02-13T10:00"
STOVE = "Hobbs Cafe: cafe: refrigerator"


@dataclass(frozen=True, slots=True)
class Mornings:
    """The same morning without and with a fire, and one of another seed."""

    quiet: SimulationRow
    burning: SimulationRow
    foreign: SimulationRow


@pytest.fixture(scope="module")
def mornings(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Mornings]:
    """Live three mornings."""
    with django_db_blocker.unblock():
        burning = simulated(FIRE_FROM)
        set_object(burning, STOVE, "burning")
        all_of_them = Mornings(
            simulated(UNTIL), live(burning, UNTIL), simulated(FIRE_FROM, seed=8)
        )
    yield all_of_them
    with django_db_blocker.unblock():
        for row in (all_of_them.quiet, all_of_them.burning, all_of_them.foreign):
            lifecycle.delete_simulation(wiring.ports(), row.pk)


@pytest.fixture
def reader(db: None) -> Caller:
    """Return a caller that may read all simulations."""
    return caller_of(User.objects.create_superuser("a reader"))


def compared(
    reader: Caller, one: SimulationRow, other: SimulationRow, **query: Any
) -> dict[str, Any]:
    """Return the comparison of two simulations."""
    response = reader.get(f"/simulations/{one.pk}/comparisons/{other.pk}", **query)
    assert response.status_code == 200, response.content
    shown: dict[str, Any] = response.json()
    return shown


class TestAComparison:
    def test_finds_the_first_difference(self, mornings: Mornings, reader: Caller) -> None:
        shown = compared(reader, mornings.quiet, mornings.burning)
        first = shown["first_difference"]
        assert shown["has_common_past"]
        assert first["event"].split("/")[1] == "commands"
        assert first["one"] is None
        assert first["other"]["data"]["object"] == STOVE
        assert shown["common_until"]["tick"] == first["clock"]["tick"] - 1

    def test_leads_each_agent_back_to_it(self, mornings: Mornings, reader: Caller) -> None:
        shown = compared(reader, mornings.quiet, mornings.burning)
        chains = {one["agent"]: one["chain"] for one in shown["agents"]}
        assert "isabella-rodriguez" in chains  # she keeps the cafe
        for chain in chains.values():
            assert chain[-1]["event"] == shown["first_difference"]["event"]
            assert chain[-1]["named"] is None
            ticks = [link["clock"]["tick"] for link in chain]
            assert ticks == sorted(ticks, reverse=True)

    def test_shows_measures_side_by_side(self, mornings: Mornings, reader: Caller) -> None:
        measures = compared(reader, mornings.quiet, mornings.burning)["measures"]
        assert measures["one"]["agents"] == measures["other"]["agents"] == 3
        assert measures["one"] != measures["other"]

    def test_has_no_difference_before_the_fire(
        self, mornings: Mornings, reader: Caller
    ) -> None:
        shown = compared(reader, mornings.quiet, mornings.burning, until=FIRE_FROM)
        assert (shown["first_difference"], shown["agents"]) == (None, [])
        assert shown["common_until"] == shown["until"]
        assert shown["measures"]["one"] == shown["measures"]["other"]

    def test_is_of_measures_alone_without_a_common_past(
        self, mornings: Mornings, reader: Caller
    ) -> None:
        shown = compared(reader, mornings.quiet, mornings.foreign)
        assert not shown["has_common_past"]
        assert (shown["first_difference"], shown["agents"]) == (None, [])
        assert shown["until"]["time"] == f"{FIRE_FROM}:00"

    def test_needs_a_moment_that_both_have_reached(
        self, mornings: Mornings, reader: Caller
    ) -> None:
        address = f"/simulations/{mornings.quiet.pk}/comparisons/{mornings.foreign.pk}"
        document = problem(reader.get(address, until=UNTIL), 422, "invalid-request")
        assert document["errors"][0]["parameter"] == "until"

    def test_needs_a_role_in_both(
        self, mornings: Mornings, reader: Caller, isabella: Caller
    ) -> None:
        address = f"/simulations/{mornings.quiet.pk}/comparisons"
        problem(isabella.get(f"{address}/{mornings.burning.pk}"), 404, "simulation-unknown")
        problem(reader.get(f"{address}/none"), 404, "other-unknown")

    def test_shows_what_only_one_history_has(self, mornings: Mornings, reader: Caller) -> None:
        shown = compared(reader, mornings.quiet, mornings.burning, about="burning")
        assert shown["knowing"]["one"] == []
        assert "isabella-rodriguez" in shown["knowing"]["other"]
        [isabella] = [one for one in shown["agents"] if one["agent"] == "isabella-rodriguez"]
        assert any("burning" in text for text in isabella["only_other"]["memories"])
        assert isabella["only_one"]["memories"] != isabella["only_other"]["memories"]
        assert isabella["one"]["memories"] > 0
        plain = compared(reader, mornings.quiet, mornings.burning)
        assert plain["knowing"] is None
        assert plain["agents"] == shown["agents"]
