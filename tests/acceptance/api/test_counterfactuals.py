"""A counterfactual over HTTP: requested, run by a scheduler, compared by a worker, deleted."""

from typing import Any
from uuid import UUID

import pytest

from apps import wiring
from apps.counterfactuals.commands import COUNTERFACTUALS
from apps.llm.models import ModelCallRow
from apps.simulation.engine import lease, lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lifecycle import TooManyRunning
from apps.simulation.models import SimulationRow, Status
from tests.acceptance.api.calling import Caller, accepted, problem

AT_TICK, UNTIL_TICK = 2_600, 2_760
VOICE = {
    "kind": "inner-voice",
    "agent": "isabella-rodriguez",
    "text": "You are too tired to give a party",
}
BODY = {"at": AT_TICK, "until": UNTIL_TICK, "name": "Without a party", "interventions": [VOICE]}


@pytest.fixture(autouse=True)
def one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no thread renew a lease: its connection would not see the transaction of the test."""
    monkeypatch.setattr(lease.Lease, "_renew", lambda _lease: None)


@pytest.fixture
def counterfactuals(town: str) -> str:
    """Return the address of the counterfactuals of the simulation."""
    return f"{town}/counterfactuals"


def requested(caller: Caller, address: str, **changes: Any) -> dict[str, Any]:
    """Request a counterfactual; return it as it was accepted."""
    return accepted(caller.post(address, BODY | changes))


def work(running_max: int = 0) -> None:
    """Do what workers do with the counterfactuals that wait."""
    for counterfactual_id in COUNTERFACTUALS.ids():
        COUNTERFACTUALS.carry_out(wiring.ports(), counterfactual_id, running_max=running_max)


def run_all() -> None:
    """Do what schedulers and workers do with the simulations that run."""
    for row in SimulationRow.objects.filter(status=Status.RUNNING):
        run_until_rest(wiring.ports(), row.pk, RunOptions())


class TestACounterfactual:
    def test_forks_runs_and_compares(
        self, lived: SimulationRow, town: str, counterfactuals: str, isabella: Caller
    ) -> None:
        asked = requested(isabella, counterfactuals, reason="is the party needed?")
        address = f"{counterfactuals}/{asked['id']}"
        assert (asked["state"], asked["agents"]) == ("pending", [])
        assert asked["branch"]["clock"]["tick"] == AT_TICK
        [voice] = asked["interventions"]
        assert voice == VOICE | {"object": None}
        work()
        assert isabella.get(address).json()["state"] == "running"
        run_all()
        work()
        shown = isabella.get(address).json()
        assert (shown["state"], shown["problem"], shown["waits_for"]) == (
            "done",
            None,
            None,
        )
        assert 0 <= shown["calls"]["same"] < shown["calls"]["paid"]
        assert shown["first_difference"].startswith(f"{AT_TICK + 1}/commands/")
        compared = isabella.get(shown["comparison_url"].partition("/api/v1")[2]).json()
        assert compared["until"]["tick"] == UNTIL_TICK
        assert compared["first_difference"]["event"] == shown["first_difference"]
        assert [one["agent"] for one in compared["agents"]] == [
            one["agent"] for one in shown["agents"]
        ]
        [isabella_differs] = [
            one for one in shown["agents"] if one["agent"] == "isabella-rodriguez"
        ]
        assert isabella_differs["through"] == ["commands"]
        [listed] = isabella.get(counterfactuals).json()["results"]
        assert listed == shown
        # The simulation had come so far already: it was not run.
        lived.refresh_from_db()
        assert lived.committed_tick == shown["simulation"]["clock"]["tick"]
        work()
        assert isabella.get(address).json() == shown

    def test_runs_the_simulation_on_if_it_has_to(
        self, lived: SimulationRow, counterfactuals: str, isabella: Caller
    ) -> None:
        until = lived.committed_tick + 30
        asked = requested(isabella, counterfactuals, until=until)
        work()
        run_all()
        work()
        shown = isabella.get(f"{counterfactuals}/{asked['id']}").json()
        assert shown["state"] == "done"
        for one in ("simulation", "branch"):
            assert shown[one]["clock"]["tick"] == until

    def test_without_an_intervention_finds_no_difference(
        self, counterfactuals: str, isabella: Caller
    ) -> None:
        asked = requested(isabella, counterfactuals, interventions=[])
        work()
        run_all()
        work()
        shown = isabella.get(f"{counterfactuals}/{asked['id']}").json()
        assert (shown["state"], shown["first_difference"], shown["agents"]) == (
            "done",
            None,
            [],
        )

    def test_can_be_without_an_agent(
        self, town: str, counterfactuals: str, isabella: Caller
    ) -> None:
        leaving = {"kind": "send-away", "agent": "klaus-mueller"}
        asked = requested(isabella, counterfactuals, interventions=[leaving])
        work()
        run_all()
        work()
        shown = isabella.get(f"{counterfactuals}/{asked['id']}").json()
        assert shown["state"] == "done"
        branch = f"/simulations/{shown['branch']['id']}"
        present = {one["slug"] for one in isabella.everything(f"{branch}/agents")}
        assert present == {"isabella-rodriguez", "maria-lopez"}


class TestWaiting:
    def test_for_a_paused_branch_says_so(self, counterfactuals: str, isabella: Caller) -> None:
        asked = requested(isabella, counterfactuals)
        address, branch = f"{counterfactuals}/{asked['id']}", asked["branch"]["id"]
        work()
        isabella.post(f"/simulations/{branch}/pause", {"reason": "lunch"})
        run_all()
        SimulationRow.objects.filter(pk=branch).update(status=Status.PAUSED)
        work()
        shown = isabella.get(address).json()
        assert shown["state"] == "running"
        assert "lunch" in shown["waits_for"]
        # A worker does not continue what a user has paused; the user does.
        work()
        assert SimulationRow.objects.get(pk=branch).status == Status.PAUSED
        isabella.post(f"/simulations/{branch}/run", {"until": UNTIL_TICK})
        work()
        assert isabella.get(address).json()["state"] == "running"
        run_all()
        work()
        assert isabella.get(address).json()["state"] == "done"

    def test_for_room_among_running_simulations(
        self, lived: SimulationRow, counterfactuals: str, isabella: Caller
    ) -> None:
        _, second = (requested(isabella, counterfactuals) for _ in range(2))
        work(running_max=1)
        shown = isabella.get(f"{counterfactuals}/{second['id']}").json()
        assert shown["state"] == "running"
        assert shown["waits_for"] == "fewer simulations of its owner to run"
        for _ in range(2):
            run_all()
            work(running_max=1)
        run_all()
        work(running_max=1)
        assert isabella.get(f"{counterfactuals}/{second['id']}").json()["state"] == "done"
        assert TooManyRunning.code == "too-many-running"

    def test_ends_with_the_reason_if_it_cannot_be_run(
        self, counterfactuals: str, isabella: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = requested(isabella, counterfactuals)

        def refuse(*_arguments: object, **_named: object) -> None:
            raise lifecycle.CannotRun("no run is possible")

        monkeypatch.setattr("apps.counterfactuals.commands.request_run", refuse)
        with pytest.raises(lifecycle.CannotRun):
            work()
        shown = isabella.get(f"{counterfactuals}/{asked['id']}").json()
        assert shown["state"] == "paused"
        assert shown["problem"] == {"code": "cannot-run", "detail": "no run is possible"}
        assert shown["waits_for"] == "a user who resumes the counterfactual"
        assert COUNTERFACTUALS.ids() == []

    def test_is_resumed_when_the_reason_is_gone(
        self, counterfactuals: str, isabella: Caller
    ) -> None:
        asked = requested(isabella, counterfactuals)
        address = f"{counterfactuals}/{asked['id']}"
        refused = problem(isabella.post(f"{address}/resume", {}), 409, "work-not-paused")
        assert "only a paused one is resumed" in refused["detail"]
        COUNTERFACTUALS.stop(UUID(asked["id"]), "cannot-run", "no run is possible")
        shown = isabella.post(f"{address}/resume", {}).json()
        assert (shown["state"], shown["problem"]) == ("pending", None)
        work()
        shown = isabella.get(address).json()
        assert shown["state"] == "running"
        until = f"2023-02-13T07:40:00 (tick {UNTIL_TICK})"
        assert shown["waits_for"] == f"its simulations to come to {until}"
        work()
        assert isabella.get(address).json()["waits_since"] == shown["waits_since"]


class TestARequest:
    @pytest.mark.parametrize(
        ("changes", "status", "code"),
        [
            ({"until": AT_TICK}, 422, "invalid-request"),
            ({"at": 999_999, "until": 1_000_000}, 422, "invalid-request"),
            ({"interventions": [VOICE | {"agent": "nobody"}]}, 404, "agent-unknown"),
            ({"interventions": [{"kind": "send-away"}]}, 422, "invalid-request"),
            ({"interventions": [VOICE | {"kind": "send-away"}]}, 422, "invalid-request"),
            ({"settings": {"tick_seconds": 20}}, 422, "cannot-fork"),
        ],
    )
    def test_is_rejected_and_leaves_no_branch(
        self,
        town: str,
        counterfactuals: str,
        isabella: Caller,
        changes: dict[str, Any],
        status: int,
        code: str,
    ) -> None:
        problem(isabella.post(counterfactuals, BODY | changes), status, code)
        assert isabella.get(counterfactuals).json()["results"] == []
        assert isabella.get(f"{town}/forks").json()["results"] == []

    def test_of_a_reader_does_not_run_the_simulation(
        self, lived: SimulationRow, counterfactuals: str, isabella: Caller, guest: Caller
    ) -> None:
        later = BODY | {"until": lived.committed_tick + 10}
        problem(guest.post(counterfactuals, later), 403, "not-allowed")
        asked = requested(guest, counterfactuals)
        # The branch is the guest's: others neither see it nor the counterfactual.
        problem(isabella.get(f"{counterfactuals}/{asked['id']}"), 404, "work-unknown")
        assert isabella.get(counterfactuals).json()["results"] == []
        [listed] = guest.get(counterfactuals).json()["results"]
        assert listed["id"] == asked["id"]


class TestADeletion:
    def test_leaves_the_branch(self, town: str, counterfactuals: str, isabella: Caller) -> None:
        asked = requested(isabella, counterfactuals)
        address = f"{counterfactuals}/{asked['id']}"
        assert isabella.delete(address).status_code == 204
        work()
        [branch] = isabella.get(f"{town}/forks").json()["results"]
        assert branch["status"] == "paused"

    def test_of_the_branch_deletes_the_counterfactual(
        self, counterfactuals: str, isabella: Caller
    ) -> None:
        asked = requested(isabella, counterfactuals)
        branch = f"/simulations/{asked['branch']['id']}"
        assert isabella.delete(branch).status_code == 204
        assert isabella.get(counterfactuals).json()["results"] == []
        work()


class TestAnEstimate:
    def test_names_the_agents_that_can_be_reached(
        self, lived: SimulationRow, counterfactuals: str, isabella: Caller
    ) -> None:
        response = isabella.post(f"{counterfactuals}/estimate", BODY)
        assert response.status_code == 200, response.content
        shown = response.json()
        first = shown["agents"][0]
        assert (first["agent"], first["clock"]["tick"]) == ("isabella-rodriguez", AT_TICK + 1)
        reached = {one["agent"] for one in shown["agents"]}
        assert reached.isdisjoint(shown["unreached"])
        assert len(reached) + len(shown["unreached"]) == 3
        made = ModelCallRow.objects.filter(
            simulation_id=lived.pk, tick__gt=AT_TICK, tick__lte=UNTIL_TICK
        ).count()
        assert shown["new"]["calls"] + shown["reused"]["calls"] == made
        assert (shown["later"]["calls"], shown["reuses_answers"]) == (0, True)
        assert isabella.get(counterfactuals).json()["results"] == []

    def test_leaves_out_interviews_since_the_fork(
        self, town: str, counterfactuals: str, isabella: Caller
    ) -> None:
        before = isabella.post(f"{counterfactuals}/estimate", BODY).json()
        question = {"question": "Is there a party?", "at": UNTIL_TICK}
        asked = isabella.post(f"{town}/agents/isabella-rodriguez/interviews", question)
        assert asked.json()["model_calls"]
        assert isabella.post(f"{counterfactuals}/estimate", BODY).json() == before

    def test_agrees_with_what_happens(self, counterfactuals: str, isabella: Caller) -> None:
        estimated = isabella.post(f"{counterfactuals}/estimate", BODY).json()
        asked = requested(isabella, counterfactuals)
        work()
        run_all()
        work()
        shown = isabella.get(f"{counterfactuals}/{asked['id']}").json()
        since = {one["agent"]: one["clock"]["tick"] for one in estimated["agents"]}
        for one in shown["agents"]:
            assert since[one["agent"]] <= one["clock"]["tick"]

    def test_with_another_seed_uses_no_answer_again(
        self, counterfactuals: str, isabella: Caller
    ) -> None:
        shown = isabella.post(f"{counterfactuals}/estimate", BODY | {"seed": 8}).json()
        assert not shown["reuses_answers"]
        assert shown["reused"]["calls"] == 0
        assert shown["unreached"] == []

    def test_beyond_the_log_rests_on_days_so_far(
        self, lived: SimulationRow, counterfactuals: str, isabella: Caller
    ) -> None:
        body = BODY | {"until": lived.committed_tick + 8_640}
        shown = isabella.post(f"{counterfactuals}/estimate", body).json()
        assert shown["log_until"]["tick"] == lived.committed_tick
        assert shown["later"]["calls"] > 0

    def test_of_an_object_reaches_who_uses_it(
        self, counterfactuals: str, isabella: Caller
    ) -> None:
        state = {
            "kind": "set-object-state",
            "object": "Hobbs Cafe: cafe: coffee machine",
            "text": "leaking on the floor",
        }
        body = BODY | {"interventions": [state]}
        shown = isabella.post(f"{counterfactuals}/estimate", body).json()
        assert all(one["clock"]["tick"] > AT_TICK for one in shown["agents"])
        unknown = BODY | {"interventions": [state | {"object": "a unicorn"}]}
        problem(isabella.post(f"{counterfactuals}/estimate", unknown), 422, "unknown-place")

    def test_of_an_unknown_agent_is_rejected(
        self, counterfactuals: str, isabella: Caller
    ) -> None:
        body = BODY | {"interventions": [VOICE | {"agent": "nobody"}]}
        problem(isabella.post(f"{counterfactuals}/estimate", body), 404, "agent-unknown")
