"""Two answers agree by their decisions: what they let happen, without their words."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from apps import wiring
from apps.dialogue.llm_tasks.utterance import UTTERANCE, Utterance
from apps.llm.answers.decisions import agreement
from apps.llm.task import LLMTask
from apps.memory.llm_tasks.importance import IMPORTANCE, Importances
from apps.planning.llm_tasks.day_outline import DAY_OUTLINE, DayOutline, OutlineChunk
from apps.reaction.llm_tasks import DECISION, Decision

DECIDING = [task for task in wiring.LLM_TASKS if task.decision is not None]
EXAMPLES_MAX = 25
IN_ORDER = {"memory.importance", "interview.ranking"}
"""Tasks whose lists have an item for each of the things that were asked about."""

of_deciding = pytest.mark.parametrize("task", DECIDING, ids=lambda task: task.name)
decisions = st.frozensets(
    st.tuples(st.sampled_from(["at", "with"]), st.integers(0, 3)), max_size=4
)


def reversed_lists(value: Any) -> Any:
    """Return plain values with each list backwards."""
    if isinstance(value, list):
        return [reversed_lists(one) for one in reversed(value)]
    if isinstance(value, dict):
        return {name: reversed_lists(one) for name, one in value.items()}
    return value


def answers(task: LLMTask[Any, Any]) -> st.SearchStrategy[Any]:
    """Return answers of the form of the task."""
    if task is IMPORTANCE:  # whose bounds of an item hypothesis does not read
        ratings = st.lists(st.integers(1, 10)).map(tuple)
        return st.builds(Importances, importances=ratings)
    return st.from_type(task.answer_type)


@of_deciding
@settings(max_examples=EXAMPLES_MAX)
@given(data=st.data())
def test_an_answer_agrees_with_itself_as_it_was_recorded(
    task: LLMTask[Any, Any], data: st.DataObject
) -> None:
    answer = data.draw(answers(task))
    again = task.answer_type.model_validate_json(answer.model_dump_json())
    assume(again == answer)  # JSON has no infinite numbers
    one, other = task.decided(answer), task.decided(again)
    assert one is not None
    assert other is not None
    assert agreement(one, other) == agreement(one, one)
    assert agreement(one, one).is_equal


@pytest.mark.parametrize(
    "task", [one for one in DECIDING if one.name not in IN_ORDER], ids=lambda task: task.name
)
@settings(max_examples=EXAMPLES_MAX)
@given(data=st.data())
def test_the_order_of_a_list_does_not_matter(
    task: LLMTask[Any, Any], data: st.DataObject
) -> None:
    answer = data.draw(answers(task))
    backwards = task.answer_type.model_validate(reversed_lists(answer.model_dump(mode="json")))
    assert task.decided(backwards) == task.decided(answer)


@given(decisions, decisions)
def test_agreement_is_mutual_and_whole_only_between_equals(
    one: frozenset[tuple[str, int]], other: frozenset[tuple[str, int]]
) -> None:
    found = agreement(one, other)
    assert found == agreement(other, one)
    assert 0.0 <= found.overlap <= 1.0
    assert found.is_equal is (found.overlap == 1.0)
    assert (found.overlap == 0.0) is (not one & other and bool(one | other))


def test_words_are_no_decision() -> None:
    said = Utterance(utterance="Good morning!", ends=False)
    assert UTTERANCE.decided(said) == UTTERANCE.decided(
        said.model_copy(update={"utterance": "Hello there."})
    )
    assert UTTERANCE.decided(said) != UTTERANCE.decided(said.model_copy(update={"ends": True}))


def test_what_a_choice_does_not_need_is_no_decision() -> None:
    stays = Decision(choice="go on", observation=1, what="", place="", minutes=0)
    other = stays.model_copy(update={"observation": 2, "place": "Hobbs Cafe"})
    assert DECISION.decided(stays) == DECISION.decided(other)
    acts = {"choice": "act", "what": "turn off the stove"}
    assert DECISION.decided(stays.model_copy(update=acts)) != DECISION.decided(
        other.model_copy(update=acts)
    )


def test_a_day_is_compared_by_where_its_hours_are_spent() -> None:
    whole = chunk("09:00", "Hobbs Cafe")
    halves = [chunk("09:00", "Hobbs Cafe"), chunk("10:00", "Hobbs Cafe")]
    assert DAY_OUTLINE.decided(day(whole)) == DAY_OUTLINE.decided(day(*halves))
    other = DAY_OUTLINE.decided(day(halves[0], chunk("10:00", "Johnson Park")))
    found = DAY_OUTLINE.decided(day(whole))
    assert found is not None
    assert other is not None
    # Of nine and ten o'clock the first is spent at the same place, and the nights are the same.
    assert agreement(found, other).overlap == 3 / 5
    short = DAY_OUTLINE.decided(day(chunk("09:10", "Hobbs Cafe"), bedtime="09:40"))
    assert short is not None
    assert ("at", 9, "Hobbs Cafe") in short


def test_ratings_agree_that_are_near_the_same_anchor() -> None:
    decided = [IMPORTANCE.decided(Importances(importances=(one, 8))) for one in (1, 3, 5)]
    assert decided[0] == decided[1] != decided[2]


def chunk(starts: str, place: str) -> OutlineChunk:
    return OutlineChunk(starts=starts, activity="work", place=place)


def day(*chunks: OutlineChunk, bedtime: str = "11:00") -> DayOutline:
    return DayOutline(chunks=list(chunks), bedtime=bedtime)
