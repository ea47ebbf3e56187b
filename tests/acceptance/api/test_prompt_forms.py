"""A simulation whose prompts have the short form, for small models."""

from uuid import UUID

import pytest

from apps.llm.models import ModelCallRow
from apps.simulation.queries import get_creation
from tests.acceptance.api.calling import Caller

SHORT = {"server": "offline", "prompt_form": "short"}


def created(caller: Caller, **body: object) -> UUID:
    asked = {"name": "a town", "seed": 7, "agents": 1, "model": SHORT, **body}
    response = caller.post("/simulations", asked)
    assert response.status_code == 201, response.content
    assert response.json()["model"]["prompt_form"] == "short"
    return UUID(response.json()["id"])


def test_its_prompts_are_short_and_have_fewer_memories(isabella: Caller) -> None:
    simulation = created(isabella)
    assert get_creation(simulation).settings.retrieval_tokens == 400
    calls = ModelCallRow.objects.filter(simulation_id=simulation)
    assert {call.task for call in calls} == {"facts.description", "memory.importance"}
    for call in calls:
        assert call.wording_version.startswith("en-short/")
        assert "Do the task at the end of the next message" in call.messages[0]["content"]


def test_a_setting_that_is_given_wins(isabella: Caller) -> None:
    simulation = created(isabella, settings={"retrieval_tokens": 900})
    assert get_creation(simulation).settings.retrieval_tokens == 900


@pytest.mark.parametrize(
    ("model", "form"), [("offline", "short"), (SHORT | {"prompt_form": "full"}, "full")]
)
def test_the_economy_preset_has_short_prompts_unless_a_form_is_given(
    isabella: Caller, model: object, form: str
) -> None:
    body = {"name": "a town", "agents": 1, "model": model, "settings": {"preset": "economy"}}
    response = isabella.post("/simulations", body)
    assert response.status_code == 201, response.content
    assert response.json()["model"]["prompt_form"] == form


@pytest.mark.parametrize("form", ["tiny", None, 1])
def test_other_forms_are_refused(isabella: Caller, form: object) -> None:
    model = SHORT | {"prompt_form": form}
    response = isabella.post("/simulations", {"name": "a town", "model": model})
    assert response.status_code in (400, 404, 422)
    assert "must be one of full, short" in response.json()["detail"]
