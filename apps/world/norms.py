"""What is usual and allowed where: opening hours, how many, whose (W5); pure."""

from collections.abc import Iterable

from apps.kernel.game_time import MINUTES_PER_DAY, format_clock
from apps.world.node import Node
from apps.world.tree import WorldTree


def hours_of(tree: WorldTree, path: str) -> tuple[int, int] | None:
    """Return when the node is open: its own hours, or those of what it lies in."""
    own = (node.norms.hours for node in reversed(_line(tree, path)))
    return next((hours for hours in own if hours is not None), None)


def is_open(tree: WorldTree, path: str, minute: int) -> bool:
    """Return whether the node is open at the minute of the day; hours may pass midnight."""
    hours = hours_of(tree, path)
    if hours is None:
        return True
    opens, closes = hours
    return opens <= minute < closes or opens <= minute + MINUTES_PER_DAY < closes


def keepers_of(tree: WorldTree, path: str) -> tuple[str, ...]:
    """Return who keeps the node or what it lies in."""
    return _unique(name for node in _line(tree, path) for name in node.norms.keepers)


def residents_of(tree: WorldTree, path: str) -> tuple[str, ...]:
    """Return who lives in the node or in what it lies in."""
    return _unique(name for node in _line(tree, path) for name in node.norms.residents)


def may_enter(tree: WorldTree, *, person: str, area: str, minute: int) -> str | None:
    """Return None if the person may enter the area at the minute, else why not, in words.

    Keepers and residents always may. How many it holds is not asked here: that depends on
    who else tries.
    """
    if is_open(tree, area, minute):
        return None
    if person in keepers_of(tree, area) or person in residents_of(tree, area):
        return None
    closed = next(node for node in reversed(_line(tree, area)) if node.norms.hours is not None)
    opens = hours_of(tree, area) or (0, 0)
    return f"{tree.words(closed.path)} is closed; it opens at {format_clock(opens[0])}"


def _line(tree: WorldTree, path: str) -> tuple[Node, ...]:
    return (*tree.ancestors(path), tree.node(path))


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
