"""Revising the rest of a day: its times, its answers, and the hours that continue others."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.planning.events import HoursPlanned
from apps.planning.inputs import ReactionReason
from apps.planning.llm_tasks.revised_hours import HourChange, RevisedHours
from apps.planning.revision import ImmediateActivity, revise_hours, stored_hour
from apps.planning.rules import PlanItem
from tests.unit.planning.people import (
    ADA,
    CALENDAR,
    planned,
    planning_context_of,
    scripted_mind,
    tick,
)

REASON = ReactionReason(observation="the stove is burning", activity="put it out")
PUT_OUT = ImmediateActivity(description="put it out", place="Mill Cottage: kitchen", ticks=60)


def rest_at(now: int) -> list[PlanItem]:
    """Return Ada's planned hours that are not over at the tick."""
    hours = planned(ADA).hours
    return [stored_hour(hours.day, item) for item in hours.items if item.to_tick > now]


def change(starts: str, ends: str, activity: str, place: str = "Mill Cottage") -> HourChange:
    return HourChange(starts=starts, ends=ends, activity=activity, place=place)


def revised(
    now: int,
    *changes: HourChange,
    dropped: tuple[int, ...] = (),
    bedtime: str | None = None,
    first: ImmediateActivity | None = None,
    rest: list[PlanItem] | None = None,
) -> HoursPlanned | None:
    return revise_hours(
        scripted_mind(
            revised_hours=RevisedHours(
                changes=list(changes), dropped=list(dropped), bedtime=bedtime
            )
        ),
        planning_context_of(ADA),
        rest=rest_at(now) if rest is None else rest,
        now_tick=now,
        reasons=(REASON,),
        first=first,
        next_number=90,
    )


def items_of(hours: HoursPlanned | None) -> list[tuple[str, str, str]]:
    """Return the waking hours with their times of day."""
    assert hours is not None
    return [
        (
            f"{CALENDAR.time_at(item.from_tick):%H:%M}",
            f"{CALENDAR.time_at(item.to_tick):%H:%M}",
            item.description,
        )
        for item in hours.items
        if not item.asleep
    ]


hours_of_day, minutes = st.integers(0, 30), st.integers(0, 59)
WORK, EVENING = "go on with the work of the day", "spend a quiet evening at home"


class TestReviseHours:
    @pytest.mark.parametrize("clock", ["6:30", "7:00", "9:15", "21:50"])
    def test_covers_the_rest_of_the_day_after_an_immediate_activity(self, clock: str) -> None:
        hours = revised(tick(clock), first=PUT_OUT)
        assert hours is not None
        edges = [tick(clock), *(item.to_tick for item in hours.items)]
        assert [item.from_tick for item in hours.items] == edges[:-1]
        assert edges[-1] == rest_at(tick(clock))[-1].to_tick
        assert [item.number for item in hours.items] == list(range(90, 90 + len(hours.items)))

    def test_is_nothing_without_a_change(self) -> None:
        assert revised(tick("7:10")) is None

    def test_begins_with_the_first_change_and_splits_the_hours_at_its_times(self) -> None:
        hours = revised(tick("9:15"), change("19:30", "20:00", "listen to  the piece"))
        assert items_of(hours)[:3] == [
            ("19:30", "20:00", "listen to the piece"),
            ("20:00", "21:00", EVENING),
            ("21:00", "21:30", EVENING),
        ]

    def test_keeps_the_night(self) -> None:
        hours = revised(tick("9:15"), change("19:30", "20:00", "listen"))
        assert hours is not None
        assert hours.items[-1].asleep
        assert hours.items[-1].to_tick == tick("6:30", 14)

    def test_divides_a_long_change_by_the_hour(self) -> None:
        hours = revised(tick("9:15"), change("13:00", "16:00", "row"))
        assert items_of(hours)[:3] == [
            ("13:00", "14:00", "row"),
            ("14:00", "15:00", "row"),
            ("15:00", "16:00", "row"),
        ]

    def test_makes_free_time_of_what_is_dropped(self) -> None:
        at = [item.description for item in rest_at(tick("9:15"))].index(EVENING)
        hours = revised(tick("9:15"), dropped=(at + 1,))
        assert items_of(hours)[0][2] == "take some free time"
        assert hours is not None
        assert hours.items[0].free

    def test_ignores_the_number_of_no_hour(self) -> None:
        assert revised(tick("9:15"), dropped=(99, 0)) is None

    def test_joins_a_rest_of_a_few_minutes_to_the_change_before_it(self) -> None:
        hours = revised(tick("9:15"), change("19:10", "19:55", "listen"))
        assert items_of(hours)[:2] == [
            ("19:10", "20:00", "listen"),
            ("20:00", "21:00", EVENING),
        ]

    def test_begins_with_what_is_done_at_once(self) -> None:
        hours = revised(tick("7:10"), first=PUT_OUT)
        assert hours is not None
        first, second, *_ = hours.items
        assert (first.description, first.place) == ("put it out", "Mill Cottage: kitchen")
        assert first.to_tick == second.from_tick == tick("7:20")

    def test_leaves_no_few_minutes_after_what_is_done_at_once(self) -> None:
        hours = revised(tick("7:12"), first=PUT_OUT)
        assert items_of(hours)[0] == ("07:12", "07:30", "put it out")

    def test_may_be_filled_by_what_is_done_at_once(self) -> None:
        endless = ImmediateActivity(description="run", place="Mill Cottage", ticks=10**6)
        hours = revised(tick("7:10"), first=endless)
        assert hours is not None
        [item] = hours.items
        assert item.to_tick == rest_at(tick("7:10"))[-1].to_tick

    def test_needs_something_that_is_left(self) -> None:
        with pytest.raises(ValueError, match="no planned hour is left"):
            revised(tick("7:10"), rest=[])

    def test_goes_to_bed_later(self) -> None:
        hours = revised(tick("20:30"), change("21:45", "23:30", "dance"), bedtime="23:45")
        assert items_of(hours) == [
            ("21:45", "23:00", "dance"),
            ("23:00", "23:30", "dance"),
            ("23:30", "23:45", "take some free time"),
        ]
        assert hours is not None
        assert hours.items[-1].asleep
        assert hours.items[-1].from_tick == tick("23:45")
        assert hours.items[-1].to_tick == tick("6:30", 14)

    def test_goes_to_bed_earlier(self) -> None:
        hours = revised(tick("18:30"), bedtime="20:15")
        assert hours is not None
        [night] = hours.items
        assert night.asleep
        assert (night.from_tick, night.to_tick) == (tick("20:15"), tick("6:30", 14))

    def test_sleeps_three_hours_at_least(self) -> None:
        hours = revised(tick("18:30"), bedtime="05:00")
        assert hours is not None
        assert hours.items[0].free
        assert hours.items[-1].from_tick == tick("3:30", 14)

    @settings(max_examples=60, deadline=None)
    @given(
        st.lists(
            st.builds(
                change,
                st.builds("{:02d}:{:02d}".format, st.integers(0, 30), st.integers(0, 59)),
                st.builds("{:02d}:{:02d}".format, st.integers(0, 30), st.integers(0, 59)),
                st.just("sing"),
            ),
            max_size=6,
        ),
        st.lists(st.integers(-1, 20), max_size=3),
        st.integers(0, 15 * 360),
        st.one_of(st.none(), st.builds("{:02d}:{:02d}".format, hours_of_day, minutes)),
    )
    def test_leaves_no_gap_whatever_is_answered(
        self, changes: list[HourChange], dropped: list[int], late: int, bedtime: str | None
    ) -> None:
        now = tick("6:30") + late
        hours = revised(now, *changes, dropped=tuple(dropped), bedtime=bedtime)
        if hours is None:
            return
        edges = [hours.items[0].from_tick, *(item.to_tick for item in hours.items)]
        assert [item.from_tick for item in hours.items] == edges[:-1]
        assert edges == sorted(set(edges))
        assert now <= edges[0]
        assert edges[-1] == tick("6:30", 14)


class TestContinuedHours:
    def test_name_the_hour_whose_rest_they_are(self) -> None:
        broken_off, *whole = rest_at(tick("7:10"))
        hours = revised(tick("7:10"), first=PUT_OUT)
        assert hours is not None
        first, rest, *later = hours.items
        assert first.continues == 0
        assert rest.continues == broken_off.number
        assert [item.continues for item in later] == [0] * len(whole)

    def test_name_the_first_one_after_a_second_interruption(self) -> None:
        broken_off = rest_at(tick("7:00"))[0]
        once = revised(tick("7:00"), first=PUT_OUT)
        assert once is not None
        again = [stored_hour(once.day, item) for item in once.items[1:]]
        twice = revised(tick("7:12"), first=replace(PUT_OUT, ticks=6), rest=again)
        assert twice is not None
        assert twice.items[1].continues == broken_off.number

    def test_name_the_part_before_a_change(self) -> None:
        hours = revised(tick("9:15"), change("19:30", "19:40", "listen"))
        assert hours is not None
        split = next(item for item in rest_at(tick("9:15")) if item.to_tick > tick("19:30"))
        assert hours.items[1].continues == split.number

    def test_name_the_new_part_where_the_change_is_not_the_first(self) -> None:
        hours = revised(
            tick("9:15"), change("13:00", "14:00", "row"), change("19:30", "19:40", "listen")
        )
        assert hours is not None
        before = next(item for item in hours.items if item.to_tick == tick("19:30"))
        after = next(item for item in hours.items if item.from_tick == tick("19:40"))
        assert after.continues == before.number
