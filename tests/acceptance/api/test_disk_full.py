"""While the database's disk is full, requests that write are told so, and others go on."""

import pytest
from django.contrib.auth.models import User

from apps.access.models import ApiToken
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, caller_of
from tests.support.full_disk import no_space_for
from tests.support.towns import found

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner() -> Caller:
    """Return the owner of a simulation, whose token was never used before."""
    caller = caller_of(User.objects.create_user("isabella"))
    SimulationRow.objects.filter(pk=found().pk).update(owner=User.objects.get())
    ApiToken.objects.update(last_used_at=None)
    return caller


class TestDiskFull:
    def test_is_named_to_who_writes_and_is_nothing_to_who_reads(self, owner: Caller) -> None:
        simulation = f"/api/v1/simulations/{SimulationRow.objects.get().pk}"
        with no_space_for():
            for path, body in (
                ("/api/v1/simulations", {"name": "another", "seed": 1}),
                (f"{simulation}/run", {}),
            ):
                problem = owner.post(path, body)
                assert (problem.status_code, problem.json()["code"]) == (503, "disk-full")
                assert problem["Retry-After"] == "60"
                assert problem["Content-Type"] == "application/problem+json"
            assert owner.get(f"{simulation}/state").status_code == 200
            assert owner.get("/health").status_code == 200
        assert owner.post(f"{simulation}/run", {}).status_code == 202

    def test_lets_a_request_be_sent_again_under_its_key(self, owner: Caller) -> None:
        headers = owner.headers | {"Idempotency-Key": "once"}

        def create() -> int:
            return owner.client.post(
                "/api/v1/simulations",
                {"name": "another", "seed": 1},
                content_type="application/json",
                headers=headers,
            ).status_code

        with no_space_for():
            assert create() == 503
        assert create() == 201
        assert SimulationRow.objects.filter(name="another").count() == 1
