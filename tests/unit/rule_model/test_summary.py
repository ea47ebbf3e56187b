"""Summaries by rules: sentences of the memories given, each in one part, and nothing else."""

import pytest

from apps.memory.events import MemoryOrigin
from apps.memory.inputs import SummaryInput
from apps.memory.summary.llm_tasks import (
    CORE_CHARACTERISTICS,
    DAILY_OCCUPATION,
    RECENT_PROGRESS,
)
from apps.rule_model.model import Chance
from tests.support.rules import TASK_RULES
from tests.unit.rule_model.speakers import NOW, TAVISH, UNA, memory

WORK = f"{UNA} is the smith of the village"
TIE = f"{UNA} knows {TAVISH}"
SELF = f"{UNA} laughs at storms"
WISH = f"{UNA} wants to see the mainland"
DOING = memory(f"{UNA} is mending a net", MemoryOrigin.OWN_ACTION)
TASKS = CORE, OCCUPATION, FEELING = (
    CORE_CHARACTERISTICS.name,
    DAILY_OCCUPATION.name,
    RECENT_PROGRESS.name,
)


def summed(task: str, *texts: str) -> str:
    memories = (*map(memory, texts), DOING)
    inputs = SummaryInput(agent_name=UNA, now=NOW, memories=memories)
    return str(TASK_RULES[task](inputs, Chance(1, task, "1")).summary)


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        (CORE, f"{SELF}. Una knows {TAVISH}."),
        (OCCUPATION, f"{WORK}."),
        (FEELING, f"{WISH}."),
    ],
)
def test_each_phrase_has_one_part(task: str, expected: str) -> None:
    assert summed(task, WORK, TIE, SELF, WISH) == expected


@pytest.mark.parametrize("task", TASKS)
def test_what_was_done_is_told_where_nothing_else_is_known(task: str) -> None:
    assert summed(task) == f"{UNA} has been mending a net."


@pytest.mark.parametrize("task", TASKS)
def test_is_short_whatever_is_remembered(task: str) -> None:
    said = summed(
        task, *(f"{UNA} wants, works and laughs {n} {'long ' * 60}" for n in range(20))
    )
    assert 0 < len(said) <= 800
