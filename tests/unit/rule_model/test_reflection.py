"""Reflections by rules: questions on what weighs, insights that cite what bears them out."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.reflection.inputs import InsightsInput, QuestionsInput
from apps.reflection.llm_tasks.insights import INSIGHTS, Insights
from apps.reflection.llm_tasks.questions import QUESTIONS, SalientQuestions
from apps.rule_model.model import Chance
from tests.support.rules import TASK_RULES
from tests.unit.rule_model.speakers import FINN, MOR, NOW, TAVISH, UNA, memory

BOAT = (
    memory(f"{UNA} is building a herring boat"),
    memory(f"{UNA} is tarring the hull of the herring boat", MemoryOrigin.OWN_ACTION),
)
TALKS = tuple(
    memory(f"{UNA} and {TAVISH} talked about {what}", MemoryOrigin.CONVERSATION, subject=TAVISH)
    for what in ("the tide", "the weather", "nets")
)


def asked(memories: Sequence[MemoryItem]) -> tuple[str, ...]:
    inputs = QuestionsInput(agent_name=UNA, summary=None, now=NOW, memories=tuple(memories))
    answer = TASK_RULES[QUESTIONS.name](inputs, Chance(1, QUESTIONS.name, "1"))
    assert isinstance(answer, SalientQuestions)
    assert QUESTIONS.check is not None
    QUESTIONS.check(inputs, answer)
    return answer.questions


def concluded(question: str, memories: Sequence[MemoryItem]) -> dict[str, tuple[int, ...]]:
    inputs = InsightsInput(
        agent_name=UNA, summary=None, now=NOW, question=question, memories=tuple(memories)
    )
    answer = TASK_RULES[INSIGHTS.name](inputs, Chance(1, INSIGHTS.name, "1"))
    assert isinstance(answer, Insights)
    for one in answer.insights:
        assert set(one.because_of) <= set(range(1, len(memories) + 1))
        assert len(one.because_of) >= 2
    return {one.statement: one.because_of for one in answer.insights}


def test_questions_are_on_what_weighs_most() -> None:
    questions = asked((*BOAT, *TALKS))
    assert any(TAVISH in one for one in questions)
    assert any("herring boat" in one for one in questions)


def test_insights_cite_the_memories_that_bear_them_out() -> None:
    found = concluded(f"What is going on between {UNA} and {TAVISH}?", (*BOAT, *TALKS))
    assert found
    assert all(TAVISH in statement for statement in found)
    assert {number for cited in found.values() for number in cited} == {3, 4, 5}
    work = concluded("Why does Una keep working on the herring boat?", (*BOAT, *TALKS))
    assert set(work.values()) == {(1, 2)}


def test_an_insight_builds_on_the_one_before() -> None:
    question = f"What is going on between {UNA} and {TAVISH}?"
    first = concluded(question, TALKS)
    remembered = [
        memory(text, MemoryOrigin.INSIGHT, kind=MemoryKind.REFLECTION, subject=TAVISH)
        for text in first
    ]
    second = concluded(question, (*TALKS, *remembered))
    assert second
    assert not set(first) & set(second)
    assert any(max(cited) > len(TALKS) for cited in second.values())


def test_feelings_follow_from_the_description() -> None:
    cold = (
        memory(f"{UNA} dislikes {FINN}", subject=FINN),
        memory(f"{FINN} is singing", subject=FINN),
    )
    assert any("hard to bear" in one or "get along" in one for one in concluded(FINN, cold))


def test_nothing_is_concluded_from_what_is_mentioned_once() -> None:
    assert concluded(f"Who is {MOR}?", [memory(f"{MOR} is singing", subject=MOR)]) == {}


@given(st.lists(st.text(max_size=60), min_size=1, max_size=6))
@settings(deadline=None)
def test_any_memories_raise_three_questions(texts: list[str]) -> None:
    assert len(set(asked([memory(text) for text in texts]))) == 3
