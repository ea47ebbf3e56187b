"""Memories as lines of prompts: their time, routine and repetitions, what no longer holds."""

from dataclasses import replace
from datetime import datetime, timedelta

from apps.agents.events import ActionKind
from apps.agents.status import Agreement, PlannedTime
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem, without_outlined
from apps.memory.prompt_lines import budget_line, memory_text, memory_texts, worth_printing
from apps.memory.retrieval import RankedMemory
from apps.memory.rules import ROUTINE_IMPORTANCE, SIGHT_IMPORTANCE_MAX
from tests.support.turns import ranked

MORNING = datetime(2023, 2, 13, 7, 36)
COOKING = MemoryItem(
    number=4,
    kind=MemoryKind.OBSERVATION,
    origin=MemoryOrigin.PERCEIVED_AGENT,
    description="Mei Lin is cooking congee",
    importance=1,
    formed_at=MORNING,
)


def seen(number: int, description: str, **changes: object) -> RankedMemory:
    facts = {"origin": MemoryOrigin.PERCEIVED_AGENT, "subject": "mei-lin", **changes}
    return replace(ranked(number, description), **facts)  # type: ignore[arg-type]


class TestLine:
    def test_has_the_day_and_the_time_of_the_memory(self) -> None:
        assert memory_text(COOKING) == "Mon 13 Feb 7:36 am: Mei Lin is cooking congee"

    def test_is_left_out_where_the_plan_of_its_day_is_printed(self) -> None:
        lunch = ScheduledActivity(
            activity="have lunch", place="home", starts=MORNING, ends=None
        )
        plan = replace(COOKING, origin=MemoryOrigin.PLANNED, scheduled=lunch)
        today = PlannedTime(starts=MORNING, ends=MORNING, activity="have tea", place="home")
        tomorrow = replace(today, starts=MORNING + timedelta(days=1))
        assert without_outlined([COOKING, plan], []) == (COOKING, plan)
        assert without_outlined([COOKING, plan], [today]) == (COOKING,)
        assert without_outlined([COOKING, plan], [tomorrow]) == (COOKING, plan)

    def test_is_left_out_where_the_prompt_has_its_words_besides(self) -> None:
        summary = "Mei Lin is cooking congee and content."
        assert memory_texts([COOKING], besides=[summary]) == []
        assert len(memory_texts([COOKING], besides=["Mei Lin is cooking"])) == 1

    def test_is_left_out_where_the_prompt_lists_the_agreement(self) -> None:
        supper = ScheduledActivity(activity="have supper", starts=MORNING, ends=MORNING)
        made = replace(COOKING, origin=MemoryOrigin.AGREED, scheduled=supper)
        agreement = Agreement(
            activity="have supper", place="", starts=MORNING, ends=MORNING, other="John Lin"
        )
        later = replace(agreement, starts=MORNING + timedelta(days=1))
        assert memory_texts([made], agreements=[agreement]) == []
        assert len(memory_texts([made], agreements=[later])) == 1

    def test_is_left_out_where_the_prompt_tells_what_was_done(self) -> None:
        own = replace(COOKING, origin=MemoryOrigin.OWN_ACTION)
        assert memory_texts([own], done_since=MORNING - timedelta(hours=1)) == []
        assert len(memory_texts([own], done_since=MORNING)) == 1
        assert len(memory_texts([COOKING], done_since=MORNING - timedelta(hours=1))) == 1

    def test_is_left_out_of_a_small_action_of_the_company(self) -> None:
        sight = replace(COOKING, subject_name="Mei Lin")
        notable = replace(sight, importance=SIGHT_IMPORTANCE_MAX + 1)
        assert memory_texts([sight], company=["Mei Lin"]) == []
        assert len(memory_texts([sight], company=["John Lin"])) == 1
        assert len(memory_texts([notable], company=["Mei Lin"])) == 1

    def test_of_a_phrase_of_the_description_has_no_time(self) -> None:
        phrase = replace(COOKING, origin=MemoryOrigin.DESCRIPTION)
        assert memory_text(phrase) == "Mei Lin is cooking congee"

    def test_says_since_when_a_memory_no_longer_holds(self) -> None:
        agreed = replace(COOKING, superseded_at=datetime(2023, 2, 13, 17, 14))
        assert memory_text(agreed).endswith("congee (superseded on Mon 13 Feb 5:14 pm)")

    def test_says_that_what_an_insight_rests_on_is_over(self) -> None:
        party = ScheduledActivity(activity="", ends=datetime(2023, 2, 14, 19))
        insight = replace(COOKING, origin=MemoryOrigin.INSIGHT, scheduled=party)
        assert memory_text(insight).endswith("congee")
        over = memory_text(replace(insight, is_over=True))
        assert over.endswith("congee (it rests on what ended on Tue 14 Feb 7:00 pm)")
        stored = seen(4, COOKING.description, origin=MemoryOrigin.INSIGHT, scheduled=party)
        assert len(over) <= len(budget_line(stored)) + 1, "7:00 pm and 12:00 am"

    def test_says_how_often_it_was_perceived_and_when_last(self) -> None:
        daily = replace(COOKING, times=4, repeated_at=datetime(2023, 2, 16, 17, 40))
        assert memory_text(daily).endswith("congee (4 times, last on Thu 16 Feb 5:40 pm)")

    def test_is_not_longer_than_what_the_budget_counts(self) -> None:
        latest = datetime(2023, 9, 28, 12, 36)
        for origin in (MemoryOrigin.DESCRIPTION, MemoryOrigin.AGREED):
            for tick, time in ((None, None), (5, latest)):
                item = replace(
                    COOKING,
                    origin=origin,
                    times=3,
                    formed_at=latest,
                    superseded_at=time,
                    repeated_at=time,
                )
                stored = seen(
                    4,
                    COOKING.description,
                    origin=origin,
                    times=3,
                    superseded=tick,
                    last_repeated_tick=tick,
                )
                assert len(memory_text(item)) <= len(budget_line(stored))


class TestWorthPrinting:
    def test_keeps_the_latest_of_repetitions_at_the_first_place(self) -> None:
        lecture = "Mei Lin is holding a lecture on moral responsibility"
        memories = [
            seen(5, lecture),
            seen(6, "Mei Lin is reading"),
            seen(9, lecture.upper()),
            seen(7, lecture),
        ]
        assert [one.number for one in worth_printing(memories)] == [9, 6]

    def test_keeps_the_same_words_about_another_subject(self) -> None:
        memories = [seen(5, "is taken", subject="podium"), seen(6, "is taken", subject="desk")]
        assert worth_printing(memories) == memories

    def test_leaves_out_the_sight_of_own_conversations(self) -> None:
        talks = seen(7, "Mei Lin is talking with John Lin", action=ActionKind.TALKING)
        assert worth_printing([replace(talks, importance=ROUTINE_IMPORTANCE)]) == []
        assert worth_printing([talks]) == [talks]

    def test_leaves_out_routine_by_the_kind_of_the_action(self) -> None:
        walks = seen(5, "Mei Lin is off to the college", action=ActionKind.WALKING)
        naps = seen(6, "Mei Lin has closed her eyes", action=ActionKind.SLEEPING)
        talks = seen(7, "Mei Lin is walking John through the plan", action=ActionKind.TALKING)
        works = seen(8, "Mei Lin is sleeping badly", action=ActionKind.PLANNED)
        assert worth_printing([walks, naps, talks, works]) == [talks, works]

    def test_leaves_out_own_actions_that_are_rated_mundane(self) -> None:
        own = {"origin": MemoryOrigin.OWN_ACTION, "action": ActionKind.PLANNED}
        brushes = seen(5, "Mei Lin is brushing her teeth", importance=1, **own)
        signs = seen(6, "Mei Lin is signing the contract", importance=6, **own)
        assert worth_printing([brushes, signs]) == [signs]
