"""The part of the tree that somebody knows, and its words for prompts (W3, 5.1); pure.

A partial tree is a frozenset of node paths. A path counts only if its ancestors are in it
too; the town itself is always known.
"""

from collections.abc import Iterable

from apps.kernel.text import join_and
from apps.world.node import Kind, Node
from apps.world.tree import WorldTree
from apps.world.words import definite, indefinite, inside


def with_ancestors(tree: WorldTree, paths: Iterable[str]) -> frozenset[str]:
    """Return the paths and what they lie in.

    :raises UnknownPlace: if the tree does not have one of them.
    """
    known: set[str] = set()
    for path in paths:
        known.add(path)
        known.update(node.path for node in tree.ancestors(path))
    return frozenset(known - {""})


def with_all_below(tree: WorldTree, paths: Iterable[str]) -> frozenset[str]:
    """Return the paths, what they lie in, and all that lies in them."""
    given = tuple(paths)
    below = (node.path for path in given for node in tree.below(path))
    return with_ancestors(tree, (*given, *below))


def is_known(tree: WorldTree, known: frozenset[str], path: str) -> bool:
    """Return whether the partial tree holds the path and everything that it lies in."""
    return path == "" or (
        path in known and all(node.path in known for node in tree.ancestors(path))
    )


def known_children(tree: WorldTree, known: frozenset[str], path: str = "") -> tuple[Node, ...]:
    """Return the known nodes right below a known path, in the tree's order."""
    if not is_known(tree, known, path):
        return ()
    return tuple(node for node in tree.children(path) if node.path in known)


def flattened(tree: WorldTree, known: frozenset[str], path: str = "") -> str:
    """Return the known part below the path in sentences, one for each node that has parts.

    "Hobbs Cafe has a cafe. The cafe of Hobbs Cafe has a counter and a piano."
    """
    parts = known_children(tree, known, path)
    if not parts:
        return ""
    sentence = (
        f"{_subject(tree, path)} has {join_and([indefinite(node.name) for node in parts])}."
    )
    below = (flattened(tree, known, node.path) for node in parts)
    return " ".join((sentence, *(words for words in below if words)))


def whereabouts(tree: WorldTree, known: frozenset[str], *, name: str, area: str) -> str:
    """Return where somebody is and which places they know, as section 5.1 words it.

    `area` is the path of the area that they are in, "" outdoors.
    """
    place = tree.place_of(area)
    sentences = [f"{name} is currently {_standing(tree, area)}."]
    rooms = known_children(tree, known, place) if place else ()
    if rooms:
        sentences.append(f"{_subject(tree, place)} has {_names(rooms)}.")
    places = known_children(tree, known)
    if places:
        sentences.append(f"{name} knows of the following places: {_names(places)}.")
    return " ".join(sentences)


def _standing(tree: WorldTree, area: str) -> str:
    node = tree.node(area)
    if node.kind is Kind.AREA and node.parent is not None:
        return f"in {inside(node.name, tree.node(node.parent).name)}"
    return f"{'in' if area else 'on'} {tree.words(area)}"


def _names(nodes: Iterable[Node]) -> str:
    return join_and([definite(node.name) for node in nodes])


def _subject(tree: WorldTree, path: str) -> str:
    words = tree.words(path) if path else tree.root.name
    return words[0].upper() + words[1:]
