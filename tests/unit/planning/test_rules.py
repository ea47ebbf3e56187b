"""Plan-days: from waking to the next waking, whoever wakes when."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.agents.acts import ActKind
from apps.agents.summary import Hours
from apps.kernel.game_time import GameCalendar
from apps.planning.events import PlannedAction, PlannedItem
from apps.planning.revision import stored_hour
from apps.planning.rules import (
    PlanItem,
    hours_of,
    next_waking,
    plan_day_at,
    planned_action,
    planned_hour,
)
from apps.planning.tiling import Span

EARLY = Hours(wake=360, sleep=1_380)
LATE = Hours(wake=600, sleep=1_560)
CALENDAR = GameCalendar(datetime(2023, 2, 13), 10)
any_hours = st.integers(0, 1_200).flatmap(
    lambda wake: st.integers(wake + 60, wake + 1_380).map(
        lambda sleep: Hours(wake=wake, sleep=sleep)
    )
)


def tick(clock: str, day: int = 13) -> int:
    return CALENDAR.tick_at(datetime.fromisoformat(f"2023-02-{day}T{clock}"))


class TestStoredItems:
    def test_of_hours_have_all_values_of_the_event(self) -> None:
        hour = PlannedItem(
            number=7,
            parent=2,
            description="open the cafe",
            place="Hobbs Cafe",
            from_tick=90,
            to_tick=120,
            asleep=False,
            continues=5,
            free=True,
        )
        assert planned_hour(stored_hour("2023-02-13", hour)) == hour

    def test_of_actions_have_all_values_of_the_event(self) -> None:
        shared: dict[str, Any] = {
            "number": 8,
            "parent": 7,
            "description": "serving coffee",
            "object": "Hobbs Cafe: counter: machine",
            "object_state": "running",
            "emoji": "☕",
            "from_tick": 90,
            "to_tick": 100,
            "asleep": False,
            "importance": 3,
            "act": ActKind.GIVE,
            "other": "klaus",
            "about": "a cup",
            "with_agents": ("maria",),
        }
        stored = PlanItem(**shared, level="action", day="", place="Hobbs Cafe: counter")
        assert planned_action(stored) == PlannedAction(**shared, area="Hobbs Cafe: counter")


class TestPlanDayAt:
    def test_runs_from_waking_to_the_next_waking(self) -> None:
        day = plan_day_at(EARLY, CALENDAR, tick("06:00"))
        assert day.day == "2023-02-13"
        assert (day.bed_tick, day.to_tick) == (tick("23:00"), tick("06:00", 14))

    def test_holds_sleep_past_midnight(self) -> None:
        day = plan_day_at(LATE, CALENDAR, tick("10:00"))
        assert (day.bed_tick, day.to_tick) == (tick("02:00", 14), tick("10:00", 14))

    def test_is_still_the_same_day_after_midnight_for_who_is_up_late(self) -> None:
        day = plan_day_at(LATE, CALENDAR, tick("00:30", 14))
        assert day.day == "2023-02-13"
        assert (day.from_tick, day.bed_tick) == (tick("00:30", 14), tick("02:00", 14))

    def test_begins_now_for_who_is_woken_late(self) -> None:
        day = plan_day_at(EARLY, CALENDAR, tick("09:17"))
        assert (day.from_tick, day.to_tick) == (tick("09:17"), tick("06:00", 14))

    def test_begins_early_for_who_wakes_shortly_before_the_hour(self) -> None:
        day = plan_day_at(EARLY, CALENDAR, tick("04:30", 14))
        assert day.day == "2023-02-14"
        assert day.to_tick == tick("06:00", 15)

    def test_leaves_nothing_but_sleep_to_who_wakes_in_the_night(self) -> None:
        day = plan_day_at(EARLY, CALENDAR, tick("02:00", 14))
        assert day.awake.ticks == 0
        assert (day.asleep.from_tick, day.to_tick) == (tick("02:00", 14), tick("06:00", 14))

    @given(any_hours, st.integers(8_640, 40_000))
    def test_covers_now_to_a_waking_hour_for_anybody(self, hours: Hours, now: int) -> None:
        day = plan_day_at(hours, CALENDAR, now)
        assert now == day.from_tick <= day.bed_tick <= day.to_tick
        assert day.to_tick == next_waking(hours, CALENDAR, day.to_tick)
        assert 0 < day.to_tick - now <= 26 * 360


class TestNextWaking:
    @pytest.mark.parametrize(
        ("now", "expected"),
        [
            (tick("00:00"), tick("06:00")),
            (tick("06:00"), tick("06:00")),
            (tick("06:01"), tick("06:00", 14)),
        ],
    )
    def test_is_the_first_waking_hour_from_then_on(self, now: int, expected: int) -> None:
        assert next_waking(EARLY, CALENDAR, now) == expected


class TestHoursOf:
    def test_cuts_where_the_clock_strikes(self) -> None:
        hours = hours_of(Span(tick("07:30"), tick("12:30")), CALENDAR)
        begins = [CALENDAR.time_at(span.from_tick).strftime("%H:%M") for span in hours]
        assert begins == ["07:30", "08:00", "09:00", "10:00", "11:00", "12:00"]

    def test_leaves_an_hour_and_a_half_whole(self) -> None:
        assert len(hours_of(Span(tick("06:00"), tick("07:30")), CALENDAR)) == 1
