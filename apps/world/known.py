"""The part of the tree that an agent knows (W3); pure.

A partial tree is a frozenset of node paths. A path counts only if its ancestors are in it too;
the root is always known.
"""

from collections.abc import Iterable

from apps.world.tree import Node, WorldTree


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
