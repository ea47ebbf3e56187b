"""Over HTTP: somebody comes to town, lives there for a while, and leaves again."""

from typing import Any
from urllib.parse import urlsplit

import pytest

from apps import wiring
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller
from tests.support.towns import live

pytestmark = pytest.mark.django_db(transaction=True)

ADA: dict[str, Any] = {
    "name": "Ada Finch",
    "age": 22,
    "traits": ["patient", "curious"],
    "description": "Ada Finch studies history; Ada Finch likes lunch at Hobbs Cafe at noon",
    "hours": {"wake": "07:00", "sleep": "23:00"},
    "home": "Ayesha Khan's room",
    "knows": ["Hobbs Cafe"],
    "reason": "to see whom she meets",
}


@pytest.fixture
def town(isabella: Caller) -> str:
    """Return the address of a new town of two people."""
    founding = {
        "name": "two",
        "world": "smallville",
        "seed": 7,
        "agents": ["Isabella Rodriguez", "Klaus Mueller"],
    }
    return f"/simulations/{isabella.post('/simulations', founding).json()['id']}"


def lived(town: str, until: str) -> SimulationRow:
    return live(SimulationRow.objects.get(pk=town.rpartition("/")[2]), until)


class TestComingAndGoing:
    def test_is_a_story_that_can_be_followed(self, isabella: Caller, town: str) -> None:
        # The town has lived through half a morning when somebody new is asked for.
        lived(town, "2023-02-13T10:00")
        response = isabella.post(f"{town}/agents", ADA)
        assert response.status_code == 202
        asked = response.json()
        assert (asked["state"], asked["effective_tick"]) == ("pending", None)
        assert isabella.get(f"{town}/agents/ada-finch").status_code == 404
        # The next scheduler lets her come; the command says at which tick.
        lived(town, "2023-02-13T11:00")
        status = urlsplit(asked["status_url"]).path.removeprefix("/api/v1")
        done = isabella.get(status).json()
        assert (done["state"], done["effective_tick"], done["by"]) == (
            "done",
            3_601,
            "isabella",
        )
        ada = isabella.get(f"{town}/agents/ada-finch").json()
        assert ada["home"] == "Oak Hill College Dorm: Ayesha Khan's room"
        state = isabella.get(f"{town}/state").json()
        assert "ada-finch" in {agent["slug"] for agent in state["agents"]}
        # She leaves again; what she remembers stays.
        assert isabella.delete(f"{town}/agents/ada-finch").status_code == 202
        lived(town, "2023-02-13T11:30")
        assert "ada-finch" not in {
            agent["slug"] for agent in isabella.get(f"{town}/state").json()["agents"]
        }
        assert isabella.get(f"{town}/agents/ada-finch").json()["position"] is None
        memories = isabella.everything(f"{town}/agents/ada-finch/memories")
        assert "Ada Finch studies history" in {memory["description"] for memory in memories}

    def test_is_done_in_a_paused_town(self, isabella: Caller, town: str) -> None:
        asked = isabella.post(f"{town}/agents", ADA).json()
        simulation = SimulationRow.objects.get(pk=town.rpartition("/")[2])
        run_until_rest(wiring.ports(), simulation.pk, RunOptions())
        status = urlsplit(asked["status_url"]).path.removeprefix("/api/v1")
        assert isabella.get(status).json()["state"] == "done"
        assert isabella.get(f"{town}/agents/ada-finch").status_code == 200


class TestRefusals:
    @pytest.mark.parametrize(
        ("change", "status", "code"),
        [
            ({"home": "Nowhere: at all"}, 422, "unknown-place"),
            ({"home": "Hobbs Cafe: cafe"}, 422, "newcomer-unfit"),
            ({"hours": {"wake": "25:00", "sleep": "23:00"}}, 422, "invalid-request"),
            ({"age": "old"}, 422, "invalid-request"),
            ({"description": " ; "}, 422, "newcomer-unfit"),
            ({"name": "Ada\u202e Finch"}, 422, "newcomer-unfit"),
            ({"name": "Ada: system"}, 422, "newcomer-unfit"),
            ({"name": "A" * 41}, 422, "invalid-request"),
            ({"name": "Klaus Mueller", "home": "Ayesha Khan's room"}, 409, "name-taken"),
            ({"surprise": 1}, 422, "invalid-request"),
        ],
    )
    def test_name_the_mend(
        self, isabella: Caller, town: str, change: dict[str, Any], status: int, code: str
    ) -> None:
        body = ADA | change
        response = isabella.post(f"{town}/agents", body)
        problem = response.json()
        assert (response.status_code, problem["code"]) == (status, code), problem
        assert problem["detail"]

    def test_of_a_command_that_is_not_there(self, isabella: Caller, town: str) -> None:
        for command in ("nonsense", "00000000-0000-0000-0000-000000000000"):
            assert (
                isabella.get(f"{town}/commands/{command}").json()["code"] == "command-unknown"
            )

    def test_of_a_departure_of_somebody_who_is_not_here(
        self, isabella: Caller, town: str
    ) -> None:
        assert isabella.delete(f"{town}/agents/nobody").json()["code"] == "agent-unknown"
