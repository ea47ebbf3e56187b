"""What was planned, as of any tick: a later plan changes what is to come and nothing else."""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from apps.agents.events import ActionKind
from apps.agents.models import ActionRow
from apps.eventlog.rebuild import Order, check, rebuild
from apps.history.agent_days import DayTree, plan_of_day
from apps.planning import queries
from apps.planning.deeds import deeds_between
from apps.planning.events import HoursPlanned, PlannedItem
from apps.planning.models import PlanItemRow
from apps.planning.rules import Level, PlanItem
from tests.integration.planning.plans import AGENT, CALENDAR, HOUR, MONDAY, TUESDAY, Planner

pytestmark = pytest.mark.django_db


def hours_of(events: object) -> tuple[PlannedItem, ...]:
    assert isinstance(events, HoursPlanned)
    return events.items


def described(planner: Planner, level: Level, hour: float, as_of: float) -> str | None:
    items = item_at(planner.simulation_id, AGENT, level, hour=hour, as_of=as_of)
    return items[-1].description if items else None


def item_at(
    simulation_id: UUID, agent: str, level: Level, *, hour: float, as_of: float
) -> list[PlanItem]:
    tick = round(hour * HOUR)
    return queries.items_between(
        simulation_id,
        agent,
        level=level,
        from_tick=tick,
        to_tick=tick + 1,
        as_of_tick=round(as_of * HOUR),
    )


def spans(tree: DayTree | None) -> list[tuple[str, float, float]]:
    assert tree is not None
    return [
        (branch.item.description, branch.item.from_tick / HOUR, branch.item.to_tick / HOUR)
        for branch in tree.branches
    ]


@pytest.fixture
def planner() -> Planner:
    """Return somebody who planned at 7 and divided the first hour."""
    somebody = Planner()
    outlined, hours = somebody.day(7, 12, 18, 23, 31)
    first = hours_of(hours)[0]
    actions = somebody.actions(first, 7, 9, 12)
    somebody.append(7, outlined, hours, actions)
    return somebody


@pytest.fixture
def replanned(planner: Planner) -> Planner:
    """Return the same person, who planned anew at 10."""
    planner.append(10, *planner.day(10, 14, 23, 31, of="new chunk"))
    return planner


class TestItemAt:
    def test_is_there_from_the_end_of_the_tick_it_was_planned_at(
        self, planner: Planner
    ) -> None:
        assert described(planner, "outline", 8, as_of=7) == "chunk 1"
        assert described(planner, "hour", 13, as_of=7) == "hour of chunk 2"
        assert described(planner, "action", 9, as_of=7) == "action 2"
        assert described(planner, "outline", 8, as_of=6.9) is None

    def test_is_nothing_where_nothing_is_planned(self, planner: Planner) -> None:
        assert described(planner, "action", 13, as_of=8) is None
        assert described(planner, "hour", 31, as_of=8) is None

    def test_is_what_was_planned_anew_from_then_on(self, replanned: Planner) -> None:
        assert described(replanned, "hour", 11, as_of=10) == "hour of new chunk 1"
        assert described(replanned, "hour", 11, as_of=9) == "hour of chunk 1"

    def test_keeps_what_is_past(self, replanned: Planner) -> None:
        assert described(replanned, "outline", 9, as_of=10) == "chunk 1"
        assert described(replanned, "action", 9.5, as_of=12) == "action 2"

    def test_has_no_actions_of_an_hour_that_was_replaced(self, replanned: Planner) -> None:
        assert described(replanned, "action", 11, as_of=9) == "action 2"
        assert described(replanned, "action", 11, as_of=10) is None

    def test_does_not_see_other_people_or_simulations(self, planner: Planner) -> None:
        assert not item_at(uuid4(), AGENT, "hour", hour=8, as_of=9)
        assert not item_at(planner.simulation_id, "maria", "hour", hour=8, as_of=9)


class TestLineageAt:
    def lineage(self, planner: Planner, hour: float, **of: int) -> list[str]:
        found = queries.lineage_at(planner.simulation_id, AGENT, tick=round(hour * HOUR), **of)
        return [one.item.description for one in found]

    def test_is_the_action_for_the_tick_with_its_hour_and_chunk(self, planner: Planner) -> None:
        assert self.lineage(planner, 8) == ["action 1", "hour of chunk 1", "chunk 1"]
        assert self.lineage(planner, 9) == ["action 2", "hour of chunk 1", "chunk 1"]
        assert self.lineage(planner, 13) == ["hour of chunk 2", "chunk 2"], "no actions yet"

    def test_has_no_action_of_an_hour_that_was_replaced(self, replanned: Planner) -> None:
        assert self.lineage(replanned, 9.5) == ["action 2", "hour of chunk 1", "chunk 1"]
        assert self.lineage(replanned, 11) == ["hour of new chunk 1", "new chunk 1"]

    def test_of_a_number_is_that_item_at_any_tick(self, replanned: Planner) -> None:
        [action, *_] = queries.lineage_at(replanned.simulation_id, AGENT, tick=9 * HOUR)
        number = action.item.number
        assert self.lineage(replanned, 20, number=number)[0] == "action 2"
        assert self.lineage(replanned, 20, number=number + 1_000) == []


class TestItemsBetween:
    def test_are_those_that_overlap_in_order(self, replanned: Planner) -> None:
        found = queries.items_between(
            replanned.simulation_id,
            AGENT,
            level="outline",
            from_tick=9 * HOUR,
            to_tick=15 * HOUR,
            as_of_tick=11 * HOUR,
        )
        assert [item.description for item in found] == ["chunk 1", "new chunk 1", "new chunk 2"]
        assert found[0].to_tick == 10 * HOUR


class TestPlanOfDay:
    def test_is_a_tree(self, planner: Planner) -> None:
        tree = plan_of_day(planner.simulation_id, AGENT, day=None, as_of_tick=7 * HOUR)
        assert tree is not None
        assert tree.day == MONDAY
        first = tree.branches[0]
        assert [part.item.description for part in first.parts] == ["hour of chunk 1"]
        assert [leaf.item.description for leaf in first.parts[0].parts] == [
            "action 1",
            "action 2",
        ]

    def test_stays_without_gap_when_it_is_planned_anew(self, replanned: Planner) -> None:
        tree = plan_of_day(replanned.simulation_id, AGENT, day=MONDAY, as_of_tick=10 * HOUR)
        assert spans(tree) == [
            ("chunk 1", 7, 10),
            ("new chunk 1", 10, 14),
            ("new chunk 2", 14, 23),
            ("new chunk 3", 23, 31),
        ]

    def test_is_as_it_was_for_who_asks_of_before(self, replanned: Planner) -> None:
        tree = plan_of_day(replanned.simulation_id, AGENT, day=MONDAY, as_of_tick=10 * HOUR - 1)
        assert [text for text, _, _ in spans(tree)] == [f"chunk {n}" for n in (1, 2, 3, 4)]

    def test_is_none_for_a_day_that_was_not_planned(self, planner: Planner) -> None:
        whose = (planner.simulation_id, AGENT)
        assert plan_of_day(*whose, day=TUESDAY, as_of_tick=9 * HOUR) is None
        assert plan_of_day(*whose, day=None, as_of_tick=6 * HOUR) is None

    def test_of_the_day_before_is_left_alone(self, replanned: Planner) -> None:
        replanned.append(31, *replanned.day(31, 36, 47, 55, day=TUESDAY))
        rows = PlanItemRow.objects.filter(simulation_id=replanned.simulation_id, day=MONDAY)
        assert not rows.filter(valid_to_tick__gte=31 * HOUR).exists()
        latest = plan_of_day(replanned.simulation_id, AGENT, day=None, as_of_tick=31 * HOUR)
        assert latest is not None
        assert latest.day == TUESDAY


class TestDayBefore:
    def asked(self, planner: Planner, today: str) -> tuple[str, int] | None:
        return queries.day_before(
            planner.simulation_id, AGENT, today=today, as_of_tick=31 * HOUR
        )

    def test_is_none_on_the_first_day(self, planner: Planner) -> None:
        assert self.asked(planner, MONDAY) is None

    def test_begins_with_its_first_chunk(self, planner: Planner) -> None:
        assert self.asked(planner, TUESDAY) == (MONDAY, 7 * HOUR)


class TestPerformedBetween:
    def begun(self, planner: Planner, starts: float, ends: float, **changes: Any) -> None:
        facts: dict[str, Any] = {
            "simulation_id": planner.simulation_id,
            "agent": AGENT,
            "from_tick": round(starts * HOUR),
            "to_tick": round(ends * HOUR),
            "until_tick": round(ends * HOUR),
            "steps": [[1, 1]],
            "description": "reading",
            "emoji": "",
            "area": "Oak Hill College: library",
            "object": "",
            "object_state": "",
            "asleep": False,
            "towards": "",
            "plan_item": 0,
            "event": f"{starts}/{AGENT}/0",
            "kind": ActionKind.PLANNED.value,
        }
        ActionRow.objects.create(**facts | changes)

    def test_has_what_was_begun_of_the_hours(self, replanned: Planner) -> None:
        walking = ActionKind.WALKING.value
        self.begun(replanned, 7, 7.5, kind=walking, plan_item=9, towards="library")
        self.begun(replanned, 7.5, 9, plan_item=9)
        self.begun(replanned, 9, 9.75, plan_item=10)
        self.begun(replanned, 9.75, 10, kind=ActionKind.TALKING.value)
        found = deeds_between(
            replanned.simulation_id,
            AGENT,
            people={},
            calendar=CALENDAR,
            from_tick=7 * HOUR,
            to_tick=31 * HOUR,
        )
        assert [(one.activity, one.starts.hour, one.starts.minute) for one in found] == [
            ("hour of chunk 1", 7, 30)
        ]
        assert found[0].ends == datetime(2023, 2, 13, 10)
        assert found[0].place == "Oak Hill College: library"


class TestRebuild:
    def test_gives_the_same_rows_in_either_order(self, replanned: Planner) -> None:
        other = Planner(replanned.simulation_id, "maria-lopez")
        other.append(8, *other.day(8, 12, 32))
        assert check(replanned.store, replanned.simulation_id).problems == ()
        rebuild(replanned.store, replanned.simulation_id, order=Order.COMMIT)
        assert check(replanned.store, replanned.simulation_id).problems == ()
