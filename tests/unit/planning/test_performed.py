"""What was done of a plan, from actions: begun hours with their actual times."""

from typing import Any

from apps.agents.events import ActionKind
from apps.agents.track import Action
from apps.planning.queries import performed_times
from apps.planning.rules import PlanItem
from tests.unit.planning.people import CALENDAR, tick


def hour(number: int, description: str, place: str = "Oak Hill College") -> PlanItem:
    return PlanItem(
        number=number,
        parent=1,
        level="hour",
        day="2023-02-13",
        description=description,
        place=place,
        asleep=False,
        from_tick=tick("9:00"),
        to_tick=tick("10:00"),
    )


def action(starts: str, until: str, doing: str, plan_item: int = 0, **changes: Any) -> Action:
    facts: dict[str, Any] = {
        "from_tick": tick(starts),
        "until_tick": tick(until),
        "description": doing,
        "emoji": "",
        "area": "Oak Hill College: classroom",
        "object": "",
        "object_state": "",
        "asleep": False,
        "towards": "",
        "plan_item": plan_item,
        "event": "",
    }
    return Action(**facts | changes)


TEACH, LUNCH = hour(5, "teach the seminar"), hour(6, "have lunch")
HOURS = {11: TEACH, 12: TEACH, 13: LUNCH}


def performed(*actions: Action) -> list[tuple[str, str, str]]:
    times = performed_times(actions, HOURS, calendar=CALENDAR, to_tick=tick("23:00"))
    return [(f"{one.starts:%H:%M}", f"{one.ends:%H:%M}", one.activity) for one in times]


def test_an_hour_lasts_from_its_first_action_to_the_end_of_its_last() -> None:
    assert performed(
        action("9:10", "9:30", "greeting the students", 11),
        action("9:30", "10:05", "lecturing", 12),
        action("10:05", "10:30", "eating a sandwich", 13),
    ) == [("09:10", "10:05", "teach the seminar"), ("10:05", "10:30", "have lunch")]


def test_what_was_never_begun_is_not_there() -> None:
    assert (
        performed(
            action("9:00", "9:20", "walking to the classroom", 11, kind=ActionKind.WALKING),
            action("9:20", "9:40", "talking with Eddy Lin", 11, kind=ActionKind.TALKING),
            action("9:40", "10:00", "waiting for the podium", 12, kind=ActionKind.WAITING),
        )
        == []
    )


def test_a_broken_off_hour_ends_where_it_was_broken_off() -> None:
    assert performed(
        action("9:00", "9:40", "lecturing", 11),
        action("9:15", "9:25", "talking with Eddy Lin", 0, kind=ActionKind.TALKING),
    ) == [("09:00", "09:15", "teach the seminar")]


def test_an_interrupted_hour_is_one() -> None:
    assert performed(
        action("9:00", "9:20", "lecturing", 11),
        action("9:20", "9:25", "talking with Eddy Lin", 0, kind=ActionKind.TALKING),
        action("9:25", "9:50", "lecturing", 12),
    ) == [("09:00", "09:50", "teach the seminar")]


def test_what_a_user_requested_stands_by_itself() -> None:
    requested = action("9:00", "9:20", "playing the piano", kind=ActionKind.USER_CONTROLLED)
    assert performed(requested) == [("09:00", "09:20", "playing the piano")]


def test_a_few_minutes_are_left_out() -> None:
    assert performed(action("9:00", "9:04", "lecturing", 11)) == []
