"""Planning a day, whatever a model answers."""

from collections.abc import Sequence
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.items import NewMemory
from apps.planning.commands import DayPlan, plan_day
from apps.planning.events import PlannedItem
from apps.planning.llm_tasks.day_outline import DayOutline, OutlineChunk, ordinary_day
from apps.planning.llm_tasks.hourly_plan import HourActivity, HourlyPlan, hours_as_planned
from tests.support.llm_doubles import Scripted
from tests.unit.planning.people import (
    ADA,
    ISABELLA,
    planned,
    planning_context_of,
    scripted_mind,
    tick,
)

HOME = "Isabella Rodriguez's apartment"
MINUTES_MIN = 10
NOTHING_ASKED: dict[str, Scripted] = {}

chunks = st.builds(
    OutlineChunk,
    starts=st.one_of(
        st.builds("{:02d}:{:02d}".format, st.integers(0, 30), st.integers(0, 59)), st.text()
    ),
    activity=st.text(max_size=400),
    place=st.one_of(st.sampled_from(["Hobbs Cafe", "the park", HOME]), st.text()),
)
hours = st.builds(
    HourActivity,
    time=st.integers(-3, 40),
    activity=st.text(max_size=400),
    place=st.one_of(st.sampled_from(["Hobbs Cafe", "johnson park"]), st.text()),
)


def spans(items: Sequence[PlannedItem]) -> list[tuple[int, int]]:
    return [(item.from_tick, item.to_tick) for item in items]


def tiles(items: Sequence[PlannedItem], start: int, end: int) -> bool:
    edges = [start, *(item.to_tick for item in items)]
    return edges[-1] == end and all(
        item.from_tick == edge < item.to_tick
        for item, edge in zip(items, edges[:-1], strict=True)
    )


def day_of(outline: DayOutline, hourly: HourlyPlan, *, at: str = "6:00") -> DayPlan:
    llm = scripted_mind(day_outline=outline, hourly_plan=hourly)
    return plan_day(
        llm, planning_context_of(ISABELLA), now_tick=tick(at), yesterday=None, next_number=1
    )


class TestPlanDay:
    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(chunks, min_size=1, max_size=14), st.lists(hours, max_size=30))
    def test_has_no_gap_and_no_overlap_whatever_is_answered(
        self, outline: list[OutlineChunk], hourly: list[HourActivity]
    ) -> None:
        plan = day_of(DayOutline(chunks=outline), HourlyPlan(hours=hourly))
        outlined, planned_hours = plan.outlined.items, plan.hours.items
        assert tiles(outlined, tick("6:00"), tick("6:00", 14))
        assert len(outlined) >= 6
        assert all(end - start >= MINUTES_MIN * 6 for start, end in spans(outlined))
        for chunk in outlined:
            parts = [hour for hour in planned_hours if hour.parent == chunk.number]
            assert tiles(parts, chunk.from_tick, chunk.to_tick)
        numbers = [item.number for item in (*outlined, *planned_hours)]
        assert numbers == list(range(1, len(numbers) + 1))

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(chunks, min_size=1, max_size=14), st.lists(hours, max_size=30))
    def test_names_only_known_places_and_says_something_everywhere(
        self, outline: list[OutlineChunk], hourly: list[HourActivity]
    ) -> None:
        plan = day_of(DayOutline(chunks=outline), HourlyPlan(hours=hourly))
        of = planning_context_of(ISABELLA)
        for item in (*plan.outlined.items, *plan.hours.items):
            assert item.place in of.known
            assert item.description
            assert not item.description.startswith(f"{ISABELLA} ")

    def test_ends_with_sleep_where_the_bed_is(self) -> None:
        plan = planned(ISABELLA)
        night = plan.hours.items[-1]
        assert night.asleep
        assert night.place == f"{HOME}: main room"
        assert spans([night]) == [(tick("23:00"), tick("6:00", 14))]
        assert night.parent == plan.outlined.items[-1].number

    def test_puts_chunks_in_order_and_halves_the_longest(self) -> None:
        outline = DayOutline(
            chunks=[
                OutlineChunk(starts="20:00", activity="rest", place=HOME),
                OutlineChunk(starts="06:00", activity="wash", place=HOME),
                OutlineChunk(starts="07:00", activity="work", place="Hobbs Cafe"),
                OutlineChunk(starts="12:00", activity="eat", place="Hobbs Cafe"),
            ]
        )
        plan = day_of(outline, HourlyPlan(hours=[]))
        assert [item.description for item in plan.outlined.items] == [
            "wash",
            "work",
            "eat",
            "eat",
            "rest",
            "sleep",
        ]

    def test_becomes_memories_with_the_facts_behind_them(self) -> None:
        first, *_, last = planned(ADA).outline_memories
        assert first == NewMemory(
            kind=MemoryKind.PLAN,
            origin=MemoryOrigin.PLANNED,
            description=(
                "Ada Finch plans on Monday, February 13, 2023 from 6:30 am to 7:30 am at Mill "
                "Cottage: wake up and complete the morning routine"
            ),
            scheduled=ScheduledActivity(
                activity="wake up and complete the morning routine",
                place="Mill Cottage",
                starts=datetime(2023, 2, 13, 6, 30),
                ends=datetime(2023, 2, 13, 7, 30),
            ),
        )
        assert last.scheduled is not None
        assert last.scheduled.activity == "sleep"
        assert last.scheduled.ends == datetime(2023, 2, 14, 6, 30)

    @pytest.mark.parametrize(
        "odd", ["Going to bed", "John and Mei have breakfast together", 'sing "Happy Birthday"']
    )
    def test_stores_odd_answers_word_for_word(self, odd: str) -> None:
        outline = DayOutline(
            chunks=[
                OutlineChunk(starts=f"{hour}:00", activity=odd, place=HOME)
                for hour in range(6, 23, 3)
            ]
        )
        hourly = HourlyPlan(
            hours=[HourActivity(time=n, activity=f" {odd}\n", place=HOME) for n in range(1, 20)]
        )
        plan = day_of(outline, hourly)
        items = [item for item in (*plan.outlined.items, *plan.hours.items) if not item.asleep]
        assert {item.description for item in items} == {odd}

    def test_gives_the_same_words_to_both_halves_of_a_long_chunk(self) -> None:
        one = OutlineChunk(starts="06:00", activity="write", place=HOME)
        plan = day_of(DayOutline(chunks=[one]), HourlyPlan(hours=[]))
        chunks = [item.description for item in plan.outlined.items]
        assert chunks == ["write"] * (len(chunks) - 1) + ["sleep"]
        assert len(chunks) > 2

    def test_starts_now_for_who_is_woken_late(self) -> None:
        plan = plan_day(
            scripted_mind(day_outline=ordinary_day, hourly_plan=hours_as_planned),
            planning_context_of(ISABELLA),
            now_tick=tick("9:17"),
            yesterday=None,
            next_number=31,
        )
        assert tiles(plan.outlined.items, tick("9:17"), tick("6:00", 14))
        assert plan.outlined.items[0].number == 31

    def test_is_sleep_again_in_the_night_and_asks_nothing(self) -> None:
        plan = plan_day(
            scripted_mind(**NOTHING_ASKED),
            planning_context_of(ISABELLA),
            now_tick=tick("2:00"),
            yesterday=None,
            next_number=1,
        )
        assert [item.asleep for item in plan.hours.items] == [True]
        assert tiles(plan.hours.items, tick("2:00"), tick("6:00"))
        assert plan.outline_memories == ()

    def test_is_an_ordinary_day_when_the_answer_stays_invalid(self) -> None:
        llm = scripted_mind(day_outline=lambda _: "no", hourly_plan=lambda _: "{}")
        plan = plan_day(
            llm,
            planning_context_of(ISABELLA),
            now_tick=tick("6:00"),
            yesterday=None,
            next_number=1,
        )
        assert "go about the work of the day" in [i.description for i in plan.outlined.items]
        assert tiles(plan.hours.items, tick("6:00"), tick("6:00", 14))

    def test_finds_the_hour_of_a_tick(self) -> None:
        plan = planned(ISABELLA)
        assert plan.hour_at(tick("6:00")) == plan.hours.items[0]
        with pytest.raises(ValueError, match="not in the plan-day"):
            plan.hour_at(tick("6:00", 14))
