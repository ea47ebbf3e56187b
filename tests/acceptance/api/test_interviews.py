"""Over HTTP: people are asked things, and nothing in them changes (U1, E2, L7)."""

from typing import Any
from urllib.parse import urlsplit

import pytest

from apps import wiring
from apps.agents.models import AgentRow
from apps.eventlog.store import log_sha256
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem

pytestmark = pytest.mark.django_db

ASKED = {"question": "Is there a Valentine's Day party?", "persona": "a reporter"}


def path_of(address: str) -> str:
    return urlsplit(address).path.removeprefix("/api/v1")


def rows_of_the_mind(simulation: str) -> dict[str, list[dict[str, Any]]]:
    """Return every row of every projection."""
    return {
        model.__name__: list(
            model._default_manager.filter(simulation_id=simulation).order_by("pk").values()
        )
        for model in wiring.event_store().projector.models
    }


class TestAnInterview:
    def test_is_answered_from_memory_and_leaves_no_trace_in_it(
        self, isabella: Caller, town: str
    ) -> None:
        simulation = town.rpartition("/")[2]
        before = rows_of_the_mind(simulation), log_sha256(simulation)  # type: ignore[arg-type]
        path = f"{town}/agents/isabella-rodriguez/interviews/estimate"
        assert isabella.post(path, {"question": ASKED["question"]}).json()["calls"] >= 1
        response = isabella.post(f"{town}/agents/isabella-rodriguez/interviews", ASKED)
        assert response.status_code == 200, response.content
        interview = response.json()
        assert interview["answer"].startswith("Yes.")
        assert "party" in interview["answer"]
        assert interview["persona"] == "a reporter"
        assert interview["as_of"]["time"] == "2023-02-13T08:00:00"
        assert (interview["remembered"], interview["command"]) == (False, None)
        # What it rests on is named, with scores; the question brought it up.
        used = interview["memories"]
        assert any("Valentine's Day party" in memory["description"] for memory in used)
        assert {ASKED["question"]} < {memory["query"] for memory in used}
        assert all(memory["score"] >= 0 for memory in used)
        # The call stands in the audit with what was asked; who asked is quoted data.
        [call_id] = interview["model_calls"]
        call = isabella.get(f"{town}/model-calls/{call_id}").json()
        assert (call["task"], call["stream"]) == ("interview.answer", "isabella-rodriguez")
        asked = call["messages"][-1]["content"]
        assert '<quoted source="question">\nIs there a Valentine' in asked
        # Nothing else has changed: neither history nor anybody's mind.
        assert (rows_of_the_mind(simulation), log_sha256(simulation)) == before  # type: ignore[arg-type]

    def test_is_kept_and_can_be_looked_up(self, isabella: Caller, town: str) -> None:
        first = isabella.post(f"{town}/agents/klaus-mueller/interviews", ASKED).json()
        second = isabella.post(
            f"{town}/agents/klaus-mueller/interviews", {"question": "Who are you?"}
        ).json()
        assert isabella.get(path_of(first["status_url"])).json() == first
        assert first["model_calls"] != second["model_calls"]
        listed = isabella.everything(f"{town}/interviews", agent="klaus-mueller", limit=1)
        assert [one["id"] for one in listed][:2] == [second["id"], first["id"]]
        missing = isabella.get(f"{town}/interviews/nonsense")
        problem(missing, 404, "work-unknown")

    def test_is_held_as_of_the_past_and_under_conditions(
        self, isabella: Caller, town: str
    ) -> None:
        path = f"{town}/agents/isabella-rodriguez/interviews"
        asked = {"question": "What are you doing?"}
        asleep = isabella.post(path, asked | {"at": "2023-02-13T03:00"}).json()
        assert asleep["answer"] == "Right now I'm sleeping."
        assert asleep["as_of"]["tick"] == 1_080
        assert all(
            memory["created_at"] <= "2023-02-13T03:00:00" for memory in asleep["memories"]
        )
        kinds = {
            conditions: {
                memory["kind"]
                for memory in isabella.post(
                    path, {"question": "Who are you?", "conditions": conditions}
                ).json()["memories"]
            }
            for conditions in (
                "full",
                "no-reflection-no-planning",
                "no-observation-no-reflection-no-planning",
            )
        }
        assert kinds["full"] == {"observation"}, "the prompt has the plan of the day already"
        assert kinds["no-reflection-no-planning"] <= {"observation", "dialogue"}
        assert kinds["no-observation-no-reflection-no-planning"] == set()

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"question": ""}, "invalid-request"),
            ({"question": "x" * 1_001}, "invalid-request"),
            ({"conditions": "some"}, "invalid-request"),
            ({"at": "2023-02-14T00:00"}, "invalid-request"),
            ({"at": "2023-02-13T06:00", "remember": True}, "invalid-request"),
        ],
    )
    def test_is_refused_with_the_mend(
        self, isabella: Caller, town: str, change: dict[str, Any], code: str
    ) -> None:
        path = f"{town}/agents/isabella-rodriguez/interviews"
        problem(isabella.post(path, ASKED | change), 422, code)

    def test_with_nobody_is_not_found(self, isabella: Caller, klaus: Caller, town: str) -> None:
        problem(isabella.post(f"{town}/agents/nobody/interviews", ASKED), 404, "agent-unknown")
        path = f"{town}/agents/isabella-rodriguez/interviews"
        problem(klaus.post(path, ASKED), 404, "simulation-unknown")


def test_people_who_come_later_were_not_there_before(
    isabella: Caller, town: str, lived: SimulationRow
) -> None:
    # A past moment before somebody came is no moment to ask them at.
    AgentRow.objects.filter(simulation_id=lived.pk, agent="maria-lopez").update(joined_tick=99)
    path = f"{town}/agents/maria-lopez/interviews"
    problem(isabella.post(path, ASKED | {"at": 5}), 422, "invalid-request")
    AgentRow.objects.filter(simulation_id=lived.pk, agent="maria-lopez").update(joined_tick=0)
