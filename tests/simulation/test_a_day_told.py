"""On waking, what was done before is yesterday's, with who was there and what failed (P3)."""

import pytest

from apps.agents.phrases import deed_text
from apps.llm.models import ModelCallRow
from apps.planning.inputs import DayOutlineInput
from apps.planning.llm_tasks.day_outline import DAY_OUTLINE
from apps.planning.llm_tasks.hour_actions import HOUR_ACTIONS
from apps.rule_model.model import Chance
from apps.simulation.models import SimulationRow
from tests.support.rules import TASK_RULES
from tests.support.scripted_home import EDDY, JOHN, MEI, UPSTAIRS, Script, action, lived

pytestmark = pytest.mark.django_db(transaction=True)

TICKS_PER_MINUTE, TICKS_PER_DAY = 6, 6 * 1_440
BREAKFAST: Script = {
    JOHN: [
        action("eating eggs with Mei and Eddy", 30),
        action("looking around", 10, act=("look for", EDDY, "")),
        action("eating with Eddy", 20, with_agents=(EDDY,)),
    ],
    MEI: [action("eating congee", 60)],
    EDDY: [UPSTAIRS],
}


def test_a_breakfast_is_told_as_it_was() -> None:
    outlines: list[DayOutlineInput] = []

    def outline(inputs: DayOutlineInput, chance: Chance) -> object:
        if inputs.agent_name == JOHN:
            outlines.append(inputs)
        return TASK_RULES[DAY_OUTLINE.name](inputs, chance)

    row = lived(BREAKFAST, until="2023-02-14T07:00", rules={DAY_OUTLINE.name: outline})
    first, second = outlines
    assert first.yesterday is None
    assert second.yesterday is not None
    told = [deed_text(one) for one in second.yesterday.performed]
    [breakfast] = [one for one in told if "eating eggs" in one]
    assert "; there: Mei Lin" in breakfast
    assert "; not there: Eddy Lin" in breakfast
    assert not [one for one in told if "eating with Eddy" in one]
    woken = second.now_minute * TICKS_PER_MINUTE + TICKS_PER_DAY
    assert '<quoted source="done today">\n(nothing)' in prompt_of_hour(row, from_tick=woken)


def prompt_of_hour(row: SimulationRow, *, from_tick: int) -> str:
    """Return the prompt of John's first hour from the tick on."""
    calls = ModelCallRow.objects.filter(
        simulation_id=row.pk, stream="john-lin", task=HOUR_ACTIONS.name, tick__gte=from_tick
    )
    return "\n".join(message["content"] for message in calls.order_by("tick")[0].messages)
