"""Who says that it leaves is on its way when the talk is over, and who stays is not (D1)."""

from datetime import timedelta
from pathlib import Path

import pytest

from apps import wiring
from apps.agents.events import ActionBegan, ActionKind, WalkBegan
from apps.dialogue.events import Said, TalkEnded
from apps.dialogue.inputs import UtteranceInput
from apps.dialogue.llm_tasks import UTTERANCE
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.eventlog.rebuild import check
from apps.planning.events import HoursPlanned
from apps.planning.inputs import HourlyPlanInput
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN, HourActivity, HourlyPlan
from apps.rule_model.model import Chance, TaskRule
from apps.simulation.models import SimulationRow
from tests.support.street import PEOPLE, simulate_crowd
from tests.support.towns import happened

pytestmark = pytest.mark.django_db(transaction=True)

SOON = timedelta(minutes=30)


def visit_then_walk_home(inputs: HourlyPlanInput, chance: Chance) -> HourlyPlan:
    """Plan a visit for the first hour, and the own house for the others."""
    own = f"House {PEOPLE.index(inputs.agent_name) + 1}"
    first, *others = range(1, len(inputs.slots) + 1)
    visit = HourActivity(time=first, activity="visit Ada Finch", place="House 1")
    home = [HourActivity(time=one, activity="clean the house", place=own) for one in others]
    return HourlyPlan(hours=[visit, *home])


def take_leave_if_the_plan_leads_away(inputs: UtteranceInput, chance: Chance) -> Utterance:
    """Say that one leaves if the plan soon goes on elsewhere, else that one stays."""
    onward = inputs.departure
    leaves = onward is not None and onward.starts - inputs.now <= SOON
    words = "I have to go home." if leaves else "I stay for a while."
    return Utterance(utterance=words, ends=True, leaves=leaves)


@pytest.fixture
def row(tmp_path: Path) -> SimulationRow:
    rules: dict[str, TaskRule] = {
        HOURLY_PLAN.name: visit_then_walk_home,
        UTTERANCE.name: take_leave_if_the_plan_leads_away,
    }
    return simulate_crowd(tmp_path, rules, reaction_pause_minutes=15, until="2024-06-03T06:55")


def test_whoever_takes_leave_sets_out_and_whoever_stays_does_not(row: SimulationRow) -> None:
    said = [one for one in happened(row, Said) if one.event.number > 1]
    leaving = [one for one in said if one.event.leaves]
    assert leaving
    assert len(leaving) < len(said)
    begun = {(one.stream, one.tick): True for one in happened(row, WalkBegan)} | {
        (one.stream, one.tick): False
        for one in happened(row, ActionBegan)
        if one.event.kind is not ActionKind.TALKING
    }
    for one in leaving:
        [end] = [
            end.tick
            for end in happened(row, TalkEnded)
            if (end.stream, end.event.conversation) == (one.stream, one.event.conversation)
        ]
        assert begun[min(key for key in begun if key >= (one.stream, end))]
    plans = happened(row, HoursPlanned)
    assert {one.stream for one in leaving} <= {
        one.stream for one in plans if one.event.items[0].from_tick == one.tick
    }
    assert check(wiring.event_store(), row.pk).problems == ()
