"""What is usual and allowed where: opening hours, how many, whose (W5); pure."""

from collections.abc import Iterable

from apps.kernel.game_time import MINUTES_PER_DAY, format_clock
from apps.kernel.text import join_and
from apps.world.node import Kind, Node
from apps.world.tree import WorldTree
from apps.world.words import counted, definite


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


def norm_words(tree: WorldTree, path: str) -> str:
    """Return the norms of the node and of what it lies in, for prompts; "" if none.

    "Hobbs Cafe is open from 8:00 am to 8:00 pm; Isabella Rodriguez keeps it".
    """
    return "; ".join(words for node in _line(tree, path) for words in _own_words(node))


def _own_words(node: Node) -> list[str]:
    norms, name = node.norms, definite(node.name)
    words: list[str] = []
    if norms.hours is not None:
        opens, closes = norms.hours
        words.append(f"{name} is open from {format_clock(opens)} to {format_clock(closes)}")
    if norms.keepers:
        verb = "keeps" if len(norms.keepers) == 1 else "keep"
        words.append(f"{join_and(norms.keepers)} {verb} {'it' if norms.hours else name}")
    if norms.residents:
        verb = "lives" if len(norms.residents) == 1 else "live"
        words.append(f"{join_and(norms.residents)} {verb} in {name}")
    if norms.holds is not None and (node.kind is not Kind.OBJECT or norms.holds > 1):
        words.append(_capacity(node, norms.holds))
    return words


def _capacity(node: Node, holds: int) -> str:
    if node.kind is Kind.OBJECT:
        return f"{counted(holds)} at a time can use {definite(node.name)}"
    return f"{definite(node.name)} holds {counted(holds)}"


def _line(tree: WorldTree, path: str) -> tuple[Node, ...]:
    return (*tree.ancestors(path), tree.node(path))


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
