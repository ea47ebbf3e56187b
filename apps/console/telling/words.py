"""Times, places and lists as a story says them, and text that Markdown leaves alone."""

import re
from datetime import datetime, timedelta

from apps.kernel.game_time import format_clock
from apps.kernel.text import join_and
from apps.world.node import segments_of
from apps.world.words import definite, inside

OUTDOORS = "outdoors"
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")


def clock(time: datetime) -> str:
    """Return the time of day: "6:05 am"."""
    return format_clock(time)


def counted(number: int, what: str) -> str:
    """Return "1 minute", "3 minutes"."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def lasting(time: timedelta) -> str:
    """Return how long something lasted, to the minute: "2 hours and 5 minutes"."""
    hours, minutes = divmod(round(time.total_seconds() / 60), 60)
    if not hours and not minutes:
        return "less than a minute"
    parts = [counted(hours, "hour")] if hours else []
    return join_and([*parts, counted(minutes, "minute")] if minutes else parts)


def where(node: str, *, within: str = "") -> str:
    """Return a node as a noun: "the stove in the kitchen of Hobbs Cafe", "outdoors" for "".

    An area of the place `within` is called by its name alone: "the bathroom".
    """
    names = segments_of(node)
    if not names:
        return OUTDOORS
    if len(names) == 1:
        return definite(names[0])
    around = definite(names[1]) if names[0] == within else inside(names[1], names[0])
    return around if len(names) == 2 else f"{definite(names[2])} in {around}"


def place_of(node: str) -> str:
    """Return the name of the place that the node lies in, "" outdoors."""
    return next(iter(segments_of(node)), "")


def state_of(node: str, words: str) -> str:
    """Return what is said of the node: "idle" of "the stove is idle"; else all the words."""
    name = "".join(segments_of(node)[-1:])
    for opening in (f"the {name} is ", f"{name} is "):
        if name and words.startswith(opening):
            return words.removeprefix(opening)
    return words


def given_name(name: str) -> str:
    """Return the first of somebody's names; all of them if it is a title."""
    first = name.split(" ", maxsplit=1)[0]
    return name if first.endswith(".") else first


def plain(text: str) -> str:
    """Return the text on one line, without what Markdown would take for a sign of its own."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
