"""Reflections by rules: questions on what weighs, insights that cite what bears them out."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem
from apps.reflection.dealings import Dealings, claim_of
from apps.reflection.inputs import AskedQuestion, InsightsInput, QuestionsInput
from apps.reflection.llm_tasks.insights import INSIGHTS, CitedInsight, Insights
from apps.reflection.llm_tasks.questions import QUESTIONS, SalientQuestions
from apps.rule_model.model import Chance
from tests.support.rules import TASK_RULES
from tests.unit.rule_model.speakers import FINN, MOR, NOW, SUPPER, TAVISH, UNA, memory

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


def asked_of(question: str, memories: Sequence[MemoryItem]) -> AskedQuestion:
    return AskedQuestion(text=question, places=tuple(range(1, len(memories) + 1)))


def answered(
    question: str, memories: Sequence[MemoryItem], *dealings: Dealings
) -> tuple[CitedInsight, ...]:
    """Return the insights on a question, checked as the task checks them."""
    inputs = InsightsInput(
        agent_name=UNA,
        summary=None,
        now=NOW,
        questions=(asked_of(question, memories),),
        memories=tuple(memories),
        dealings=dealings,
    )
    answer = TASK_RULES[INSIGHTS.name](inputs, Chance(1, INSIGHTS.name, "1"))
    assert isinstance(answer, Insights)
    for one in answer.insights:
        assert set(one.because_of) <= set(range(1, len(memories) + 1))
        assert len(one.because_of) >= 2
    return answer.insights


def concluded(
    question: str, memories: Sequence[MemoryItem], *dealings: Dealings
) -> dict[str, tuple[int, ...]]:
    found = answered(question, memories, *dealings)
    return {one.statement: one.because_of for one in found}


def with_tavish(*days_ago: float) -> Dealings:
    """Return what is counted of Tavish: talks so many days ago, and many hours in sight."""
    return Dealings(
        slug="tavish-boyd",
        name=TAVISH,
        talked_at=tuple(NOW - timedelta(days=days) for days in days_ago),
        seen_at=tuple(NOW - timedelta(hours=hours) for hours in range(9, 0, -1)),
    )


def test_questions_are_on_what_weighs_most() -> None:
    questions = asked((*BOAT, *TALKS))
    assert any(TAVISH in one for one in questions)
    assert any("herring boat" in one for one in questions)


def test_what_is_new_is_asked_about_first() -> None:
    old = tuple(replace(one, formed_at=NOW - timedelta(days=2)) for one in (*BOAT, *BOAT))
    inputs = QuestionsInput(
        agent_name=UNA,
        summary=None,
        now=NOW,
        memories=(*old, *TALKS),
        since=NOW - timedelta(days=1),
    )
    answer = TASK_RULES[QUESTIONS.name](inputs, Chance(1, QUESTIONS.name, "1"))
    assert TAVISH in answer.questions[0]


def test_insights_cite_the_memories_that_bear_them_out() -> None:
    question = f"What is going on between {UNA} and {TAVISH}?"
    found = concluded(question, (*BOAT, *TALKS), with_tavish(0.3, 0.2, 0.1))
    assert found
    assert all(TAVISH in statement for statement in found)
    assert {number for cited in found.values() for number in cited} == {3, 4, 5}
    work = concluded("Why does Una keep working on the herring boat?", (*BOAT, *TALKS))
    assert {frozenset(cited) for cited in work.values()} == {frozenset({1, 2})}


@pytest.mark.parametrize("talks", [(0.2, 0.1), (3, 2, 1), (3, 2, 0.1)])
def test_no_more_talks_are_claimed_than_there_were(talks: tuple[float, ...]) -> None:
    question, dealings = f"What is going on between {UNA} and {TAVISH}?", with_tavish(*talks)
    [insight] = answered(question, TALKS, dealings)
    assert insight.claim is not None
    claim = claim_of(insight.claim.of, insight.claim.how_often, dealings, TALKS)
    assert claim.is_earned
    assert ("often" in insight.statement) <= (len(talks) >= 3)


def test_the_sight_of_another_agent_is_no_insight() -> None:
    question = f"What is going on between {UNA} and {TAVISH}?"
    seen = memory(f"{TAVISH} is mending a net", MemoryOrigin.PERCEIVED_AGENT, subject=TAVISH)
    assert answered(question, (replace(seen, times=9), seen), with_tavish()) == ()


def test_what_the_other_one_has_told_of_itself_belongs_to_an_insight() -> None:
    told = memory(
        f"{TAVISH} told {UNA} that {TAVISH} is carving a chessboard",
        MemoryOrigin.LEARNED,
        kind=MemoryKind.DIALOGUE,
        subject=TAVISH,
    )
    question = f"What is going on between {UNA} and {TAVISH}?"
    [insight] = answered(question, (*TALKS, told), with_tavish(0.2, 0.1))
    assert f"{TAVISH} is carving a chessboard" in insight.statement
    assert len(TALKS) + 1 in insight.because_of


def test_an_insight_that_no_longer_holds_is_revised() -> None:
    question = f"What has changed between {UNA} and {TAVISH}?"
    [more] = answered(question, TALKS, with_tavish(5, 0.2, 0.1))
    remembered = memory(
        more.statement, MemoryOrigin.INSIGHT, kind=MemoryKind.REFLECTION, subject=TAVISH
    )
    [less] = answered(question, (*TALKS, remembered), with_tavish(7, 6, 5))
    assert less.statement != more.statement
    assert less.replaces == len(TALKS) + 1
    still = answered(question, (*TALKS, remembered), with_tavish(5, 1.2, 0.2, 0.1))
    assert all(one.replaces is None for one in still), "it holds"


def test_a_friend_that_is_talked_with_less_is_missed_and_another_one_is_not() -> None:
    question, fewer = f"What has changed between {UNA} and {TAVISH}?", with_tavish(7, 6, 5)
    friend = memory(f"{UNA} is a friend of {TAVISH}", subject=TAVISH)
    found = " ".join(concluded(question, (friend, *TALKS), fewer))
    assert "misses" in found or "would like to see more" in found
    assert "less" not in found
    known = " ".join(concluded(question, TALKS, fewer))
    assert "less" in known


def test_a_guest_has_agreed_to_come_and_not_to_host() -> None:
    agreed = memory(
        f"{UNA} agreed to host the harvest supper",
        MemoryOrigin.AGREED,
        subject=TAVISH,
        scheduled=ScheduledActivity(
            activity="host the harvest supper", ends=NOW + timedelta(days=1)
        ),
    )
    question = f"What is going on between {UNA} and {TAVISH}?"
    [insight] = answered(question, (*TALKS, agreed), with_tavish(0.2, 0.1))
    assert "host" not in insight.statement
    assert f"{TAVISH} has agreed to come to the harvest supper" in insight.statement or (
        f"counts on {TAVISH} for the harvest supper" in insight.statement
    )


def test_two_insights_at_once_do_not_end_in_the_same_way() -> None:
    told = memory(
        f"{TAVISH} told {UNA} that {TAVISH} is carving a chessboard",
        MemoryOrigin.LEARNED,
        subject=TAVISH,
    )
    friend = memory(f"{UNA} is a friend of {TAVISH}", subject=TAVISH)
    question = f"What is going on between {UNA} and {TAVISH}?"
    found = answered(question, (friend, *TALKS, told), with_tavish(5, 0.2, 0.1))
    assert len(found) == 2
    assert sum("chessboard" in one.statement for one in found) == 1


def test_a_party_that_is_past_is_over() -> None:
    supper = (memory(SUPPER), memory(f"{UNA} is cooking for the harvest supper"))
    ahead = concluded("What of the harvest supper?", supper)
    over = concluded(
        "What of the harvest supper?",
        [
            replace(one, description=one.description.replace("June 4", "June 2"))
            for one in supper
        ],
    )
    assert all("over" in one or "done with" in one for one in over)
    assert over
    assert not any("over" in one for one in ahead)


def test_feelings_follow_from_the_description() -> None:
    cold = (
        memory(f"{UNA} dislikes {FINN}", subject=FINN),
        memory(f"{FINN} is singing", subject=FINN),
    )
    found = concluded(FINN, cold)
    assert any("at ease" in one or "reservations" in one or "distance" in one for one in found)


def test_nothing_is_concluded_from_what_is_mentioned_once() -> None:
    assert concluded(f"Who is {MOR}?", [memory(f"{MOR} is singing", subject=MOR)]) == {}


@given(st.lists(st.text(max_size=60), min_size=1, max_size=6))
@settings(deadline=None)
def test_any_memories_raise_three_questions(texts: list[str]) -> None:
    assert len(set(asked([memory(text) for text in texts]))) == 3


def test_the_host_of_a_gathering_is_not_whoever_tells_of_it() -> None:
    told = memory(
        f"{MOR} told {UNA} that {TAVISH} is giving a harvest supper on June 4, 1872",
        MemoryOrigin.LEARNED,
        kind=MemoryKind.DIALOGUE,
        subject=MOR,
    )
    others = (told, memory(f"{UNA} and {MOR} talked", MemoryOrigin.CONVERSATION, subject=MOR))
    found = " ".join(concluded("What of the harvest supper?", (told, *others)))
    assert f"{TAVISH}'s harvest supper" in found
    assert f"from {MOR}" in found or f"through {MOR}" in found


def test_what_is_an_insight_already_is_not_concluded_in_other_words() -> None:
    question = f"What is going on between {UNA} and {TAVISH}?"
    dealings = with_tavish(0.2, 0.1)
    ways = set()
    for seed in range(20):
        inputs = InsightsInput(
            agent_name=UNA,
            summary=None,
            now=NOW,
            questions=(asked_of(question, TALKS),),
            memories=TALKS,
            dealings=(dealings,),
        )
        answer = TASK_RULES[INSIGHTS.name](inputs, Chance(seed, INSIGHTS.name, "1"))
        assert isinstance(answer, Insights)
        ways |= {one.statement for one in answer.insights}
    assert len(ways) > 1
    for known in ways:
        remembered = memory(known, MemoryOrigin.INSIGHT, kind=MemoryKind.REFLECTION)
        assert concluded(question, (*TALKS, remembered), dealings) == {}


def test_the_day_of_a_talk_about_a_party_is_not_the_day_of_the_party() -> None:
    """A condensed day ends with its date: "declined to come to …, in a talk on …"."""
    day_before = NOW - timedelta(days=1)
    kept = memory(
        f"{UNA} declined to come to {TAVISH}'s harvest supper, in a talk on "
        f"{day_before:%A, %B} {day_before.day}, {day_before.year}",
        MemoryOrigin.CONSOLIDATION,
        kind=MemoryKind.REFLECTION,
    )
    told = memory(
        f"{TAVISH} invited {UNA} to {TAVISH}'s harvest supper on June 4, 1872",
        MemoryOrigin.LEARNED,
        subject=TAVISH,
    )
    gist = memory(
        f"{UNA} and {TAVISH} talked about {TAVISH}'s harvest supper and mending the nets "
        f"on {day_before:%B} {day_before.day}, {day_before.year}",
        MemoryOrigin.CONVERSATION,
        subject=TAVISH,
    )
    found = concluded("What of the harvest supper?", (kept, gist, told))
    assert found
    assert not any("over" in one or "done with" in one for one in found)


def test_a_party_that_is_over_is_no_longer_looked_forward_to() -> None:
    supper = (memory(SUPPER), memory(f"{UNA} is cooking for the harvest supper"))
    [ahead] = [
        one
        for one in answered("What of the harvest supper?", supper)
        if "forward" in one.statement or "turns out" in one.statement
    ]
    known = memory(ahead.statement, MemoryOrigin.INSIGHT, kind=MemoryKind.REFLECTION)
    past = [
        replace(one, description=one.description.replace("June 4", "June 2")) for one in supper
    ]
    [over] = answered("What of the harvest supper?", (*past, known))
    assert over.replaces == 3


def test_a_party_without_a_day_is_not_looked_forward_to() -> None:
    undated = (
        memory(f"{UNA} is planning a harvest supper at Kelp Hall from 4:00 pm to 5:00 pm"),
        memory(f"{UNA} is cooking for the harvest supper"),
    )
    found = concluded("What of the harvest supper?", undated)
    assert not any("forward" in one or "turns out" in one for one in found)


def test_news_from_several_agents_is_thought_about_when_it_is_over() -> None:
    news = f"{FINN} is giving a harvest supper on June 2, 1872"
    told = [
        memory(f"{teller} told {UNA} that {news}", MemoryOrigin.LEARNED, subject=teller)
        for teller in (TAVISH, MOR)
    ]
    known = memory(
        f"{UNA} is looking forward to {FINN}'s harvest supper on June 2, 1872",
        MemoryOrigin.INSIGHT,
        kind=MemoryKind.REFLECTION,
    )
    over, heard = answered("What of the harvest supper?", (*told, known))
    assert "over" in over.statement
    assert over.replaces == 3
    assert "several" in heard.statement or "more than one" in heard.statement


def test_an_insight_is_given_once_and_names_its_question() -> None:
    memories = (*BOAT, *TALKS)
    boat, tavish = (
        asked_of(text, memories)
        for text in (f"What is {UNA} building with the herring boat?", f"Who is {TAVISH}?")
    )
    inputs = InsightsInput(
        agent_name=UNA,
        summary=None,
        now=NOW,
        questions=(boat, tavish, boat),
        memories=memories,
        dealings=(with_tavish(0.2, 0.1),),
    )
    answer = TASK_RULES[INSIGHTS.name](inputs, Chance(1, INSIGHTS.name, "1"))
    assert isinstance(answer, Insights)
    of_question = [("boat" in one.statement, one.question) for one in answer.insights]
    assert sorted(set(of_question)) == [(False, 2), (True, 1)]
