"""Durations, nodes and names in the text of a story."""

from datetime import timedelta

from apps.kernel.text import join_and
from apps.world.tree import noun_of, segments_of

OUTDOORS = "outdoors"


def format_duration(time: timedelta) -> str:
    """Return the duration in minutes: "2 hours and 5 minutes"."""
    hours, minutes = divmod(round(time.total_seconds() / 60), 60)
    units = ((hours, "hour"), (minutes, "minute"))
    parts = [f"{number} {unit}{'s' * (number != 1)}" for number, unit in units if number]
    return join_and(parts) or "less than a minute"


def format_node(node: str, *, within: str = "") -> str:
    """Return a node as a noun: "the stove in the kitchen of Hobbs Cafe", "outdoors" for "".

    An area of the place `within` has its own name only: "the bathroom".
    """
    names = segments_of(node)
    return noun_of(names, within=within) if names else OUTDOORS


def place_of(node: str) -> str:
    """Return the name of the node's place, "" outdoors."""
    return next(iter(segments_of(node)), "")


def state_in(node: str, text: str) -> str:
    """Return the state in a text about the node: "idle" of "stove: idle"."""
    name = "".join(segments_of(node)[-1:])
    for opening in (f"{name}: ", f"the {name} is ", f"{name} is "):
        if name and text.startswith(opening):
            return text.removeprefix(opening)
    return text


def given_name(name: str) -> str:
    """Return the first of an agent's names; all of them if it is a title."""
    first = name.split(" ", maxsplit=1)[0]
    return name if first.endswith(".") else first
