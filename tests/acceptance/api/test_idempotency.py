"""A request that is sent again under its key is carried out once."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.access.idempotency import delete_old_responses
from apps.access.membership import add_member
from apps.access.models import StoredResponse
from apps.access.rights import Role
from apps.api.http.views import ApiView
from apps.django_support.heartbeat import LAPSE_SECONDS
from apps.simulation.engine.lifecycle import CannotRun
from apps.simulation.models import CommandRow, SimulationRow, Status
from apps.simulation.notifications import SCHEDULERS_CHANNEL
from tests.acceptance.api.calling import Caller, problem
from tests.support.lost import lose_process

FOUNDING = {"name": "a town", "seed": 7, "agents": 1}
ADA = {
    "name": "Ada Finch",
    "age": 22,
    "traits": ["patient"],
    "description": "Ada Finch studies history",
    "hours": {"wake": "07:00", "sleep": "23:00"},
    "home": "Oak Hill College Dorm: Ayesha Khan's room",
}


def keyed(caller: Caller, key: str, method: str, path: str, body: object = None) -> Any:
    """Return the answer to a request under a key."""
    return caller.client.generic(
        method,
        f"/api/v1{path}",
        b"" if body is None else json.dumps(body).encode(),
        content_type="application/json" if body is not None else "",
        headers=caller.headers | {"Idempotency-Key": key},
    )


def towns_founded() -> int:
    """Return how many towns were founded by these tests."""
    return SimulationRow.objects.filter(name=FOUNDING["name"]).count()


class TestFounding:
    def test_twice_under_one_key_founds_one_town(self, isabella: Caller) -> None:
        first = keyed(isabella, "one", "POST", "/simulations", FOUNDING)
        again = keyed(isabella, "one", "POST", "/simulations", FOUNDING)
        assert first.status_code == again.status_code == 201
        assert again.content == first.content
        assert again["Location"] == first["Location"]
        assert again["Content-Type"] == first["Content-Type"]
        assert "Idempotency-Replayed" not in first
        assert again["Idempotency-Replayed"] == "true"
        assert towns_founded() == 1

    def test_knows_a_body_that_is_written_otherwise(self, isabella: Caller) -> None:
        keyed(isabella, "one", "POST", "/simulations", FOUNDING)
        turned = dict(reversed(FOUNDING.items()))
        again = keyed(isabella, "one", "POST", "/simulations", turned)
        assert again["Idempotency-Replayed"] == "true"

    def test_under_another_key_founds_another(self, isabella: Caller) -> None:
        for key in ("one", '"one"', "ONE"):
            assert keyed(isabella, key, "POST", "/simulations", FOUNDING).status_code == 201
        assert towns_founded() == 3

    def test_under_anothers_key_founds_another(self, isabella: Caller, klaus: Caller) -> None:
        for caller in (isabella, klaus):
            response = keyed(caller, "one", "POST", "/simulations", FOUNDING)
            assert "Idempotency-Replayed" not in response
        assert towns_founded() == 2

    def test_of_another_town_under_the_key_is_refused(self, isabella: Caller) -> None:
        keyed(isabella, "one", "POST", "/simulations", FOUNDING)
        other = keyed(isabella, "one", "POST", "/simulations", FOUNDING | {"seed": 8})
        told = problem(other, 422, "idempotency-key-reused")
        assert "POST /api/v1/simulations" in told["detail"]
        assert towns_founded() == 1

    def test_that_was_refused_stays_refused(self, isabella: Caller) -> None:
        for replayed in (False, True):
            response = keyed(isabella, "one", "POST", "/simulations", {"seed": 7})
            problem(response, 422, "invalid-request")
            assert ("Idempotency-Replayed" in response) is replayed

    def test_that_was_malformed_may_be_mended_under_the_key(self, isabella: Caller) -> None:
        headers = isabella.headers | {"Idempotency-Key": "one"}
        broken = isabella.client.generic(
            "POST", "/api/v1/simulations", b"{", "application/json", headers=headers
        )
        problem(broken, 400, "malformed-body")
        assert keyed(isabella, "one", "POST", "/simulations", FOUNDING).status_code == 201


class TestKey:
    @pytest.mark.parametrize("key", ["", " ", "a b", "x" * 201, "é", "a\tb", "\x7f"])
    def test_of_odd_letters_or_length_is_refused(self, isabella: Caller, key: str) -> None:
        response = keyed(isabella, key, "POST", "/simulations", FOUNDING)
        problem(response, 422, "idempotency-key-unusable")
        assert not towns_founded()

    def test_of_two_hundred_letters_is_kept(self, isabella: Caller) -> None:
        for _ in range(2):
            response = keyed(isabella, "~" * 200, "POST", "/simulations", FOUNDING)
        assert response["Idempotency-Replayed"] == "true"

    def test_says_nothing_to_a_reading(self, town: str, isabella: Caller) -> None:
        for _ in range(2):
            response = keyed(isabella, "", "GET", town)
            assert response.status_code == 200
            assert "Idempotency-Replayed" not in response
        assert not StoredResponse.objects.exists()

    def test_stands_for_one_address(self, town: str, isabella: Caller) -> None:
        keyed(isabella, "one", "POST", f"{town}/pause", {})
        problem(
            keyed(isabella, "one", "POST", f"{town}/run", {}), 422, "idempotency-key-reused"
        )


class TestCommands:
    def test_bring_one_person_to_town(self, town: str, isabella: Caller) -> None:
        first = keyed(isabella, "ada", "POST", f"{town}/agents", ADA)
        again = keyed(isabella, "ada", "POST", f"{town}/agents", ADA)
        assert first.status_code == again.status_code == 202
        assert first.json() == again.json()
        assert CommandRow.objects.count() == 1

    def test_send_away_without_a_body(self, town: str, isabella: Caller) -> None:
        path = f"{town}/agents/klaus-mueller"
        first, again = (keyed(isabella, "go", "DELETE", path) for _ in range(2))
        assert (first.status_code, first.json()) == (again.status_code, again.json())
        assert CommandRow.objects.count() == 1

    def test_wake_the_scheduler_once(self, town: str, isabella: Caller) -> None:
        with CaptureQueriesContext(connection) as captured:
            for _ in range(2):
                keyed(isabella, "run", "POST", f"{town}/run", {"ticks": 6})
        assert sum(SCHEDULERS_CHANNEL in query["sql"] for query in captured) == 1

    def test_delete_what_is_gone_already(self, isabella: Caller) -> None:
        made = isabella.post("/simulations", FOUNDING).json()["id"]
        first, again = (
            keyed(isabella, "end", "DELETE", f"/simulations/{made}") for _ in range(2)
        )
        assert first.status_code == again.status_code == 204
        assert again["Idempotency-Replayed"] == "true"
        problem(isabella.delete(f"/simulations/{made}"), 404, "simulation-unknown")

    def test_that_conflict_stay_refused_under_their_key(self, isabella: Caller) -> None:
        made = f"/simulations/{isabella.post('/simulations', FOUNDING).json()['id']}"
        SimulationRow.objects.filter(name="a town").update(status=Status.RUNNING)
        problem(keyed(isabella, "one", "DELETE", made), 409, "still-running")
        SimulationRow.objects.filter(name="a town").update(status=Status.PAUSED)
        problem(keyed(isabella, "one", "DELETE", made), 409, "still-running")
        assert keyed(isabella, "two", "DELETE", made).status_code == 204

    def test_turned_away_at_the_door_may_come_again(
        self, town: str, isabella: Caller, klaus: Caller
    ) -> None:
        path = f"{town}/pause"
        problem(keyed(klaus, "one", "POST", path, {}), 404, "simulation-unknown")
        simulation_id = SimulationRow.objects.get(pk=town.rpartition("/")[2]).pk
        add_member(simulation_id, "klaus", Role.GUEST, by="isabella")
        problem(keyed(klaus, "one", "POST", path, {}), 403, "not-allowed")
        isabella.patch(f"{town}/members/klaus", {"role": "collaborator"})
        assert keyed(klaus, "one", "POST", path, {}).status_code == 202

    def test_are_told_their_answer_only_with_a_valid_token(
        self, isabella: Caller, nobody: Caller
    ) -> None:
        keyed(isabella, "one", "POST", "/simulations", FOUNDING)
        response = keyed(nobody, "one", "POST", "/simulations", FOUNDING)
        problem(response, 401, "token-missing")


class HalfDone(ApiView):
    """Does something, and then finds that it cannot be."""

    def post(self, _request: Any) -> Any:
        Group.objects.create(name="half done")
        raise CannotRun("it cannot be after all")


class TestRefusal:
    def test_undoes_what_was_begun_and_is_kept(self, isabella: Caller) -> None:
        headers = isabella.headers | {"Idempotency-Key": "one"}
        for replayed in (False, True):
            request = RequestFactory().post(
                "/half", {}, content_type="application/json", headers=headers
            )
            response = HalfDone.as_view()(request)
            assert response.status_code == 409
            assert ("Idempotency-Replayed" in response) is replayed
            assert not Group.objects.exists()


class TestThinking:
    """Where a model thinks, no transaction is held: the key is claimed instead."""

    def test_is_not_done_twice(self, town: str, isabella: Caller) -> None:
        path, body = f"{town}/agents/isabella-rodriguez/retrievals", {"query": "the party"}
        first, again = (keyed(isabella, "one", "POST", path, body) for _ in range(2))
        assert first.status_code == again.status_code == 200
        assert first.content == again.content
        assert again["Idempotency-Replayed"] == "true"

    def test_that_is_under_way_is_waited_for_until_its_process_is_lost(
        self, town: str, isabella: Caller
    ) -> None:
        path, body = f"{town}/agents/isabella-rodriguez/retrievals", {"query": "the party"}
        keyed(isabella, "one", "POST", path, body)
        StoredResponse.objects.update(status=None, seen_at=timezone.now())
        waiting = keyed(isabella, "one", "POST", path, body)
        problem(waiting, 409, "idempotency-in-progress")
        assert waiting["Retry-After"] == f"{LAPSE_SECONDS:.0f}"
        lose_process(StoredResponse.objects.all())
        dead = keyed(isabella, "one", "POST", path, body)
        assert dead.status_code == 200
        assert "Idempotency-Replayed" not in dead


class TestAge:
    def test_of_a_day_ends_it(self, isabella: Caller) -> None:
        keyed(isabella, "one", "POST", "/simulations", FOUNDING)
        StoredResponse.objects.update(
            created_at=timezone.now() - timedelta(hours=24, seconds=1)
        )
        again = keyed(isabella, "one", "POST", "/simulations", FOUNDING)
        assert "Idempotency-Replayed" not in again
        assert towns_founded() == 2
        assert StoredResponse.objects.get().created_at > timezone.now() - timedelta(minutes=1)

    def test_of_a_day_is_forgotten(self, isabella: Caller, klaus: Caller) -> None:
        keyed(isabella, "one", "POST", "/simulations", FOUNDING)
        keyed(klaus, "one", "POST", "/simulations", FOUNDING)
        old = StoredResponse.objects.filter(user=User.objects.get(username="isabella"))
        old.update(created_at=timezone.now() - timedelta(hours=25))
        assert delete_old_responses() == 1
        assert StoredResponse.objects.get().user.get_username() == "klaus"
