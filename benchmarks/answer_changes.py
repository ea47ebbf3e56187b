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
    by_agent: Mapping[str, list[EventRow]] = field(default_factory=dict)

    def of_agent(self, event: EventRow, kind: str) -> list[EventRow]:
        """Return the events of a type in the stream of the event, up to its tick."""
        own = self.by_agent.get(event.stream, ())
        return [one for one in own if one.type == kind and one.tick <= event.tick]

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


def changes_of_decision(answer: Json, event: EventRow, history: History) -> Iterator[str]:
    """Yield the differences between the answered reaction and what was decided and said."""
    decided = event.data
    if answer["choice"] != decided["choice"]:
        yield "choice"
    if answer["choice"] == "go on":
        return
    subjects, number = decided["subjects"], answer.get("observation", 1)
    if subjects[number - 1 : number] != [decided["about"]]:
        yield "observation"
    if in_one_line(answer["what"]) != in_one_line(decided["what"]):
        yield "what"
    if answer["choice"] == "talk":
        said = history.of_agent(event, "dialogue.said.v1")
        words = [in_one_line(one.data["text"]) for one in said if one.tick == event.tick]
        yield from ["say"] * (in_one_line(answer["say"]) not in words)


def changes_of_revision(answer: Json, event: EventRow, history: History) -> Iterator[str]:
    """Yield the changes of the day that are not planned as answered."""
    planned = joined(event.data["items"])
    for number, one in enumerate(answer["changes"], start=1):
        meant = [
            item
            for item in planned
            if item["description"] == in_one_line(one["activity"])
            and one["place"] in ("", item["place"])
        ]
        edges = [
            (history.clock(item["from_tick"]), history.clock(item["to_tick"])) for item in meant
        ]
        starts, ends = minute_of(one["starts"]), minute_of(one["ends"])
        is_planned = any(
            abs(begun - starts) < ROUNDING_MINUTES and abs(over - ends) < ROUNDING_MINUTES
            for begun, over in edges
        )
        yield from [f"changes.{number}"] * (not is_planned)
    bed = next((one["from_tick"] for one in event.data["items"] if one["asleep"]), None)
    if bed is not None and answer.get("bedtime"):
        yield from ["bedtime"] * (minute_of(answer["bedtime"]) != history.clock(bed))


def changes_of_takeaways(answer: Json, event: EventRow, history: History) -> Iterator[str]:
    """Yield what an agent was to keep of a conversation and did not.

    What it remembers or has agreed to already is not kept a second time.
    """
    formed = history.of_agent(event, "memory.formed.v1")
    remembered = {in_one_line(one.data["description"]) for one in formed}
    sentences = {"gist": answer["gist"], "about_other": answer["about_other"]} | {
        f"learnt.{number}": one["sentence"] for number, one in enumerate(answer["learnt"], 1)
    }
    for name, sentence in sentences.items():
        yield from [name] * (in_one_line(sentence) not in {*remembered, ""})
    agreed = {
        (one.data["day"], one.data["from_minute"])
        for one in history.of_agent(event, "dialogue.agreed.v1")
    }
    for number, one in enumerate(answer["agreed"], start=1):
        is_agreed = (one["date"].strip(), minute_of(one["starts"])) in agreed
        yield from [f"agreed.{number}"] * (not is_agreed)
    for name, kind, words in (
        ("declined", "dialogue.declined.v1", "activity"),
        ("promised", "dialogue.promised.v1", "what"),
    ):
        rows = history.of_agent(event, kind)
        kept = {in_one_line(row.data[words]) for row in rows if row.tick == event.tick}
        for number, one in enumerate(answer.get(name, ()), start=1):
            yield from [f"{name}.{number}"] * (in_one_line(one[words]) not in kept)


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
    "planning.revised_hours": changes_of_revision,
    "dialogue.utterance": changes_of_utterance,
    "dialogue.takeaways": changes_of_takeaways,
    "reaction.decision": changes_of_decision,
}
# Of takeaways any event of their call: its turn has them all.
EVENTS = {
    "planning.hour_actions": "planning.actions-planned.v1",
    "planning.day_outline": "planning.day-outlined.v1",
    "planning.revised_hours": "planning.hours-planned.v1",
    "dialogue.utterance": "dialogue.said.v1",
    "reaction.decision": "reaction.decided.v1",
}
