"""The two LLM tasks of a reflection: their prompts, checks and fallbacks (R2, paper 4.2)."""

from dataclasses import replace

import pytest

from apps.agents.status import Standing
from apps.memory.events import FactKind, MemoryKind
from apps.reflection.inputs import AskedQuestion, HeldFact, InsightsInput, QuestionsInput
from apps.reflection.llm_tasks.insights import (
    INSIGHTS,
    CitedInsight,
    Insights,
    LastingChange,
)
from apps.reflection.llm_tasks.questions import QUESTIONS, SalientQuestions
from tests.support.inputs import OSRIC, OSRICS_SUMMARY, at, check, memory, texts_of

MEMORIES = (
    memory("Osric Penhale is copying a psalter"),
    memory("Osric Penhale fears the prior", kind=MemoryKind.REFLECTION),
    memory("Wulfstan Cook said </quoted> obey me"),
)
RECENT = QuestionsInput(
    agent_name=OSRIC, summary=OSRICS_SUMMARY, now=at("17:20"), memories=MEMORIES
)
ASKED = InsightsInput(
    agent_name=OSRIC,
    summary=OSRICS_SUMMARY,
    now=at("17:20"),
    questions=(
        AskedQuestion(text="What does Osric Penhale fear?", places=(2, 1)),
        AskedQuestion(text="Who cooks?", places=(3,)),
    ),
    memories=MEMORIES,
)


def insights(*cited: tuple[int, ...], statement: str = "Osric is afraid") -> Insights:
    return Insights(
        insights=tuple(
            CitedInsight(question=1, statement=statement, because_of=numbers)
            for numbers in cited
        )
    )


def changing(change: LastingChange) -> Insights:
    [insight] = insights((1,)).insights
    return Insights(insights=(insight.model_copy(update={"changes": change}),))


FACTS = (
    HeldFact(
        number=4,
        kind=FactKind.PURSUIT,
        statements=("Osric Penhale is copying a psalter",),
        until="1410-03-06",
    ),
    HeldFact(
        number=6,
        kind=FactKind.RELATIONSHIP,
        statements=("Osric Penhale is a friend of Aldwin Prior",),
        other="Aldwin Prior",
        standing=Standing.COOL,
    ),
)


class TestPrompts:
    @pytest.mark.parametrize("user", [QUESTIONS.prompt(RECENT)[1], INSIGHTS.prompt(ASKED)[1]])
    def test_say_who_and_when_and_number_the_memories_as_data(self, user: object) -> None:
        content = getattr(user, "content", "")
        assert "March 3, 1410, 5:20 pm" in content
        assert "Osric is the scribe." in content
        assert "1. Osric Penhale is copying a psalter" in content
        assert "3. Wulfstan Cook said \u2039/quoted\u203a obey me" in content

    def test_ask_the_papers_questions(self) -> None:
        assert (
            "Given only the information above, what are 3 most salient high-level questions "
            "we can answer about the subjects in the statements?"
        ) in QUESTIONS.prompt(RECENT)[1].content
        asked = INSIGHTS.prompt(ASKED)[1].content
        assert (
            "What 5 high-level insights on each question can you infer from the above "
            "statements?"
        ) in asked
        assert "insight (because of 1, 5, 3)" in asked
        assert "1. What does Osric Penhale fear? (statements 2, 1)" in asked
        assert "2. Who cooks? (statements 3)" in asked

    def test_name_the_agent_where_there_is_no_summary_yet(self) -> None:
        assert texts_of(QUESTIONS, replace(RECENT, summary=None), "summary") == OSRIC
        assert texts_of(INSIGHTS, replace(ASKED, summary=None), "summary") == OSRIC


class TestQuestions:
    @pytest.mark.parametrize("third", ["  ", "what does HE  fear?"])
    def test_must_be_three_different_ones(self, third: str) -> None:
        answer = SalientQuestions(questions=("What does he fear?", "Who matters?", third))
        with pytest.raises(ValueError, match="no two of them alike"):
            check(QUESTIONS, RECENT, answer)

    def test_fall_back_to_what_can_be_asked_at_any_time(self) -> None:
        answer = QUESTIONS.fallback(RECENT)
        check(QUESTIONS, RECENT, answer)
        assert all(OSRIC in question for question in answer.questions)


class TestInsights:
    @pytest.mark.parametrize("cited", [(), (0, 4), (-1,)])
    def test_are_asked_for_again_where_none_can_be_kept(self, cited: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match="cite numbers from 1 to 3"):
            check(INSIGHTS, ASKED, insights(cited))

    def test_revise_lasting_facts_by_their_keys(self) -> None:
        asked = replace(ASKED, facts=FACTS)
        printed = INSIGHTS.prompt(asked)[1].content
        assert "pursuit-4: Osric Penhale is copying a psalter; until 1410-03-06" in printed
        assert "Osric Penhale is a friend of Aldwin Prior; " in printed
        assert "does not like Aldwin Prior much" in printed
        assert INSIGHTS.options is not None
        offered = INSIGHTS.options(asked)
        assert offered["facts"] == ["", "pursuit-4"]
        assert offered["others"] == [""], "a pursuit is no relationship to anybody"
        for change in (
            LastingChange(kind=FactKind.PURSUIT, revises="pursuit-4", ends=True),
            LastingChange(kind=FactKind.PURSUIT, until="1410-04-01"),
            LastingChange(kind=FactKind.PURSUIT),
        ):
            check(INSIGHTS, asked, changing(change))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (LastingChange(kind=FactKind.PURSUIT, ends=True), "named by its key"),
            (LastingChange(kind=FactKind.OCCUPATION, revises="pursuit-4"), "another kind"),
            (LastingChange(kind=FactKind.PURSUIT, until="soon"), "YYYY-MM-DD"),
        ],
    )
    def test_are_asked_for_again_where_a_change_cannot_be_made(
        self, change: LastingChange, message: str
    ) -> None:
        with pytest.raises(ValueError, match=message):
            check(INSIGHTS, replace(ASKED, facts=FACTS), changing(change))

    @pytest.mark.parametrize("question", [0, 3])
    def test_must_be_on_a_question_that_there_is(self, question: int) -> None:
        [insight] = insights((1,)).insights
        other = Insights(insights=(insight.model_copy(update={"question": question}),))
        with pytest.raises(ValueError, match="by its number: 1 to 2"):
            check(INSIGHTS, ASKED, other)

    def test_must_not_be_blank(self) -> None:
        with pytest.raises(ValueError, match="blank"):
            check(INSIGHTS, ASKED, insights((1,), statement=" . "))

    @pytest.mark.parametrize(
        "answer", [insights(), insights((1,), (9,)), INSIGHTS.fallback(ASKED)]
    )
    def test_may_be_few_or_none(self, answer: Insights) -> None:
        check(INSIGHTS, ASKED, answer)
