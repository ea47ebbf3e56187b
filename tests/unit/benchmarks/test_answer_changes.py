"""The comparison of answers with events, which counts for itself what is done as given."""

from typing import Any

import pytest

from apps.eventlog.models import EventRow
from benchmarks.answer_changes import (
    History,
    changes_of_actions,
    changes_of_decision,
    changes_of_outline,
    changes_of_revision,
    changes_of_takeaways,
    changes_of_utterance,
)

EGGS = {
    "description": "frying eggs", "starts": "08:00", "area": "kitchen",
    "object": "kitchen: stove", "object_state": "hot", "emoji": "🍳",
}  # fmt: skip
FROM_EIGHT = History(ticks_per_minute=6, minutes_at_start=480)
READING = EGGS | {
    "description": "reading", "starts": "08:20", "area": "study", "object": "none",
}  # fmt: skip


def item(number: int, answered: dict[str, Any], ticks: tuple[int, int]) -> dict[str, Any]:
    has_object = answered["object"] != "none"
    return {
        "number": number,
        "description": answered["description"],
        "emoji": answered["emoji"],
        "area": f"House: {answered['area']}",
        "object": f"House: {answered['object']}" if has_object else "",
        "object_state": answered["object_state"] if has_object else "",
        "from_tick": ticks[0],
        "to_tick": ticks[1],
    }


def planned(*items: dict[str, Any]) -> EventRow:
    return EventRow(stream="ada-finch", data={"items": items})


class TestActions:
    @pytest.mark.parametrize(
        ("begins", "changes"),
        [(120, []), (108, ["actions.2.starts: 08:20 became 498"])],
    )
    def test_begin_when_they_were_answered_to(self, begins: int, changes: list[str]) -> None:
        event = planned(item(1, EGGS, (0, begins)), item(2, READING, (begins, 360)))
        answer = {"actions": [EGGS, READING]}
        assert list(changes_of_actions(answer, event, FROM_EIGHT)) == changes

    def test_are_missed_where_they_were_left_out_or_changed(self) -> None:
        event = planned(item(1, EGGS | {"object_state": "in use"}, (0, 120)))
        found = list(changes_of_actions({"actions": [EGGS, READING]}, event, FROM_EIGHT))
        assert found == ["2 actions became 1", "actions.1.object_state"]


def test_free_time_is_no_chunk_and_a_halved_one_is_whole() -> None:
    row = {"description": "read", "place": "House", "free": False, "asleep": False}
    event = planned(
        row | {"from_tick": 0, "to_tick": 360},
        row | {"from_tick": 360, "to_tick": 720},
        row
        | {
            "description": "take some free time",
            "free": True,
            "from_tick": 720,
            "to_tick": 900,
        },
        row | {"description": "sleep", "asleep": True, "from_tick": 900, "to_tick": 1_800},
    )
    chunk = {"activity": "read", "place": "House", "starts": "08:00"}
    answer = {"chunks": [chunk], "bedtime": "10:30"}
    assert list(changes_of_outline(answer, event, FROM_EIGHT)) == []
    other = {"chunks": [chunk | {"starts": "07:45"}], "bedtime": "11:00"}
    assert list(changes_of_outline(other, event, FROM_EIGHT)) == [
        "chunks.1.starts",
        "bedtime",
    ]


def test_words_are_compared_with_whom_they_are_for_and_what_follows() -> None:
    said = {"text": "Good night.", "to": "ben-marsh", "ends": True, "leaves": False}
    answer = {"utterance": "Good  night.", "to": "Ben Marsh", "ends": True, "leaves": True}
    event = EventRow(stream="ada-finch", data=said)
    assert list(changes_of_utterance(answer, event, FROM_EIGHT)) == ["leaves"]


def row(kind: str, **data: Any) -> EventRow:
    return EventRow(stream="ada-finch", tick=100, type=kind, data=data)


def test_a_decision_is_what_was_decided_about_and_said() -> None:
    answer = {"choice": "talk", "observation": 2, "what": "ask Ben", "say": "Are you well?"}
    decided = row(
        "reaction.decided.v1",
        choice="talk",
        subjects=["cem", "ben"],
        about="ben",
        what="ask Ben",
    )
    said = row("dialogue.said.v1", text="Are you well?")
    history = History(ticks_per_minute=6, by_agent={"ada-finch": [decided, said]})
    assert list(changes_of_decision(answer, decided, history)) == []
    other = answer | {"observation": 1, "say": "Hello."}
    assert list(changes_of_decision(other, decided, history)) == ["observation", "say"]
    assert list(changes_of_decision({"choice": "go on"}, decided, history)) == ["choice"]


def test_a_change_of_the_day_is_planned_at_its_time_and_place() -> None:
    hour = {"description": "read", "place": "House", "asleep": False}
    event = planned(
        hour | {"from_tick": 0, "to_tick": 360}, hour | {"from_tick": 360, "to_tick": 540}
    )
    history = History(ticks_per_minute=6, minutes_at_start=480)
    change = {"starts": "08:00", "ends": "09:30", "activity": "read", "place": "House"}
    for changed, found in (
        ({}, []),
        ({"ends": "10:00"}, ["changes.1"]),
        ({"activity": "write"}, ["changes.1"]),
    ):
        answer = {"changes": [change | changed]}
        assert list(changes_of_revision(answer, event, history)) == found


def test_takeaways_are_remembered_agreed_and_promised() -> None:
    answer = {
        "gist": "They talked.", "about_other": "", "learnt": [{"sentence": "The inn burned."}],
        "agreed": [{"date": "2023-02-14", "starts": "17:00"}],
        "declined": [{"activity": "sing"}], "promised": [{"what": "The inn burned."}],
    }  # fmt: skip
    kept = [
        row("memory.formed.v1", description="They talked."),
        row("memory.formed.v1", description="The inn burned."),
        row("dialogue.agreed.v1", day="2023-02-14", from_minute=1_020),
        row("dialogue.declined.v1", activity="sing"),
        row("dialogue.promised.v1", what="The inn burned."),
    ]
    lost = ["gist", "learnt.1", "agreed.1", "declined.1", "promised.1"]
    for events, changes in ((kept, []), ([], lost)):
        history = History(ticks_per_minute=6, by_agent={"ada-finch": events})
        assert list(changes_of_takeaways(answer, kept[0], history)) == changes
