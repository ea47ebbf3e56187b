"""A morning is read as of past moments: what was read then, and nothing of what came later."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django.plugin import DjangoDbBlocker

from apps import wiring
from apps.api.http.simulation_views import AsOf, SimulationView
from apps.api.urls import views
from apps.kernel.game_time import GameCalendar
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, caller_of, problem
from tests.support.towns import found, live, set_object

PEOPLE = ("Isabella Rodriguez", "Maria Lopez", "Klaus Mueller", "John Lin", "Eddy Lin")
FIRST_TICK, LAST_TICK = 2_400, 4_000
MOMENTS = sorted(random.Random(14).sample(range(FIRST_TICK, LAST_TICK), 5))
MACHINE = "Hobbs Cafe: cafe: coffee machine"
# What a user can read only as it is now: rights, commands, controls, and what never changes.
NOW_ONLY = {
    "compareSimulations", "exportSimulation", "followEvents", "getCommand",
    "getCostEstimate", "getCounterfactual", "getEmbodiment", "getInterview", "getMap",
    "getMapImage", "getModelTrial", "getNewsSearch", "getNextRankingTask", "getRanking",
    "getRankingFigure", "getRankingReport", "getReplay", "getSettings", "getSimulation",
    "getSurvey", "getVerifiedDiffusion", "listCommands", "listCounterfactuals",
    "listEmbodiments", "listForks", "listInterviews", "listJudgements", "listMembers",
    "listModelTrialAnswers", "listModelTrials", "listNewsSearches", "listPlots",
    "listRankingTasks", "listRankings", "listReplays",
    "listSurveyInterviews", "listSurveys", "listWrittenAnswers", "recordSimulation",
}  # fmt: skip

Reads = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Morning:
    """A simulation, and what was read of it at each of its stops, by tick and address."""

    row: SimulationRow
    then: dict[int, Reads]

    @property
    def path(self) -> str:
        """The address of the simulation."""
        return f"/simulations/{self.row.pk}"

    @property
    def calendar(self) -> GameCalendar:
        """The calendar of the simulation."""
        return queries.calendar_of(self.row.pk)


@pytest.fixture(scope="module")
def morning(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Morning]:
    """Let five people live a morning with stops, and read everything at each of them."""
    with django_db_blocker.unblock():
        reader = User.objects.create_superuser("a reader of mornings")
        caller = caller_of(reader)
        row = found(agents=PEOPLE)
        calendar, then = queries.calendar_of(row.pk), {}
        for tick in MOMENTS:
            live(row, calendar.time_at(tick).isoformat())
            then[tick] = read_all(caller, f"/simulations/{row.pk}")
            if tick == MOMENTS[1]:  # from then on users take part
                set_object(row, MACHINE, "leaking on the floor")
        live(row, calendar.time_at(LAST_TICK).isoformat())
    yield Morning(row, then)
    with django_db_blocker.unblock():
        lifecycle.delete_simulation(wiring.ports(), row.pk)
        reader.delete()


@pytest.fixture
def reader(db: None) -> Caller:
    """Return a caller that may read all simulations."""
    return caller_of(User.objects.create_superuser("a reader"))


def read_all(caller: Caller, simulation: str, **at: Any) -> Reads:
    """Return every answer about the simulation, by address; of lists all pages."""
    found: Reads = {}

    def read(address: str, **query: Any) -> Any:
        response = caller.get(f"{simulation}{address}", **query, **at)
        assert response.status_code == 200, (address, response.content)
        shown = found[f"{address} {query}"] = response.json()
        return shown

    def read_list(address: str, **query: Any) -> list[Any]:
        found[f"{address} {query}"] = caller.everything(
            f"{simulation}{address}", limit=100, **query, **at
        )
        results: list[Any] = found[f"{address} {query}"]
        return results

    read("/state").pop("status", None)  # whether it runs is no part of the history
    read("/world")
    read("/costs")
    read("/model-calls/outcomes")
    for measure in ("/quality", "/social", "/routines"):
        read(measure)
    read_list("/utterances")
    read_list("/memories")
    read_list("/relationships")
    read("/relationships")
    for call in read_list("/model-calls")[-2:]:
        read(f"/model-calls/{call['id']}")
    for talk in read_list("/conversations"):
        read(f"/conversations/{talk['id']}")
    read_list("/conversations", open=True)
    for event in read_list("/events")[-5:]:
        read(f"/events/{event['id']}")
        read(f"/events/{event['id']}/provenance")
    for agent in read_list("/agents"):
        _read_agent(read, read_list, f"/agents/{agent['slug']}")
    return found


def _read_agent(read: Any, read_list: Any, agent: str) -> None:
    for resource in ("", "/summary", "/plan"):
        read(f"{agent}{resource}")
    for resource in ("/known-places", "/timeline", "/reflections", "/facts"):
        read_list(f"{agent}{resource}")
    read_list(f"{agent}/facts", current=True)
    read_list(f"{agent}/memories", order="-last_retrieved_at")
    for memory in read_list(f"{agent}/memories", order="-importance")[:3]:
        read(f"{agent}/memories/{memory['id']}")


class TestAPastMoment:
    @pytest.mark.parametrize("tick", MOMENTS)
    def test_reads_as_it_was_read_then(
        self, morning: Morning, reader: Caller, tick: int
    ) -> None:
        now = read_all(reader, morning.path, at=tick)
        then = morning.then[tick]
        assert now.keys() == then.keys()
        for address, shown in then.items():
            assert now[address] == shown, address

    def test_differs_from_the_present(self, morning: Morning, reader: Caller) -> None:
        present = read_all(reader, morning.path)
        first, last = morning.then[MOMENTS[0]], morning.then[MOMENTS[-1]]
        for address in ("/state {}", "/events {}", "/memories {}", "/costs {}"):
            assert first[address] != last[address] != present[address], address

    def test_can_be_named_by_a_game_time(self, morning: Morning, reader: Caller) -> None:
        tick = MOMENTS[2]
        time = morning.calendar.time_at(tick).isoformat()
        by_time = reader.get(f"{morning.path}/state", at=time)
        assert by_time.json()["clock"] == {"tick": tick, "time": time}
        assert "status" not in by_time.json()

    def test_is_that_of_all_pages(self, morning: Morning, reader: Caller) -> None:
        page = reader.get(f"{morning.path}/events", at=MOMENTS[0], limit=5).json()
        assert f"at={MOMENTS[0]}" in page["next"]

    def test_ranks_memories_as_they_were_ranked_then(
        self, morning: Morning, reader: Caller
    ) -> None:
        address = f"{morning.path}/agents/isabella-rodriguez/retrievals"
        query = {"query": "Valentine's Day party", "limit": 5}
        first, last = (
            reader.post(address, query | {"at": tick}).json()
            for tick in (MOMENTS[0], LAST_TICK)
        )
        assert first["clock"]["tick"] == MOMENTS[0]
        assert [one["score"] for one in first["results"]] != [
            one["score"] for one in last["results"]
        ]

    def test_must_be_committed(self, morning: Morning, reader: Caller) -> None:
        document = problem(
            reader.get(f"{morning.path}/state", at=LAST_TICK + 1), 422, "invalid-request"
        )
        [error] = document["errors"]
        assert (error["parameter"], error["code"]) == ("at", "not-committed")
        assert str(LAST_TICK) in error["detail"]

    def test_must_be_a_moment(self, morning: Morning, reader: Caller) -> None:
        document = problem(
            reader.get(f"{morning.path}/agents", at="noon"), 422, "invalid-request"
        )
        assert document["errors"][0]["parameter"] == "at"

    def test_has_only_agents_that_had_joined(self, morning: Morning, reader: Caller) -> None:
        assert reader.get(f"{morning.path}/agents/eddy-lin", at=0).status_code == 200
        problem(reader.get(f"{morning.path}/agents/nobody-here", at=0), 404, "agent-unknown")


class TestAPageOfThePast:
    def test_can_be_kept_for_ever(self, morning: Morning, reader: Caller) -> None:
        page = reader.get(f"{morning.path}/memories", at=MOMENTS[0])
        assert "immutable" in page["Cache-Control"]
        assert "Authorization" in page["Vary"]
        again = reader.client.get(
            page.wsgi_request.get_full_path(),
            headers={**reader.headers, "If-None-Match": page["ETag"]},
        )
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == page["ETag"]

    def test_is_checked_again_where_later_requests_count(
        self, morning: Morning, reader: Caller
    ) -> None:
        costs = reader.get(f"{morning.path}/costs", at=MOMENTS[0])
        assert "no-cache" in costs["Cache-Control"]
        assert costs["ETag"]

    def test_is_not_the_present(self, morning: Morning, reader: Caller) -> None:
        page = reader.get(f"{morning.path}/memories")
        assert "immutable" not in page["Cache-Control"]


def test_every_resource_of_a_history_can_be_read_as_of_a_moment() -> None:
    """See that a new view below a simulation decides whether it has a past (V3)."""
    now_only = {
        view.operation_ids()[0]
        for view in views()
        if issubclass(view, SimulationView)
        and hasattr(view, "get")
        and not issubclass(view.query, AsOf)
    }
    assert now_only == NOW_ONLY
