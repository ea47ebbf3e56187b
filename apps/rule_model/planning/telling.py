"""Tells several steps of a plan in one text, with the times at which they begin (stand-in).

"write poems, then from 12:30 pm have lunch": a chunk or an hour that holds more than one
thing says so in words, and what was told can be read back.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from apps.planning.offers import spoken_minute
from apps.rule_model.planning.clauses import DAY, HALF_DAY, minute_of

LEAST_OVERLAP = 15  # minutes of a step without which an hour is not said to hold it
_JOINT = re.compile(r", then from (\d{1,2}:\d{2} [ap]m) ")


@dataclass(frozen=True, slots=True)
class Told:
    """A step as told: when it begins (minutes from the midnight of the day) and what it is."""

    start: int
    text: str


def joint(text: str, minute: int, after: str) -> str:
    """Return both texts as one, the second from the minute on."""
    return f"{text}, then from {spoken_minute(minute)} {after}"


def last_step(text: str) -> str:
    """Return what the text comes to in the end."""
    return _JOINT.split(text)[-1]


def told_steps(text: str, start: int) -> list[Told]:
    """Return the steps that the text tells, the first of which begins at `start`."""
    first, *rest = _JOINT.split(text)
    steps = [Told(start, first)]
    for clock, after in zip(rest[::2], rest[1::2], strict=True):
        minute = minute_of(clock)
        if minute < start - HALF_DAY:
            minute += DAY  # after midnight; what is a little earlier than the start is past
        steps.append(Told(minute, after))
    return steps


def shares(steps: Sequence[Told], start: int, end: int) -> list[Told]:
    """Return the steps that fill a good part of the time from start to end, or the longest."""
    ends = [after.start for _, after in pairwise(steps)] + [max(end, steps[-1].start)]
    lengths = [
        min(until, end) - max(step.start, start)
        for step, until in zip(steps, ends, strict=True)
    ]
    least = min(LEAST_OVERLAP, max(lengths))
    kept = [step for step, length in zip(steps, lengths, strict=True) if length >= least]
    return [Told(max(step.start, start), step.text) for step in kept]


def as_text(steps: Sequence[Told]) -> str:
    """Return the steps as one text."""
    text = steps[0].text
    for step in steps[1:]:
        text = joint(text, step.start, step.text)
    return text
