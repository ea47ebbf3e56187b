"""Checks on records that are written by hand, each with a planted fault, and repetitions."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from apps.agents.track import Action, Movement, Track
from apps.evaluation.quality.checks import QUALITY_CHECKS, checks_of
from apps.evaluation.quality.day_record import DayRecord
from apps.evaluation.quality.repetition import forms_of, nameless, repeated
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
        people={track.agent: identity(track.agent) for track in tracks.values()},
        tracks={track.agent: track for track in tracks.values()},
        plans=(),
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

    def test_find_a_day_of_one_thing(self) -> None:
        assert CHECKS["monotonous-days"](day_of(ada=track(doing("waiting", 8))))

    def test_that_read_words_are_left_out_in_other_languages(self) -> None:
        record = day_of(ada=track(doing("schreiben", 9)))
        german = replace(record, world=replace(COTTAGE, language="de"))
        names = {check.name for check in checks_of(german)}
        assert "leaps" in names
        assert not names & {check.name for check in QUALITY_CHECKS if check.is_english}
        assert len(checks_of(record)) == len(QUALITY_CHECKS)


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
