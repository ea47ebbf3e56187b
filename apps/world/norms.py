"""The known part of the tree, norms of nodes, and rights to enter (W3, W5); pure.

A partial tree is a frozenset of node paths. A path counts only if its ancestors are in it too;
the root is always known.
"""

from collections.abc import Iterable

from apps.kernel.game_time import MINUTES_PER_DAY, format_clock
from apps.kernel.language import phrase
from apps.world.tree import Node, WorldTree


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


def lives_in(tree: WorldTree, path: str, *, name: str, home: str = "") -> bool:
    """Return whether an agent is a resident of the place or area.

    It is named among the residents of the node or of an area in it, or its home (the path of
    an area, "" without one) is there.
    """
    nodes = (tree.node(path), *tree.children(path))
    is_home = bool(home) and path in {home, tree.place_of(home)}
    return is_home or any(name in node.norms.residents for node in nodes)


def is_home(tree: WorldTree, place: str) -> bool:
    """Return whether the place, or an area of it, has residents."""
    nodes = (tree.node(place), *tree.children(place))
    return any(node.norms.residents for node in nodes)


def nodes_to_be_let_into(
    tree: WorldTree, *, left: str, entered: str, name: str, home: str = ""
) -> tuple[str, ...]:
    """Return the nodes whose residents must let an agent in that goes from area to area.

    They are the place entered, if it is a home, and the area entered, if it is private; not
    those in which the agent lives or which it keeps. "" is outdoors.
    """
    if not entered or name in keepers_of(tree, entered):
        return ()
    place, area = tree.place_of(entered), tree.node(entered)
    nodes = [place] if place != tree.place_of(left) and is_home(tree, place) else []
    nodes += [area.path] if area.norms.private and entered != left else []
    return tuple(node for node in nodes if not lives_in(tree, node, name=name, home=home))


def is_common_or_own(tree: WorldTree, area: str, *, name: str, home: str = "") -> bool:
    """Return whether the area has no residents of its own, or the agent is one of them."""
    return not tree.node(area).norms.residents or lives_in(tree, area, name=name, home=home)


def may_use_area(tree: WorldTree, area: str, *, name: str, home: str = "") -> bool:
    """Return whether the area is not private, or the agent is a resident of it."""
    return not tree.node(area).norms.private or lives_in(tree, area, name=name, home=home)


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
    return phrase(
        "{place} is closed; it opens at {time}",
        place=tree.words(closed.path),
        time=format_clock(opens[0]),
    )


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def with_ancestors(tree: WorldTree, paths: Iterable[str]) -> frozenset[str]:
    """Return the paths with their ancestors.

    :raises UnknownPlace: if the tree does not have one of them.
    """
    known: set[str] = set()
    for path in paths:
        known.add(path)
        known.update(node.path for node in tree.ancestors(path))
    return frozenset(known - {""})


def with_all_below(tree: WorldTree, paths: Iterable[str]) -> frozenset[str]:
    """Return the paths with their ancestors and all their descendants."""
    listed = tuple(paths)
    below = (node.path for path in listed for node in tree.below(path))
    return with_ancestors(tree, (*listed, *below))


def is_known(tree: WorldTree, known: frozenset[str], path: str) -> bool:
    """Return whether the partial tree has the path and all its ancestors."""
    return path == "" or (
        path in known and all(node.path in known for node in tree.ancestors(path))
    )


def known_children(tree: WorldTree, known: frozenset[str], path: str = "") -> tuple[Node, ...]:
    """Return the known children of a known path, in the tree's order."""
    if not is_known(tree, known, path):
        return ()
    return tuple(node for node in tree.children(path) if node.path in known)
