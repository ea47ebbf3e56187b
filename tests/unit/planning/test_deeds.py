"""What an agent did, from its actions and the reports of its acts."""

from dataclasses import replace
from typing import Any

from apps.agents.acts import ActKind, ActOutcome
from apps.agents.events import ActionKind
from apps.agents.phrases import deed_text
from apps.agents.queries import Report, SightOfAgent
from apps.agents.track import Action
from apps.planning.deeds import DayRecords, deeds_of
from apps.planning.rules import PlanItem
from tests.unit.planning.people import CALENDAR, tick

KLAUS, EDDY, TOM = "klaus-mueller", "eddy-lin", "tom-moreno"
NAMES = {KLAUS: "Klaus Mueller", EDDY: "Eddy Lin", TOM: "Tom Moreno"}
CLASSROOM, CAFE = "Oak Hill College: classroom", "Hobbs Cafe: cafe"


def item(number: int, parent: int, description: str, **changes: Any) -> PlanItem:
    facts: dict[str, Any] = {
        "number": number,
        "parent": parent,
        "level": "hour" if parent == 1 else "action",
        "day": "2023-02-13",
        "description": description,
        "place": "Oak Hill College",
        "asleep": False,
        "from_tick": tick("9:00"),
        "to_tick": tick("10:00"),
    }
    return PlanItem(**facts | changes)


def action(starts: str, until: str, doing: str, plan_item: int = 0, **changes: Any) -> Action:
    facts: dict[str, Any] = {
        "from_tick": tick(starts),
        "until_tick": tick(until),
        "description": doing,
        "emoji": "",
        "area": CLASSROOM,
        "object": "",
        "object_state": "",
        "asleep": False,
        "towards": "",
        "plan_item": plan_item,
        "event": "",
    }
    return Action(**facts | changes)


def report(at: str, plan_item: int, outcome: ActOutcome, **changes: Any) -> Report:
    facts = {"kind": ActKind.LOOK_FOR, "other": TOM, "area": CLASSROOM}
    return Report(tick=tick(at), plan_item=plan_item, outcome=outcome, **facts | changes)


TEACH, LUNCH = item(5, 1, "teach the seminar"), item(6, 1, "have lunch with Eddy", place=CAFE)
ITEMS = {
    11: item(11, 5, "greeting the students", importance=1),
    12: item(12, 5, "lecturing", importance=3),
    13: item(13, 6, "eating a sandwich", importance=1, with_agents=()),
    14: item(14, 5, "putting out the burning stove", importance=7),
}
HELD = DayRecords(
    actions=(), items=ITEMS, hours={5: TEACH, 6: LUNCH}, reports=(), sights=(), names=NAMES
)


def told(*actions: Action, **records: Any) -> list[str]:
    held = replace(HELD, actions=actions, **records)
    deeds = deeds_of(
        held, KLAUS, calendar=CALENDAR, from_tick=tick("0:00"), to_tick=tick("23:00")
    )
    return list(map(deed_text, deeds))


def test_an_hour_is_told_by_its_actions_and_their_times() -> None:
    assert (
        told(
            action("9:10", "9:30", "greeting the students", 11),
            action("9:30", "10:05", "lecturing", 12),
            action("10:05", "10:30", "eating a sandwich", 13, area=CAFE),
        )[0]
        == f"9:10 am to 10:05 am: greeting the students and lecturing ({CLASSROOM})"
    )


def test_what_was_planned_and_never_begun_is_not_told() -> None:
    assert (
        told(
            action("9:00", "9:20", "walking to the classroom", 11, kind=ActionKind.WALKING),
            action("9:40", "10:00", "waiting for the podium", 12, kind=ActionKind.WAITING),
        )
        == []
    )


def test_a_deed_ends_where_it_was_broken_off() -> None:
    [deed] = told(
        action("9:00", "9:40", "lecturing", 12),
        action("9:15", "9:16", "", 0, kind=ActionKind.IDLE),
    )
    assert deed.startswith("9:00 am to 9:15 am: lecturing")


def test_a_talk_belongs_to_the_activity_that_it_interrupts() -> None:
    assert told(
        action("9:00", "9:20", "lecturing", 12),
        action("9:20", "9:25", "talking with Eddy Lin", 0, kind=ActionKind.TALKING),
        action("9:25", "9:50", "lecturing", 12),
    ) == [f"9:00 am to 9:50 am: lecturing and talking with Eddy Lin ({CLASSROOM})"]


def test_what_a_user_requested_stands_by_itself() -> None:
    requested = action("9:00", "9:20", "playing the piano", kind=ActionKind.USER_CONTROLLED)
    assert told(requested) == [f"9:00 am to 9:20 am: playing the piano ({CLASSROOM})"]


def test_a_few_minutes_are_told_if_they_matter() -> None:
    assert told(action("9:00", "9:04", "greeting the students", 11)) == []
    [deed] = told(action("9:00", "9:04", "putting out the burning stove", 14))
    assert "putting out the burning stove" in deed


def test_what_failed_is_told_as_failed() -> None:
    [deed] = told(
        action("9:00", "9:40", "lecturing", 12),
        reports=[report("9:12", 12, ActOutcome.NOT_FOUND), report("9:15", 12, ActOutcome.DONE)],
    )
    assert deed.endswith(f"lecturing ({CLASSROOM}); Klaus Mueller did not find Tom Moreno")
    [alone] = told(reports=[report("9:12", 12, ActOutcome.NOT_FOUND, kind=ActKind.WAIT_FOR)])
    assert alone == "9:12 am: Tom Moreno has not come"


def test_a_companion_of_the_plan_is_told_only_if_it_was_there() -> None:
    lunch = action("12:00", "12:30", "eating a sandwich", 13, area=CAFE)
    assert told(lunch)[0].endswith(f"({CAFE}); not there: Eddy Lin")
    beside = SightOfAgent(subject=EDDY, area=CAFE, from_tick=tick("12:05"), to_tick=None)
    assert told(lunch, sights=[beside])[0].endswith(f"({CAFE}); there: Eddy Lin")
    elsewhere = replace(beside, area=CLASSROOM)
    assert told(lunch, sights=[elsewhere])[0].endswith("not there: Eddy Lin")
    long_ago = replace(beside, from_tick=tick("9:00"))
    assert told(lunch, sights=[long_ago])[0].endswith("not there: Eddy Lin")


def test_a_first_name_that_two_have_names_neither() -> None:
    lunch = action("12:00", "12:30", "eating a sandwich", 13, area=CAFE)
    [deed] = told(lunch, names=NAMES | {"eddy-moon": "Eddy Moon"})
    assert "not there" not in deed


def test_an_action_of_several_began_with_all_of_them_there() -> None:
    chess = item(15, 6, "playing chess", with_agents=(TOM,))
    played = action("13:00", "13:30", "playing chess", 15, area=CAFE)
    [deed] = told(played, items={15: chess})
    assert "there: Tom Moreno" in deed
    assert "not there: Eddy Lin" in deed
