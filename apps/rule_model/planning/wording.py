"""The words of a planned activity: progress form, object and furniture, and its steps.

An activity of the rule-based model may have several steps, which are read here from its own
answer: "write poems, then from 12:30 pm have lunch".
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from apps.rule_model.content import Activity, patterns
from apps.rule_model.language.grammar import in_progress
from apps.rule_model.language.moments import HALF_DAY, MINUTES_OF_DAY, clock_of, minute_of

_PATTERNS = patterns("wording")
LEAST_OVERLAP = 15  # minutes of a step without which an hour is not said to hold it
_JOINT = _PATTERNS["joint"]


@dataclass(frozen=True, slots=True)
class Wording:
    """What the placeholders of an activity's hours stand for."""

    doing: str
    thing: str
    meal: str

    def fill(self, text: str) -> str:
        """Return the text with its placeholders filled in."""
        return _PATTERNS["placeholders"].sub(lambda match: getattr(self, match[1]), text)


def wording_of(activity: str, kind: Activity) -> Wording:
    """Return the words of a planned activity (an infinitive) of that kind."""
    groups = kind.groups_in(activity)
    plain = without_place(groups.get("doing") or activity)
    goes_on = _PATTERNS["go_on"].match(plain)
    doing = plain[goes_on.end() :] if goes_on else in_progress(plain)
    meal = _PATTERNS["meals"].search(activity)
    return Wording(
        doing=doing,
        thing=groups.get("thing") or _thing_in(doing, activity, kind),
        meal=meal[1].lower() if meal else "the meal",
    )


def without_place(activity: str) -> str:
    """Return the activity without the place at its end; the furniture stays."""
    return _PATTERNS["place"].sub("", activity).strip()


def seat_in(text: str) -> str:
    """Return the furniture that the words name, such as "at the desk", "" for none."""
    match = _PATTERNS["seat"].search(text)
    return "" if match is None else match["seat"]


def seated(text: str, activity: str) -> str:
    """Return the text with the furniture that the activity names: "read a book on the sofa"."""
    seat = seat_in(activity)
    is_told = not seat or seat_in(text) or seat.split()[-1] in text.split()
    return text if is_told else f"{text} {seat}"


def without_seat(text: str) -> str:
    """Return the words before the furniture."""
    return _PATTERNS["seat"].sub("", text)


def without_furniture(action: str) -> str:
    """Return the action without the furniture that it ends with."""
    return _PATTERNS["at_the_end"].sub("", action)


def placed(action: str, activity: str) -> str:
    """Return the action at the furniture and the counter that the planned activity names."""
    seat = seat_in(activity)
    if seat and _PATTERNS["at_hand"].search(action):
        action = _PATTERNS["at_hand"].sub(seat, action)
    elif seat and seat not in action and not _PATTERNS["anywhere"].search(action):
        is_sitting = _PATTERNS["sitting"].search(action) or seat.startswith("in ")
        action = f"{action} {seat}" if is_sitting else action
    counter = _PATTERNS["counter"].search(activity)
    return re.sub(r"\bthe counter\b", f"the {counter[1]}", action) if counter else action


def _thing_in(doing: str, activity: str, kind: Activity) -> str:
    named = next((thing for thing in kind.things if thing.lower() in activity.lower()), "")
    if kind.things:
        return f"the {named or kind.things[0]}"
    match = _PATTERNS["thing"].match(doing)
    return re.sub(r"^(?:an?|some) ", "the ", match["thing"]) if match else "the work"


@dataclass(frozen=True, slots=True)
class Stated:
    """A step: its start in minutes from the midnight of the day, and its description."""

    start: int
    text: str


def joint(text: str, minute: int, after: str) -> str:
    """Return both texts as one, the second from the minute on."""
    return f"{text}, then from {clock_of(minute)} {after}"


def with_each_step(text: str, change: Callable[[str], str]) -> str:
    """Return the text with every step changed; the times stay."""
    pieces = _JOINT.split(text)
    changed = change(pieces[0])
    for clock, step in zip(pieces[1::2], pieces[2::2], strict=True):
        changed = f"{changed}, then from {clock} {change(step)}"
    return changed


def last_step(text: str) -> str:
    """Return what the text comes to in the end."""
    return _JOINT.split(text)[-1]


def steps_in(text: str, start: int) -> list[Stated]:
    """Return the steps that the text tells, the first of which begins at `start`."""
    first, *rest = _JOINT.split(text)
    steps = [Stated(start, first)]
    for clock, after in zip(rest[::2], rest[1::2], strict=True):
        minute = minute_of(clock)
        if minute < start - HALF_DAY:
            minute += MINUTES_OF_DAY  # after midnight; a little before the start is past
        steps.append(Stated(minute, after))
    return steps


def shares(steps: Sequence[Stated], start: int, end: int) -> list[Stated]:
    """Return the steps that fill a good part of the time from start to end, or the longest."""
    lengths = _lengths(steps, start, end)
    least = min(LEAST_OVERLAP, max(lengths))
    kept = [step for step, length in zip(steps, lengths, strict=True) if length >= least]
    return [Stated(max(step.start, start), step.text) for step in kept]


def longest(steps: Sequence[Stated], start: int, end: int) -> Stated:
    """Return the step that takes most of the time from start to end."""
    lengths = _lengths(steps, start, end)
    return steps[lengths.index(max(lengths))]


def _lengths(steps: Sequence[Stated], start: int, end: int) -> list[int]:
    ends = [after.start for _, after in pairwise(steps)] + [max(end, steps[-1].start)]
    timed = zip(steps, ends, strict=True)
    return [min(until, end) - max(step.start, start) for step, until in timed]
