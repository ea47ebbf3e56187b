"""A fork over HTTP: created, read at every moment like its parent, compared, deleted."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from apps import wiring
from apps.access.commands import issue_token
from apps.eventlog.store import log_sha256
from apps.simulation.engine import lease, lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem
from tests.acceptance.api.test_past_moments import read_all

AT_TICK, LATER_TICK = 2_600, 2_760
BODY = {"at": AT_TICK, "name": "Once more"}


@pytest.fixture(autouse=True)
def one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no thread renew a lease: its connection would not see the transaction of the test."""
    monkeypatch.setattr(lease.Lease, "_renew", lambda _lease: None)


def forked(caller: Caller, town: str, **changes: Any) -> dict[str, Any]:
    """Fork the simulation; return the branch as it is represented."""
    response = caller.post(f"{town}/forks", BODY | changes)
    assert response.status_code == 201, response.content
    shown: dict[str, Any] = response.json()
    assert response["Location"].endswith(f"/simulations/{shown['id']}")
    return shown


def run_on(branch: dict[str, Any], until_tick: int = LATER_TICK) -> SimulationRow:
    """Run the branch as a scheduler would."""
    row = SimulationRow.objects.get(pk=branch["id"])
    lifecycle.request_run(row.pk, until_tick=until_tick)
    run_until_rest(wiring.ports(), row.pk, RunOptions())
    row.refresh_from_db()
    assert row.committed_tick == until_tick, row.reason
    return row


class TestAFork:
    def test_names_its_parent_and_waits(
        self, lived: SimulationRow, town: str, isabella: Caller
    ) -> None:
        branch = forked(isabella, town)
        assert branch["parent"]["id"] == str(lived.pk)
        assert branch["parent"]["clock"] == branch["clock"]
        assert (branch["clock"]["tick"], branch["status"]) == (AT_TICK, "paused")
        assert (branch["name"], branch["seed"], branch["calls"]) == ("Once more", 7, 0)
        assert isabella.get(town).json()["parent"] is None
        [listed] = isabella.get(f"{town}/forks").json()["results"]
        assert listed["id"] == branch["id"]
        assert listed["forked_at"]["tick"] == AT_TICK

    def test_is_read_at_every_moment_like_its_parent(self, town: str, isabella: Caller) -> None:
        address = f"/simulations/{forked(isabella, town)['id']}"
        for tick in (0, 2_400, AT_TICK):
            of_branch, of_parent = (
                read_all(isabella, simulation, at=tick) for simulation in (address, town)
            )
            assert of_branch.keys() == of_parent.keys()
            for what, shown in of_parent.items():
                if what != "/costs {}":  # a branch has paid nothing
                    assert of_branch[what] == shown, what

    def test_goes_on_as_its_parent_did(
        self, lived: SimulationRow, town: str, isabella: Caller
    ) -> None:
        branch = forked(isabella, town)
        row = run_on(branch)
        assert log_sha256(row.pk) == log_sha256(lived.pk, until_tick=LATER_TICK)
        compared = isabella.get(f"{town}/comparisons/{branch['id']}").json()
        assert compared["first_difference"] is None
        assert compared["has_common_past"]

    def test_begins_with_interventions(self, town: str, isabella: Caller) -> None:
        voice = {
            "kind": "inner-voice",
            "agent": "isabella-rodriguez",
            "text": "You are too tired to give a party",
        }
        state = {
            "kind": "set-object-state",
            "object": "Hobbs Cafe: cafe: coffee machine",
            "text": "leaking on the floor",
        }
        branch = forked(isabella, town, interventions=[voice, state])
        run_on(branch)
        compared = isabella.get(f"{town}/comparisons/{branch['id']}").json()
        assert compared["common_until"]["tick"] == AT_TICK
        assert compared["first_difference"]["event"].startswith(f"{AT_TICK + 1}/commands/")
        assert "isabella-rodriguez" in {one["agent"] for one in compared["agents"]}

    def test_can_have_another_seed_and_other_settings(
        self, town: str, isabella: Caller
    ) -> None:
        branch = forked(isabella, town, seed=11, settings={"vision": 5})
        shown = isabella.get(f"/simulations/{branch['id']}/settings").json()
        assert (shown["seed"], shown["vision"]) == (11, 5)
        assert isabella.get(f"{town}/settings").json()["vision"] != 5

    def test_takes_the_right_to_read_and_is_the_requesters(
        self, town: str, isabella: Caller, guest: Caller
    ) -> None:
        branch = forked(guest, town)
        assert branch["role"] == "owner"
        address = f"/simulations/{branch['id']}"
        problem(isabella.get(address), 404, "simulation-unknown")
        assert isabella.get(f"{town}/forks").json()["results"] == []
        assert guest.post(f"{address}/pause", {}).status_code == 202

    def test_takes_a_token_that_may_write(self, town: str, isabella: Caller) -> None:
        user = User.objects.get(username="isabella")
        reader = Caller(token=issue_token(user, "to read", reads_only=True))
        problem(reader.post(f"{town}/forks", BODY), 403, "not-allowed")
        assert isabella.get(f"{town}/forks").json()["results"] == []

    def test_is_refused_to_strangers(self, town: str, klaus: Caller) -> None:
        problem(klaus.post(f"{town}/forks", BODY), 404, "simulation-unknown")

    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"at": 999_999}, "invalid-request"),
            ({"interventions": [{"kind": "inner-voice", "text": "Rest"}]}, "invalid-request"),
            ({"settings": {"tick_seconds": 20}}, "cannot-fork"),
            ({"settings": {"hurry": 1}}, "unusable-settings"),
            ({"model": "nowhere"}, "unknown-model"),
        ],
    )
    def test_rejects_what_no_branch_can_be(
        self, town: str, isabella: Caller, changes: dict[str, Any], code: str
    ) -> None:
        problem(isabella.post(f"{town}/forks", BODY | changes), 422, code)
        assert isabella.get(f"{town}/forks").json()["results"] == []

    def test_rejects_all_with_one_unknown_agent(self, town: str, isabella: Caller) -> None:
        voice = {"kind": "inner-voice", "agent": "nobody-here", "text": "Rest"}
        problem(
            isabella.post(f"{town}/forks", BODY | {"interventions": [voice]}),
            404,
            "agent-unknown",
        )
        assert isabella.get(f"{town}/forks").json()["results"] == []


class TestADeletion:
    def test_of_a_parent_counts_its_branches(self, town: str, isabella: Caller) -> None:
        forked(isabella, town)
        document = problem(isabella.delete(town), 409, "has-branches")
        assert "this simulation: 1;" in document["detail"]
        # A branch may be a private simulation of another user.
        assert "Once more" not in document["detail"]

    def test_keeps_the_past_of_branches_on_request(self, town: str, isabella: Caller) -> None:
        address = f"/simulations/{forked(isabella, town)['id']}"
        events = isabella.everything(f"{address}/events", limit=500)
        assert isabella.delete(f"{town}?keep_branches=true").status_code == 204
        problem(isabella.get(town), 404, "simulation-unknown")
        assert isabella.everything(f"{address}/events", limit=500) == events
        assert isabella.delete(address).status_code == 204
        problem(isabella.get(address), 404, "simulation-unknown")
