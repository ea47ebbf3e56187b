"""The stand-in thinks over what it is given, cites it, and says nothing else (L4, R2)."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.memory.events import MemoryKind
from apps.reflection.chains.insights import INSIGHTS, Insights, QuestionToAnswer
from apps.reflection.chains.questions import QUESTIONS, RecentMemories
from apps.reflection.chains.statements import Statement
from apps.rule_model.model import Chance
from apps.rule_model.reflection.concluding import EVIDENCE_MAX, insights
from apps.rule_model.reflection.matters import Matter, Sort, matters_in
from apps.rule_model.reflection.naming import people_in, places_in
from apps.rule_model.reflection.reading import Reading
from apps.rule_model.reflection.wondering import questions

CHANCE = Chance(seed=7, chain="reflection.x", call_id="0/klaus-mueller/x/0")
KLAUS = (
    ("Klaus Mueller is writing a research paper on gentrification", 4),
    ("Klaus Mueller works on his research paper in the library of Oak Hill College", 4),
    ("Klaus Mueller is taking notes for the research paper", 4),
    ("Klaus Mueller has been close friends for two years with Maria Lopez", 5),
    ("Klaus Mueller has a crush on Maria Lopez", 8),
    ("Maria Lopez is walking to Hobbs Cafe", 2),
    ("the counter is idle", 1),
    ("Klaus Mueller is drinking a cup of coffee", 2),
)
SCRAPS = st.sampled_from(
    [
        *(text for text, _ in KLAUS),
        "Klaus Mueller is dedicated to his research paper",
        "Klaus Mueller and Maria Lopez often talk",
        "Maria Lopez told Klaus Mueller about the exhibition",
        "Isabella Rodriguez invited Klaus Mueller to the Valentine's Day party",
        "Isabella Rodriguez is planning a Valentine's Day party at Hobbs Cafe",
        "Ayesha Khan is reading a study for the thesis",
        "the",
        "?",
        "Klaus Mueller",
    ]
)
THINGS = st.lists(
    st.builds(
        Statement,
        description=SCRAPS,
        importance=st.integers(1, 10),
        kind=st.sampled_from(MemoryKind),
    ),
    min_size=1,
    max_size=30,
)


def statements(*told: tuple[str, int]) -> tuple[Statement, ...]:
    return tuple(Statement(description=text, importance=number) for text, number in told)


def thought(text: str) -> Statement:
    return Statement(description=text, importance=5, kind=MemoryKind.REFLECTION)


def asked(recent: Sequence[Statement]) -> tuple[str, ...]:
    given_memories = RecentMemories(
        agent_name="Klaus Mueller", summary="", now="now", memories=tuple(recent)
    )
    return questions(given_memories, CHANCE).questions


def to_answer(question: str, recalled: Sequence[Statement]) -> QuestionToAnswer:
    return QuestionToAnswer(
        agent_name="Klaus Mueller",
        summary="",
        now="now",
        question=question,
        statements=tuple(recalled),
    )


def concluded(question: str, recalled: Sequence[Statement]) -> Insights:
    return insights(to_answer(question, recalled), CHANCE)


class TestNames:
    def test_of_people_are_told_from_those_of_places_and_days(self) -> None:
        text = (
            "Klaus Mueller met Maria Lopez at Hobbs Cafe on Monday, February 13, before the "
            "Valentine's Day party at The Rose and Crown Pub"
        )
        assert people_in(text) == ["Klaus Mueller", "Maria Lopez"]
        assert places_in(text) == ["Hobbs Cafe", "The Rose and Crown Pub"]

    def test_of_places_are_whole(self) -> None:
        assert places_in("Maria Lopez lives in the Oak Hill College Dorm") == [
            "Oak Hill College Dorm"
        ]

    def test_on_a_house_are_nobody_met(self) -> None:
        assert people_in("Klaus Mueller is walking to Giorgio Rossi's apartment") == [
            "Klaus Mueller"
        ]

    def test_of_people_may_look_like_those_of_places(self) -> None:
        told = statements(
            ("Ryan Park is drinking a cup of coffee", 2),
            ("Ryan Park is walking to Johnson Park", 2),
            ("Klaus Mueller is talking with Giorgio Rossi and Ryan Park", 5),
        )
        closing = Statement(
            description="Hobbs Cafe is closing", importance=2, subject="Hobbs Cafe"
        )
        reading = Reading("Klaus Mueller", [*told, closing, closing])
        assert reading.people == ["Ryan Park"]
        assert reading.remarks[2].people == ("Klaus Mueller", "Giorgio Rossi", "Ryan Park")
        assert places_in("Ryan Park is in Johnson Park", reading.known_people) == [
            "Johnson Park"
        ]
        assert reading.remarks[3].people == ()


class TestMatters:
    @pytest.mark.parametrize(
        ("text", "matter"),
        [
            ("Klaus is writing the next paragraph of the research paper", "research paper"),
            ("Ryan Park is developing a new mobile app", "mobile app"),
            ("Adam Smith is writing a book on why creativity matters", "book"),
        ],
    )
    def test_are_what_is_worked_on(self, text: str, matter: str) -> None:
        assert list(matters_in(text)) == [Matter(matter, Sort.WORK)]

    def test_are_what_is_studied_or_awaited(self) -> None:
        assert list(matters_in("Maria Lopez studies physics at Oak Hill College")) == [
            Matter("physics", Sort.FIELD)
        ]
        assert list(matters_in("Sam is curious about the election next month")) == [
            Matter("election", Sort.EVENT)
        ]

    @pytest.mark.parametrize(
        "text",
        [
            "Klaus Mueller is reading a book at the desk",
            "Klaus Mueller is eating the soup for dinner",
            "Klaus Mueller is taking ice out of the refrigerator",
        ],
    )
    def test_are_not_what_is_merely_used(self, text: str) -> None:
        assert list(matters_in(text)) == []


class TestQuestions:
    def test_are_about_the_weightiest_matter_and_the_person_who_matters_most(self) -> None:
        work, tie, _ = asked(statements(*KLAUS))
        assert work in {
            "What does Klaus Mueller care about in his research paper?",
            "Why does Klaus Mueller keep working on his research paper?",
        }
        assert tie in {
            "What is going on between Klaus Mueller and Maria Lopez?",
            "What is the relationship between Klaus Mueller and Maria Lopez?",
        }

    def test_turn_to_something_else_once_it_was_thought_over(self) -> None:
        party = (
            ("Klaus Mueller is looking forward to the party", 5),
            ("Klaus Mueller is baking a cake for the party", 5),
        )
        first = asked(statements(*KLAUS, *party))[0]
        later = asked(
            [
                *statements(*KLAUS, *party),
                thought("Klaus Mueller is dedicated to his research paper"),
                thought("Klaus Mueller keeps coming back to his research paper"),
            ]
        )[0]
        assert "research paper" in first
        assert "party" in later

    def test_can_be_asked_of_anybody(self) -> None:
        assert asked(statements(("the counter is idle", 1)))[0] == (
            "What matters most to Klaus Mueller these days?"
        )


class TestInsights:
    def test_say_what_statements_on_one_matter_show_and_cite_them(self) -> None:
        found = concluded(
            "Why does Klaus Mueller work on the research paper?", statements(*KLAUS)
        )
        (insight,) = found.insights
        assert insight.statement in {
            "Klaus Mueller is dedicated to his research paper",
            "Klaus Mueller puts a lot of work into his research paper",
        }
        assert insight.because_of == (1, 2, 3)

    def test_say_how_somebody_stands_to_somebody_else(self) -> None:
        found = concluded(
            "What is going on between Klaus Mueller and Maria Lopez?", statements(*KLAUS)
        )
        (insight,) = found.insights
        assert insight.statement in {
            "Maria Lopez is often on Klaus Mueller's mind",
            "Klaus Mueller has strong feelings for Maria Lopez",
        }
        assert insight.because_of == (5, 4, 6)

    def test_tell_who_talks_with_whom(self) -> None:
        talks = statements(
            ("Klaus Mueller is talking with Maria Lopez", 5),
            ("Maria Lopez told Klaus Mueller about her stream", 5),
        )
        first = concluded("What of Klaus Mueller and Maria Lopez?", talks).insights[0]
        assert "Klaus Mueller and Maria Lopez" in first.statement
        assert first.because_of == (1, 2)

    def test_build_on_earlier_insights(self) -> None:
        earlier = thought("Klaus Mueller is dedicated to his research paper")
        found = concluded("What of the research paper?", [*statements(*KLAUS), earlier])
        assert found.insights[0].statement == (
            "Klaus Mueller keeps coming back to his research paper"
        )
        assert found.insights[0].because_of[0] == len(KLAUS) + 1

    def test_weigh_two_matters_that_were_both_thought_over(self) -> None:
        found = concluded(
            "What of the research paper?",
            [
                thought("Klaus Mueller is dedicated to his research paper"),
                thought("Klaus Mueller is looking forward to the party"),
                *statements(("Klaus Mueller is baking a cake for the party", 3)),
                *statements(*KLAUS),
            ],
        )
        assert "Klaus Mueller has to make room for both his research paper and the party" in {
            insight.statement for insight in found.insights
        }

    def test_are_none_where_a_single_statement_speaks_of_it(self) -> None:
        assert concluded("What of Eddy Lin?", statements(*KLAUS)).insights == ()

    @given(recalled=THINGS)
    def test_keep_to_what_they_are_given(self, recalled: list[Statement]) -> None:
        assert QUESTIONS.check is not None
        assert INSIGHTS.check is not None
        told = " ".join(["Klaus Mueller", *(item.description for item in recalled)])
        for question in asked(recalled):
            answer = concluded(question, recalled)
            INSIGHTS.check(to_answer(question, recalled), answer)
            for insight in answer.insights:
                assert 2 <= len(insight.because_of) <= EVIDENCE_MAX
                assert set(insight.because_of) <= set(range(1, len(recalled) + 1))
                assert insight.statement not in {item.description for item in recalled}
                for name in people_in(insight.statement) + places_in(insight.statement):
                    assert name in told
