"""What a vocabulary of activities is made of: hours, and the few-minute actions in them.

Part of the stand-in: rules, not a language model.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

THING = "{thing}"


class When(Enum):
    """Which hour of a chunk an hour's text fits."""

    FIRST = "first"
    LAST = "last"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Step:
    """A few minutes: what follows "<name> is", and about how long."""

    doing: str
    minutes: int


@dataclass(frozen=True, slots=True)
class HourText:
    """An hour's text (an infinitive) with its steps; ordered ones are done in their order."""

    text: str
    steps: tuple[Step, ...]
    when: When
    ordered: bool


@dataclass(frozen=True, slots=True)
class Activity:
    """A kind of activity, known by cues in the words of a plan.

    `things` are what may be worked on, in the order looked for; the first stands in when
    the words name none of them. Of an activity `by_turns` those who live together each take
    another hour, so that they do not all stand in one bathroom.
    """

    name: str
    cues: re.Pattern[str]
    hours: tuple[HourText, ...]
    things: tuple[str, ...]
    by_turns: bool = False

    def thing_in(self, text: str) -> str:
        """Return what the text says is worked on: "the novel"."""
        named = (thing for thing in self.things if thing.lower() in text.lower())
        thing = next(named, self.things[0] if self.things else "work")
        return f"the {thing}"


def activity(
    name: str, cues: str, *hours: HourText, things: str = "", by_turns: bool = False
) -> Activity:
    """Return an activity; `cues` is a pattern, `things` are words in order."""
    return Activity(
        name,
        re.compile(cues, re.IGNORECASE),
        hours,
        tuple(things.split(", ")) if things else (),
        by_turns,
    )


def hour(text: str, steps: str, *, when: When = When.ANY, ordered: bool = False) -> HourText:
    """Return an hour from "doing this 10; doing that 5"."""
    return HourText(text, tuple(_steps(steps.split(";"))), when, ordered)


def first(text: str, steps: str) -> HourText:
    """Return an hour that a chunk begins with."""
    return hour(text, steps, when=When.FIRST, ordered=True)


def last(text: str, steps: str) -> HourText:
    """Return an hour that a chunk ends with."""
    return hour(text, steps, when=When.LAST, ordered=True)


def _steps(texts: Iterable[str]) -> Iterable[Step]:
    for text in texts:
        doing, _, minutes = text.strip().rpartition(" ")
        yield Step(" ".join(doing.split()), int(minutes))
