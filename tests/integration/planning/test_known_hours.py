"""The hours whose actions an agent can do again, from the rows of its plans (P1)."""

from dataclasses import replace

import pytest

from apps.agents.acts import ActKind
from apps.agents.models import TurnedAwayRow
from apps.planning.events import ActionsPlanned, PlannedItem
from apps.planning.reuse import KnownHour, known_hours
from apps.planning.revision import stored_hour
from tests.integration.planning.plans import AGENT, HOUR, MONDAY, TUESDAY, Planner

pytestmark = pytest.mark.django_db


class Week:
    """Two days of the same hours; that of 9:00 on Monday has actions."""

    def __init__(self) -> None:
        self.planner = Planner()
        outlined, hours = self.planner.day(8, 9, 10, 24, of="study")
        self.planner.append(8, outlined, hours)
        self.first = self.hours_of(hours)[1]
        self.tuesday: tuple[PlannedItem, ...] = ()

    @staticmethod
    def hours_of(event: object) -> tuple[PlannedItem, ...]:
        return event.items  # type: ignore[attr-defined, no-any-return]

    def plan_monday(self, **changes: object) -> None:
        """Plan the actions of Monday's hour."""
        planned = self.planner.actions(self.first, 9, 9.5, 10)
        items = tuple(replace(one, **changes) for one in planned.items)  # type: ignore[arg-type]
        self.planner.append(9, replace(planned, items=items))

    def known(
        self, *, same_day: bool = True, as_of_tick: int = 33 * HOUR - 1, **changes: object
    ) -> tuple[KnownHour, ...]:
        """Return the known hours for the same hour on Tuesday."""
        hour = replace(self.first, from_tick=33 * HOUR, to_tick=34 * HOUR)
        day = str(changes.pop("day", TUESDAY))
        later = stored_hour(day, replace(hour, **changes))  # type: ignore[arg-type]
        return known_hours(
            self.planner.simulation_id,
            AGENT,
            later,
            as_of_tick=as_of_tick,
            same_day=same_day,
        )


class TestKnownHours:
    def test_have_the_event_and_its_actions(self) -> None:
        week = Week()
        week.plan_monday()
        [found] = week.known(same_day=False)
        assert found.event == f"{9 * HOUR}/{AGENT}/0"
        assert found.planned_tick == 9 * HOUR
        assert [one.description for one in found.actions] == ["action 1", "action 2"]
        assert found.ticks == HOUR

    def test_of_the_same_day_count_where_they_are_asked_for(self) -> None:
        week = Week()
        week.plan_monday()
        assert len(week.known(day=MONDAY, same_day=True)) == 1
        assert week.known(day=MONDAY, same_day=False) == ()

    def test_have_the_very_words_and_the_very_place(self) -> None:
        week = Week()
        week.plan_monday()
        assert week.known(description="Hour of study 2") == ()
        assert week.known(place="Oak Hill College: garden") == ()

    def test_have_no_acts_with_other_agents(self) -> None:
        week = Week()
        week.plan_monday(act=ActKind.TALK_TO, other="maria-lopez", about="the thesis")
        assert week.known() == ()

    def test_are_not_those_that_were_planned_in_part(self) -> None:
        week = Week()
        week.planner.append(9, week.planner.actions(week.first, 9, 9.5))
        week.planner.append(9.5, week.planner.actions(week.first, 9.5, 10))
        assert week.known() == ()

    def test_are_not_those_that_a_later_plan_has_replaced(self) -> None:
        week = Week()
        week.plan_monday()
        _outlined, hours = week.planner.day(9.5, 12, 24, of="party")
        week.planner.append(9.5, hours)
        assert week.known() == ()

    def test_are_not_reused_ones_themselves(self) -> None:
        week = Week()
        planned = week.planner.actions(week.first, 9, 10)
        week.planner.append(
            9, ActionsPlanned(parent=2, items=planned.items, reused_from="1/a/0")
        )
        assert week.known() == ()

    def test_are_repeated_once_a_day(self) -> None:
        week = Week()
        week.plan_monday()
        [source] = week.known(same_day=False)
        _outlined, hours = week.planner.day(31, 32, 48, day=TUESDAY, of="study")
        week.planner.append(31, hours)
        again = week.planner.actions(week.hours_of(hours)[0], 31, 32)
        week.planner.append(31.5, replace(again, reused_from=source.event))
        assert week.known(day=TUESDAY) == ()
        assert len(week.known(day="2023-02-15")) == 1

    def test_are_those_of_the_tick_whatever_was_planned_later(self) -> None:
        week = Week()
        week.plan_monday()
        before = week.known(day=TUESDAY)
        _outlined, hours = week.planner.day(34, 35, 48, day=TUESDAY, of="study")
        week.planner.append(34, hours)
        again = week.planner.actions(week.hours_of(hours)[0], 34, 35)
        week.planner.append(34.5, replace(again, reused_from=before[0].event))
        assert week.known(day=TUESDAY) == before
        assert week.known(day=TUESDAY, as_of_tick=35 * HOUR) == ()

    def test_are_those_of_the_tick_although_replaced_later(self) -> None:
        week = Week()
        week.plan_monday()
        before = week.known()
        _outlined, hours = week.planner.day(9.5, 12, 24, of="party")
        week.planner.append(34, hours)
        assert week.known() == before
        assert week.known(as_of_tick=34 * HOUR) == ()

    def test_are_not_those_in_which_the_agent_was_refused(self) -> None:
        week = Week()
        week.plan_monday()
        TurnedAwayRow.objects.create(
            simulation_id=week.planner.simulation_id,
            agent=AGENT,
            tick=9 * HOUR + 5,
            node="Oak Hill College: library",
            why="the library is closed",
        )
        assert week.known() == ()
