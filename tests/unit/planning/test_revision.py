"""Revising the rest of a day: its times, its answers, and the hours that continue others."""

import pytest

from apps.planning.events import HoursPlanned
from apps.planning.inputs import ReactionReason, RevisedHoursInput
from apps.planning.llm_tasks.hourly_plan import HourActivity, HourlyPlan
from apps.planning.revision import ImmediateActivity, revise_hours, stored_hour
from apps.planning.rules import PlanItem
from tests.unit.planning.people import (
    ADA,
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


def revised(
    now: int,
    answer: HourlyPlan | None = None,
    *,
    first: ImmediateActivity | None = None,
    rest: list[PlanItem] | None = None,
) -> HoursPlanned:
    def unchanged(_: RevisedHoursInput) -> HourlyPlan:
        return answer or HourlyPlan(hours=[])

    return revise_hours(
        scripted_mind(revised_hours=unchanged),
        planning_context_of(ADA),
        rest=rest_at(now) if rest is None else rest,
        now_tick=now,
        reasons=(REASON,),
        first=first,
        next_number=90,
    )


class TestReviseHours:
    @pytest.mark.parametrize("clock", ["6:30", "7:00", "9:15", "21:50"])
    def test_covers_the_rest_of_the_day(self, clock: str) -> None:
        for first in (None, PUT_OUT):
            items = revised(tick(clock), first=first).items
            edges = [tick(clock), *(item.to_tick for item in items)]
            assert [item.from_tick for item in items] == edges[:-1]
            assert edges[-1] == rest_at(tick(clock))[-1].to_tick
            assert [item.number for item in items] == list(range(90, 90 + len(items)))

    def test_stores_answers_as_given_and_keeps_times_without_one(self) -> None:
        odd = HourActivity(time=2, activity="Ada and Ben sing  together", place="Mill Cottage")
        old = rest_at(tick("7:10"))
        new = revised(tick("7:10"), HourlyPlan(hours=[odd])).items
        assert [item.description for item in new] == [
            old[0].description,
            "Ada and Ben sing together",
            *(item.description for item in old[2:]),
        ]
        assert new[1].place == "Mill Cottage"

    def test_begins_with_what_is_done_at_once(self) -> None:
        first, second, *_ = revised(tick("7:10"), first=PUT_OUT).items
        assert (first.description, first.place) == ("put it out", "Mill Cottage: kitchen")
        assert first.to_tick == second.from_tick == tick("7:20")

    def test_may_be_filled_by_what_is_done_at_once(self) -> None:
        endless = ImmediateActivity(description="run", place="Mill Cottage", ticks=10**6)
        [item] = revised(tick("7:10"), first=endless).items
        assert item.to_tick == rest_at(tick("7:10"))[-1].to_tick

    def test_needs_something_that_is_left(self) -> None:
        with pytest.raises(ValueError, match="no planned hour is left"):
            revised(tick("7:10"), rest=[])


class TestContinuedHours:
    def test_name_the_hour_whose_rest_they_are(self) -> None:
        broken_off, *whole = rest_at(tick("7:10"))
        first, rest, *later = revised(tick("7:10"), first=PUT_OUT).items
        assert first.continues == 0
        assert rest.continues == broken_off.number
        assert [item.continues for item in later] == [0] * len(whole)

    def test_name_the_first_one_after_a_second_interruption(self) -> None:
        broken_off = rest_at(tick("7:10"))[0]
        once = revised(tick("7:10"), first=PUT_OUT)
        again = [stored_hour(once.day, item) for item in once.items[1:]]
        twice = revised(tick("7:22"), rest=again).items
        assert twice[0].continues == broken_off.number

    def test_do_not_depend_on_their_descriptions(self) -> None:
        other = HourActivity(time=1, activity="do something else", place="Mill Cottage")
        rest = revised(tick("7:10"), HourlyPlan(hours=[other])).items[0]
        assert rest.description == "do something else"
        assert rest.continues == rest_at(tick("7:10"))[0].number

    def test_are_none_where_an_hour_has_not_begun(self) -> None:
        on_the_hour = rest_at(tick("7:10"))[1].from_tick
        assert revised(on_the_hour).items[0].continues == 0
