"""Places of the world that words name, and whether a node lies in one (W2)."""

from apps.world.problems import AmbiguousPlace, UnknownPlace
from apps.world.tree import WorldTree


def place_named(tree: WorldTree, words: str) -> str:
    """Return the path of the node that the words name, "" if they name none, or several."""
    if not words:
        return ""
    try:
        return tree.resolve(words).path
    except (UnknownPlace, AmbiguousPlace):
        return ""


def is_within(tree: WorldTree, path: str, node: str) -> bool:
    """Return whether the node is the one of the path or one of its ancestors.

    Nothing is within a node if the path is of no node.
    """
    return path in tree and any(one.path == node for one in tree.line_of(path))
