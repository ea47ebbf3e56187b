"""A later plan closes what it replaces, on its own level and below, from its own span on."""

from typing import Any

import pytest

from apps.planning.events import (
    EVENTS,
    ActionsPlanned,
    DayOutlined,
    HoursPlanned,
    PlannedAction,
    PlannedItem,
)
from apps.planning.models import PlanItemRow
from apps.planning.projections import PROJECTIONS
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db

ADA, BEN = "ada", "ben"
DAY = "2023-02-13"


VALID_FROM_SEVEN: dict[str, Any] = {
    "planned_tick": 7,
    "valid_from_tick": 7,
    "valid_to_tick": None,
    "kept_to_tick": None,
    "continues": 0,
    "importance": 0,
    "act": "none",
    "other": "",
    "about": "",
    "with_agents": [],
    "free": False,
    "reused_from": "",
}


def item(number: int, from_tick: int, to_tick: int, **facts: Any) -> PlannedItem:
    return PlannedItem(
        number=number,
        parent=facts.get("parent", 0),
        description=f"item {number}",
        place="Hobbs Cafe",
        from_tick=from_tick,
        to_tick=to_tick,
        asleep=facts.get("asleep", False),
        continues=facts.get("continues", 0),
    )


def action(number: int, from_tick: int, to_tick: int, *, asleep: bool = False) -> PlannedAction:
    return PlannedAction(
        number=number,
        parent=3,
        description=f"action {number}",
        area="Hobbs Cafe: cafe",
        object="Hobbs Cafe: cafe: piano",
        object_state="being played",
        emoji="🎹",
        from_tick=from_tick,
        to_tick=to_tick,
        asleep=asleep,
    )


def outlined(*items: PlannedItem) -> DayOutlined:
    return DayOutlined(day=DAY, items=items)


def hours(*items: PlannedItem) -> HoursPlanned:
    return HoursPlanned(day=DAY, items=items)


def actions(*items: PlannedAction) -> ActionsPlanned:
    return ActionsPlanned(parent=3, items=items)


def plan(log: ProjectedLog, agent: str) -> None:
    """Plan ticks 0 to 200: chunks 1 and 2, hours 3 to 5, actions 6 to 8 of hour 3."""
    log.append(
        0,
        agent,
        outlined(item(1, 0, 100), item(2, 100, 200)),
        hours(item(3, 0, 60), item(4, 60, 100), item(5, 100, 200)),
        actions(action(6, 0, 20), action(7, 20, 40), action(8, 40, 60)),
    )


@pytest.fixture
def log() -> ProjectedLog:
    """Return a log in which Ada and Ben have planned the same, as in another simulation."""
    log, elsewhere = (ProjectedLog(EVENTS, PROJECTIONS) for _ in range(2))
    for one in (log, elsewhere):
        for agent in (ADA, BEN):
            plan(one, agent)
    return log


def closed(log: ProjectedLog, agent: str = ADA) -> dict[int, tuple[int, int]]:
    """Return when each closed item was closed, and up to when it was kept, by number."""
    rows = PlanItemRow.objects.filter(
        simulation_id=log.simulation_id, agent=agent, valid_to_tick__isnull=False
    )
    return {row.number: (row.valid_to_tick, row.kept_to_tick) for row in rows}  # type: ignore[misc]


class TestRows:
    def test_of_chunks_and_hours_are_written_whole(self) -> None:
        log = ProjectedLog(EVENTS, PROJECTIONS)
        log.append(
            7,
            ADA,
            outlined(item(1, 10, 90, asleep=True)),
            hours(item(2, 10, 90, parent=1, continues=5)),
        )
        chunk = {
            "agent": ADA,
            "number": 1,
            "parent": 0,
            "day": DAY,
            "level": "outline",
            "description": "item 1",
            "place": "Hobbs Cafe",
            "object": "",
            "object_state": "",
            "emoji": "",
            "asleep": True,
            "from_tick": 10,
            "to_tick": 90,
            **VALID_FROM_SEVEN,
        }
        hour = {"number": 2, "parent": 1, "level": "hour", "description": "item 2"}
        assert log.row(PlanItemRow, number=1) == chunk
        assert log.row(PlanItemRow, number=2) == {
            **chunk,
            **hour,
            "asleep": False,
            "continues": 5,
        }

    def test_of_actions_are_written_whole(self) -> None:
        log = ProjectedLog(EVENTS, PROJECTIONS)
        log.append(7, ADA, actions(action(9, 10, 30, asleep=True)))
        assert log.row(PlanItemRow) == {
            "agent": ADA,
            "number": 9,
            "parent": 3,
            "day": "",
            "level": "action",
            "description": "action 9",
            "place": "Hobbs Cafe: cafe",
            "object": "Hobbs Cafe: cafe: piano",
            "object_state": "being played",
            "emoji": "🎹",
            "asleep": True,
            "from_tick": 10,
            "to_tick": 30,
            **VALID_FROM_SEVEN,
        }


class TestReplacement:
    def test_by_an_outline_closes_all_levels_from_its_start_on(self, log: ProjectedLog) -> None:
        log.append(30, ADA, outlined(item(9, 40, 150), item(10, 150, 200)))
        # Action 7 ends where the new outline begins: it stays.
        assert closed(log) == {
            1: (30, 40),
            2: (30, 100),
            3: (30, 40),
            4: (30, 60),
            5: (30, 100),
            8: (30, 40),
        }

    def test_by_hours_closes_hours_and_actions_within_their_span(
        self, log: ProjectedLog
    ) -> None:
        log.append(30, ADA, hours(item(9, 50, 70), item(10, 70, 100)))
        # Hour 5 begins where the new hours end: it stays, and so do the chunks.
        assert closed(log) == {3: (30, 50), 4: (30, 60), 8: (30, 50)}

    def test_by_actions_closes_actions_alone(self, log: ProjectedLog) -> None:
        log.append(30, ADA, actions(action(9, 30, 35), action(10, 35, 40)))
        assert closed(log) == {7: (30, 30)}

    def test_leaves_closed_what_was_closed_before(self, log: ProjectedLog) -> None:
        log.append(30, ADA, actions(action(9, 30, 60)))
        log.append(35, ADA, actions(action(10, 35, 60)))
        assert closed(log) == {7: (30, 30), 8: (30, 40), 9: (35, 35)}

    def test_leaves_the_plans_of_others(self, log: ProjectedLog) -> None:
        log.append(30, ADA, outlined(item(9, 40, 200)))
        assert closed(log, BEN) == {}
        others = PlanItemRow.objects.exclude(simulation_id=log.simulation_id)
        assert others.count() == 16
        assert not others.exclude(valid_to_tick=None).exists()
        assert log.problems() == ()
