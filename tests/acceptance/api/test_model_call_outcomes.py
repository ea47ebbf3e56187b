"""Over HTTP: how many answers are done as given, and how the others differ (L2)."""

import pytest

from apps.planning.inputs import DayOutlineInput
from apps.planning.llm_tasks.day_outline import DayOutline
from apps.rule_model.model import Chance
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller
from tests.support.rules import TASK_RULES
from tests.support.towns import answering, live

pytestmark = pytest.mark.django_db(transaction=True)

OUTLINE = "planning.day_outline"


def shout_places(inputs: DayOutlineInput, chance: Chance) -> DayOutline:
    """Answer with the first place in capitals, as a careless model does."""
    answer: DayOutline = TASK_RULES[OUTLINE](inputs, chance)
    first, *rest = answer.chunks
    loud = first.model_copy(update={"place": first.place.upper()})
    return answer.model_copy(update={"chunks": [loud, *rest]})


def test_counts_answers_and_lists_the_differences(isabella: Caller) -> None:
    founding = {"name": "careless", "world": "smallville", "seed": 7, "agents": 1}
    created = isabella.post("/simulations", founding).json()
    town = f"/simulations/{created['id']}"
    before = isabella.get(f"{town}/model-calls/outcomes").json()["total"]
    assert (before["calls"], before["kept_share"]) == (before["kept"], 1.0)
    row = SimulationRow.objects.get(pk=created["id"])
    live(row, "2023-02-13T08:00", ports=answering({OUTLINE: shout_places}))
    outcomes = isabella.get(f"{town}/model-calls/outcomes").json()
    by_task = {line["key"]: line for line in outcomes["by_task"]}
    assert by_task[OUTLINE] | {"key": ""} == {
        "key": "",
        "calls": 1,
        "kept": 0,
        "adjusted": 1,
        "asked_again": 0,
        "fell_back": 0,
        "kept_share": 0.0,
    }
    total = outcomes["total"]
    assert total["calls"] == total["kept"] + 1
    assert total["kept_share"] == total["kept"] / total["calls"]
    [adjusted] = isabella.everything(f"{town}/model-calls", outcome="adjusted")
    differences = isabella.get(f"{town}/model-calls/{adjusted['id']}").json()["differences"]
    [difference] = [one for one in differences if one["field"] == "chunks.1.place"]
    assert difference["answered"] == difference["used"].upper()
    # The plan has the place that is used.
    plan = isabella.get(f"{town}/agents/{row_agent(isabella, town)}/plan").json()
    assert difference["used"] in str(plan)


def row_agent(isabella: Caller, town: str) -> str:
    [agent] = isabella.everything(f"{town}/agents")
    return str(agent["slug"])
