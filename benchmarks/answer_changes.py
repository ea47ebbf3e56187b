"""Compares answers with the events of their calls, without the counters of the service."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.eventlog.models import EventRow
from apps.kernel.names import slug_of

Json = Mapping[str, Any]
MINUTES_PER_DAY = 1_440
# An answer has whole minutes; the hour of a revised plan begins between two of them.
ROUNDING_MINUTES = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The events of a simulation by model call."""

    ticks_per_minute: float
    minutes_at_start: int = 0
    by_call: Mapping[str, list[EventRow]] = field(default_factory=dict)

    def clock(self, tick: int) -> float:
        """Return the minute of the day at the tick."""
        return (self.minutes_at_start + tick / self.ticks_per_minute) % MINUTES_PER_DAY


Compare = Callable[[Json, EventRow, History], Iterator[str]]


def changes_of_actions(answer: Json, event: EventRow, history: History) -> Iterator[str]:
    """Yield the differences between the answered actions of an hour and the planned ones."""
    answered, planned = answer["actions"], event.data["items"]
    if len(answered) != len(planned):
        yield f"{len(answered)} actions became {len(planned)}"
    for number, (one, item) in enumerate(zip(answered, planned, strict=False), start=1):
        yield from (f"actions.{number}.{name}" for name in other_fields(one, item))
        begins = history.clock(item["from_tick"])
        # The first action begins with the way to the place, before the time of its answer.
        if number > 1 and abs(minute_of(one["starts"]) - begins) >= ROUNDING_MINUTES:
            yield f"actions.{number}.starts: {one['starts']} became {begins:g}"


def other_fields(one: Json, item: Json) -> Iterator[str]:
    """Yield the fields of an action, besides its length, that are planned otherwise."""
    has_object = one["object"].strip() != "none"
    state = in_one_line(one["object_state"]) if has_object else ""
    is_same = {
        "description": in_one_line(one["description"]) == item["description"],
        "emoji": in_one_line(one["emoji"]) == item["emoji"],
        "area": item["area"].endswith(one["area"].strip()),
        "object": has_object == bool(item["object"]),
        "object_state": state == item["object_state"],
    }
    yield from (name for name, same in is_same.items() if not same)


def changes_of_outline(answer: Json, event: EventRow, history: History) -> Iterator[str]:
    """Yield the differences between the answered chunks of a day and the planned ones."""
    planned = joined(
        [one for one in event.data["items"] if not one["free"] and not one["asleep"]]
    )
    answered = sorted(answer["chunks"], key=lambda one: minute_of(one["starts"]))
    if len(answered) != len(planned):
        yield f"{len(answered)} chunks became {len(planned)}"
    for number, (one, item) in enumerate(zip(answered, planned, strict=False), start=1):
        is_same = {
            "activity": in_one_line(one["activity"]) == item["description"],
            "place": one["place"] in ("", item["place"]),
            "starts": minute_of(one["starts"]) == history.clock(item["from_tick"]),
        }
        yield from (f"chunks.{number}.{name}" for name, same in is_same.items() if not same)
    bed = next((one["from_tick"] for one in event.data["items"] if one["asleep"]), None)
    if bed is not None and answer.get("bedtime"):
        yield from ["bedtime"] * (minute_of(answer["bedtime"]) != history.clock(bed))


def joined(items: Sequence[Json]) -> list[dict[str, Any]]:
    """Return the items, with those that were cut out of one chunk joined again."""
    found: list[dict[str, Any]] = []
    for one in items:
        last = found[-1] if found else None
        same = last is not None and all(
            last[name] == one[name] for name in ("description", "place")
        )
        if last is not None and same and last["to_tick"] == one["from_tick"]:
            last["to_tick"] = one["to_tick"]
        else:
            found.append(dict(one))
    return found


def changes_of_utterance(answer: Json, event: EventRow, _history: History) -> Iterator[str]:
    """Yield the differences between the answered words and those that were said."""
    said = event.data
    is_same = {
        "utterance": in_one_line(answer["utterance"]) == in_one_line(said["text"]),
        "to": not answer.get("to") or slug_of(answer["to"]) == said["to"],
        "ends": answer.get("ends", False) == said["ends"],
        "leaves": answer.get("leaves", False) == said.get("leaves", False),
    }
    yield from (name for name, same in is_same.items() if not same)


def in_one_line(text: str) -> str:
    """Return the text without breaks and surplus spaces."""
    return " ".join(text.split())


def minute_of(clock: str) -> int:
    """Return the minute of the day of "13:05", also of "25:05"."""
    hours, _, minutes = clock.partition(":")
    return (int(hours) * 60 + int(minutes)) % MINUTES_PER_DAY


COMPARED: Mapping[str, Compare] = {
    "planning.hour_actions": changes_of_actions,
    "planning.day_outline": changes_of_outline,
    "dialogue.utterance": changes_of_utterance,
}
EVENTS = {
    "planning.hour_actions": "planning.actions-planned.v1",
    "planning.day_outline": "planning.day-outlined.v1",
    "dialogue.utterance": "dialogue.said.v1",
}
