"""Norms of nodes: opening hours, keepers, residents, and who may enter (W5); pure."""

from collections.abc import Iterable

from apps.kernel.game_time import MINUTES_PER_DAY, format_clock
from apps.world.tree import WorldTree


def hours_of(tree: WorldTree, path: str) -> tuple[int, int] | None:
    """Return the opening hours of the node: its own, or those of its nearest ancestor."""
    own = (node.norms.hours for node in reversed(tree.line_of(path)))
    return next((hours for hours in own if hours is not None), None)


def is_open(tree: WorldTree, path: str, minute: int) -> bool:
    """Return whether the node is open at the minute of the day; hours may pass midnight."""
    hours = hours_of(tree, path)
    if hours is None:
        return True
    opens, closes = hours
    return opens <= minute < closes or opens <= minute + MINUTES_PER_DAY < closes


def keepers_of(tree: WorldTree, path: str) -> tuple[str, ...]:
    """Return the keepers of the node and of its ancestors."""
    return _unique(name for node in tree.line_of(path) for name in node.norms.keepers)


def residents_of(tree: WorldTree, path: str) -> tuple[str, ...]:
    """Return the residents of the node and of its ancestors."""
    return _unique(name for node in tree.line_of(path) for name in node.norms.residents)


def may_enter(tree: WorldTree, *, person: str, area: str, minute: int) -> str | None:
    """Return None if the person may enter the area at the minute, else the reason.

    Keepers and residents always may. Capacity is not checked here: it depends on the other
    agents that enter.
    """
    if is_open(tree, area, minute):
        return None
    if person in keepers_of(tree, area) or person in residents_of(tree, area):
        return None
    closed = next(node for node in reversed(tree.line_of(area)) if node.norms.hours is not None)
    opens = hours_of(tree, area) or (0, 0)
    return f"{tree.words(closed.path)} is closed; it opens at {format_clock(opens[0])}"


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
