"""Summaries by rules: sentences of the memories given, each in one part, and nothing else."""

import pytest

from apps.memory.events import MemoryOrigin
from apps.memory.items import SummaryInput
from apps.memory.llm_tasks.summaries import SUMMARIES
from apps.rule_model.model import Chance
from tests.support.rules import TASK_RULES
from tests.unit.rule_model.speakers import NOW, TAVISH, UNA, memory

WORK = f"{UNA} is the smith of the village"
TIE = f"{UNA} knows {TAVISH}"
SELF = f"{UNA} laughs at storms"
WISH = f"{UNA} wants to see the mainland"
DOING = memory(f"{UNA} is mending a net", MemoryOrigin.OWN_ACTION)
PARTS = CORE, OCCUPATION, FEELING = "core", "occupation", "feeling"


def summed(part: str, *texts: str) -> str:
    memories = (*map(memory, texts), DOING)
    inputs = SummaryInput(agent_name=UNA, now=NOW, memories=memories)
    return str(
        getattr(TASK_RULES[SUMMARIES.name](inputs, Chance(1, SUMMARIES.name, "1")), part)
    )


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (CORE, f"{SELF}. Una knows {TAVISH}."),
        (OCCUPATION, f"{WORK}."),
        (FEELING, f"{WISH}."),
    ],
)
def test_each_phrase_has_one_part(part: str, expected: str) -> None:
    assert summed(part, WORK, TIE, SELF, WISH) == expected


@pytest.mark.parametrize("part", PARTS)
def test_what_was_done_is_told_where_nothing_else_is_known(part: str) -> None:
    assert summed(part) == f"{UNA} has been mending a net."


@pytest.mark.parametrize("part", PARTS)
def test_is_short_whatever_is_remembered(part: str) -> None:
    said = summed(
        part, *(f"{UNA} wants, works and laughs {n} {'long ' * 60}" for n in range(20))
    )
    assert 0 < len(said) <= 800


def test_a_gathering_that_is_over_is_not_looked_forward_to() -> None:
    ahead, past = (
        f"{UNA} is looking forward to the harvest supper on June {day}, 1872" for day in (4, 2)
    )
    said = summed(FEELING, WISH, ahead, past)
    assert "June 4" in said
    assert "June 2" not in said
