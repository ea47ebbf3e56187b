"""Importance by general properties: origin, dates, strong words; the same for the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.items import ImportanceInput, NewMemory
from apps.memory.llm_tasks.importance import IMPORTANCE, Importances
from apps.rule_model.model import Chance
from tests.support.rules import TASK_RULES
from tests.unit.rule_model.speakers import MOR, TAVISH, UNA


def rated(*memories: NewMemory) -> tuple[int, ...]:
    inputs = ImportanceInput(agent_name=UNA, age=30, traits=(), memories=memories)
    answer = TASK_RULES[IMPORTANCE.name](inputs, Chance(1, IMPORTANCE.name, "1"))
    assert isinstance(answer, Importances)
    return answer.importances


def new(
    text: str, origin: MemoryOrigin, scheduled: ScheduledActivity | None = None
) -> NewMemory:
    kind = MemoryKind.PLAN if scheduled else MemoryKind.OBSERVATION
    return NewMemory(kind=kind, origin=origin, description=text, scheduled=scheduled)


def test_rises_from_the_mundane_to_what_changes_a_life() -> None:
    ratings = rated(
        new("the net loft is idle", MemoryOrigin.PERCEIVED_OBJECT),
        new(f"{TAVISH} is carrying a basket", MemoryOrigin.PERCEIVED_AGENT),
        new(f"{UNA} and {TAVISH} talked about the tide", MemoryOrigin.CONVERSATION),
        new(f"{TAVISH} told {UNA} that {MOR} has died", MemoryOrigin.LEARNED),
    )
    assert list(ratings) == sorted(set(ratings))
    assert (ratings[0], ratings[-1]) == (1, 10)


def test_plans_and_decisions_matter_more_than_habits() -> None:
    scheduled = ScheduledActivity(activity="come to the feast")
    habit, decision, agreed, seen = rated(
        new(f"{UNA} smokes herring from 8:00 am to 11:00 am", MemoryOrigin.DESCRIPTION),
        new(f"{UNA} has decided to leave", MemoryOrigin.DECIDED, scheduled),
        new(f"{UNA} agreed to come to the feast", MemoryOrigin.AGREED, scheduled),
        new(f"{UNA} is smoking herring", MemoryOrigin.OWN_ACTION),
    )
    assert min(decision, agreed) >= 7 > habit > seen


@pytest.mark.parametrize("origin", [MemoryOrigin.DESCRIPTION, MemoryOrigin.LEARNED])
def test_what_is_ahead_matters_more_than_what_is(origin: MemoryOrigin) -> None:
    ahead, now = rated(
        new(f"{MOR} will sail to the mainland on June 9, 1872", origin),
        new(f"{MOR} likes the mainland", origin),
    )
    assert ahead > now


@given(st.lists(st.tuples(st.text(max_size=120), st.sampled_from(MemoryOrigin)), max_size=8))
def test_any_memories_are_rated_in_bounds_and_alike(
    memories: list[tuple[str, MemoryOrigin]],
) -> None:
    asked = [new(text, origin) for text, origin in memories]
    ratings = rated(*asked)
    assert len(ratings) == len(asked)
    assert all(1 <= rating <= 10 for rating in ratings)
    assert ratings == rated(*asked)


def test_identity_and_relationships_matter_more_than_what_a_day_is_made_of() -> None:
    *lasting, habit, deed, sight = rated(
        new(f"{UNA} smokes herring for a living", MemoryOrigin.DESCRIPTION),
        new(f"{UNA} has known {TAVISH} for twelve years", MemoryOrigin.DESCRIPTION),
        new(f"{UNA} cares a great deal about {TAVISH}", MemoryOrigin.INSIGHT),
        new(f"{UNA} eats at 7:00 am", MemoryOrigin.DESCRIPTION),
        new(f"{UNA} is smoking herring", MemoryOrigin.OWN_ACTION),
        new(f"{TAVISH} is smoking herring", MemoryOrigin.PERCEIVED_AGENT),
    )
    assert min(lasting) >= 6 > habit > deed
    assert sight <= 3


def test_a_promise_a_loss_and_a_danger_count_wherever_they_are_met() -> None:
    ratings = rated(
        new(f"{TAVISH} is crying about a secret", MemoryOrigin.PERCEIVED_AGENT),
        new("net loft: burning", MemoryOrigin.PERCEIVED_OBJECT),
        new(f"{TAVISH} said to {UNA}: My boat drowned two men", MemoryOrigin.UTTERANCE),
    )
    assert min(ratings) >= 7
