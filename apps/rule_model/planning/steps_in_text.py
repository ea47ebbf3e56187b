"""Several steps of a plan in one activity, with the times at which they begin.

An outline has few chunks, so an activity of the rule-based model may hold more than one
thing: "write poems, then from 12:30 pm have lunch". A model's activity comes back as it was
answered, and its steps are read here.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from apps.rule_model.language.moments import (
    HALF_DAY,
    MINUTES_OF_DAY,
    clock_of,
    minute_of,
)

LEAST_OVERLAP = 15  # minutes of a step without which an hour is not said to hold it
_JOINT = re.compile(r", then from (\d{1,2}:\d{2} [ap]m) ")


@dataclass(frozen=True, slots=True)
class Stated:
    """A step as told: when it begins (minutes from the midnight of the day) and what it is."""

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
    return [
        min(until, end) - max(step.start, start)
        for step, until in zip(steps, ends, strict=True)
    ]


def as_text(steps: Sequence[Stated]) -> str:
    """Return the steps as one text."""
    text = steps[0].text
    for step in steps[1:]:
        text = joint(text, step.start, step.text)
    return text
