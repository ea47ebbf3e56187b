"""Checks on records that are written by hand, each with a planted fault, and repetitions."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from apps.agents.events import ActionKind
from apps.agents.summary import Hours
from apps.agents.track import Action, Movement, Track
from apps.evaluation.quality.counts import forms_of, nameless, repeated
from apps.evaluation.quality.day_checks import QUALITY_CHECKS
from apps.history import DayRecord
from apps.kernel.game_time import GameCalendar
from tests.support.turns import ADA, BEDROOM, BEN, COTTAGE, KITCHEN, action, identity, tile_in

HOUR = 360
LAST_TICK = 27 * HOUR
CHECKS = {check.name: check.faults for check in QUALITY_CHECKS}


def day_of(**tracks: Track) -> DayRecord:
    """Return the record of a day with these tracks of Ada and Ben."""
    return DayRecord(
        world=COTTAGE,
        calendar=GameCalendar(start=datetime(2024, 6, 3), tick_seconds=10),
        agents={track.agent: identity(track.agent) for track in tracks.values()},
        tracks={track.agent: track for track in tracks.values()},
        plans={},
        turned_away=(),
        last_tick=LAST_TICK,
    )


def track(*actions: Action, agent: str = ADA, movements: Any = None) -> Track:
    """Return a track in the kitchen, or with other movements."""
    at_rest = Movement(from_tick=0, steps=(tile_in(KITCHEN),))
    return Track(
        agent=agent, name=agent, movements=movements or [at_rest], actions=list(actions)
    )


def doing(description: str, hour: int, *, item: int = 0, **changes: Any) -> Action:
    """Return an action in the kitchen from an hour on."""
    at: dict[str, Any] = {
        "from_tick": hour * HOUR,
        "until_tick": (hour + 1) * HOUR,
        "plan_item": item,
    }
    return replace(action(description), area=KITCHEN, **at, **changes)


class TestChecks:
    def test_find_no_impossible_behaviour_in_a_day_at_home(self) -> None:
        record = day_of(ada=track(doing("writing a letter", 9)))
        for name in ("on-walls", "leaps", "in-two-places", "rooms-over-capacity"):
            assert CHECKS[name](record) == []

    def test_find_a_leap(self) -> None:
        (x, y) = tile_in(KITCHEN)
        jumping = Movement(from_tick=0, steps=((x, y), (x + 2, y)))
        [fault] = CHECKS["leaps"](day_of(ada=track(doing("writing", 9), movements=[jumping])))
        assert fault.startswith(ADA)
        assert "in tick 1" in fault

    def test_find_an_action_somewhere_else_than_its_agent(self) -> None:
        elsewhere = replace(doing("writing a letter", 9), area=BEDROOM)
        [fault] = CHECKS["in-two-places"](day_of(ada=track(elsewhere)))
        assert fault == f"{ADA} does something in {BEDROOM} while in {KITCHEN}"

    def test_find_who_is_up_at_night(self) -> None:
        asleep = doing("sleeping", 0, asleep=True)
        up = doing("painting a wall", 2)
        record = day_of(ada=track(asleep), ben=track(asleep, up, agent=BEN))
        faults = CHECKS["awake-at-night"](record)
        assert faults
        assert all(fault.startswith(BEN) for fault in faults)

    def test_find_what_is_done_twice_in_a_row(self) -> None:
        done = [doing("reading a map", 9, item=1), doing("reading a map", 10, item=2)]
        other = [doing("reading a map", 9, item=1), doing("reading a map", 10, item=1)]
        assert CHECKS["repeated-actions"](day_of(ada=track(*done))) == [
            f"{ADA}: reading a map twice in a row"
        ]
        assert CHECKS["repeated-actions"](day_of(ada=track(*other))) == []
        waits = [replace(one, kind=ActionKind.WAITING) for one in done]
        assert CHECKS["repeated-actions"](day_of(ada=track(*waits))) == []

    def test_find_a_day_of_one_thing(self) -> None:
        assert CHECKS["monotonous-days"](day_of(ada=track(doing("waiting", 8))))

    def test_count_meals_in_the_words_of_any_world_at_any_object(self) -> None:
        """On a ship one eats at the mess table, and after a watch that begins at night."""
        meals = (
            doing("having breakfast with Ben", 2),
            doing("eating an apple", 5),
            doing("eating stew", 8, object=f"{KITCHEN}: mess table"),
            doing("washing up after lunch", 10),
            doing("eating bread and cheese", 15),
        )
        fed, unfed = track(*meals), track(*meals[:3], agent=BEN)
        assert CHECKS["meals-missed"](day_of(ada=fed)) == []
        assert CHECKS["meals-missed"](day_of(ada=fed, ben=unfed)) == [f"{BEN} eats 2 times"]
        feast = track(*(doing(f"eating dish {hour}", hour) for hour in (6, 9, 12, 15, 18)))
        assert CHECKS["meals-too-often"](day_of(ada=feast)) == [f"{ADA} eats 5 times"]

    def test_count_meals_in_german(self) -> None:
        eaten = ("frühstückt in der Küche", "isst einen Apfel", "isst Suppe", "isst zu Abend")
        days = day_of(ada=track(*(doing(one, 7 + 3 * n) for n, one in enumerate(eaten))))
        german = replace(days, world=replace(COTTAGE, language="de"))
        assert CHECKS["meals-missed"](german) == []

    def test_that_the_world_does_not_support_say_so(self) -> None:
        record = day_of(ada=track(doing("charging at the socket", 9)))
        why_not = {check.name: check.why_not(record) for check in QUALITY_CHECKS}
        left_out = {name for name, reason in why_not.items() if reason}
        assert left_out == {"meals-missed", "meals-too-often"}
        assert "words of eating" in why_not["meals-missed"]

    def test_expect_no_bedtime_after_the_record(self) -> None:
        """An agent with a watch at night goes to bed when the record of the day is over."""
        asleep = doing("sleeping", 5, asleep=True)
        record = day_of(ada=track(doing("steering", 0), asleep, doing("steering", 11)))
        hours = Hours(wake=11 * 60, sleep=29 * 60)
        watch = {ADA: replace(identity(ADA), hours=hours)}
        assert CHECKS["hours-of-sleep"](replace(record, agents=watch)) == []


class TestRepetition:
    def test_counts_each_text_after_its_first(self) -> None:
        assert repeated([]) == 0
        assert repeated(["a", "b", "a", "a"]) == 2

    def test_does_not_depend_on_names_and_numbers(self) -> None:
        names = ["Ada Finch", "Ben Marsh"]
        assert nameless(["Hello Ben!", "Hello Ada!", "Hello Adam!"], names) == [
            "Hello *!",
            "Hello *!",
            "Hello Adam!",
        ]
        assert repeated(forms_of(["Ada met Ben 3 times", "Ben met Ada 12 times"], names)) == 1
        assert nameless(["Hello"], []) == ["Hello"]


@pytest.mark.parametrize("check", QUALITY_CHECKS, ids=lambda check: check.name)
def test_every_check_reads_an_empty_day(check: Any) -> None:
    assert isinstance(check.faults(day_of(ada=track(doing("writing", 9)))), list)
