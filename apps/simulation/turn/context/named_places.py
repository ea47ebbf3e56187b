"""Places of the world that words mean, and whether a node lies in one (W2)."""

import re
from collections.abc import Iterable

from apps.world.norms import is_home
from apps.world.problems import AmbiguousPlace, UnknownPlace
from apps.world.tree import NodeKind, WorldTree

_WORD = re.compile(r"[^\W\d_]+")
# Shorter words, such as articles, may be missing in the name of a place.
_TELLING_CHARACTERS_MIN = 4


def place_named(tree: WorldTree, words: str) -> str:
    """Return the path of the node that the words name, "" if they name none, or several."""
    if not words:
        return ""
    try:
        return tree.resolve(words).path
    except (UnknownPlace, AmbiguousPlace):
        return ""


def place_meant(tree: WorldTree, words: str, *, near: Iterable[str]) -> str:
    """Return the path of the area or place that the words mean, "" if it is not known.

    An object stands for its area. `near` are nodes where the speakers are at home or have
    talked, the nearest first: "our kitchen table" is one of theirs. An object in the home of
    somebody else is not meant by its name alone.
    """
    path = place_named(tree, words)
    if path and tree.node(path).kind is not NodeKind.OBJECT:
        return path
    for place in dict.fromkeys(tree.place_of(one) for one in near if one in tree):
        if place and (meant := _meant_in(tree, place, words)):
            return meant
    return "" if not path or is_home(tree, tree.place_of(path)) else tree.area_of(path)


def _meant_in(tree: WorldTree, place: str, words: str) -> str:
    """Return the area in the place that the words fit best, "" without one.

    The place itself is meant if several areas fit alike.
    """
    said = _words_of(words)
    telling = [word for word in said if len(word) >= _TELLING_CHARACTERS_MIN] or said
    best: dict[str, tuple[int, int]] = {}
    for node in tree.below(place):
        own, above = _words_of(node.name), _words_of(node.path)
        said_of_it = sum(_fits(word, above) for word in telling)
        if any(_fits(word, own) for word in telling) and 2 * said_of_it > len(telling):
            area = node.path if node.kind is not NodeKind.OBJECT else tree.area_of(node.path)
            fitting = sum(_fits(word, telling) for word in above)
            best[area] = max((said_of_it, fitting), best.get(area, (0, 0)))
    highest = max(best.values(), default=None)
    most = [area for area, rank in best.items() if rank == highest]
    return most[0] if len(most) == 1 else place if most else ""


def _words_of(name: str) -> list[str]:
    return _WORD.findall(name.casefold())


def _fits(word: str, names: Iterable[str]) -> bool:
    return any(_are_alike(word, name) for name in names)


def _are_alike(word: str, name: str) -> bool:
    """Return whether one is the other or a part of it, as "room" of "bedroom"."""
    if min(len(word), len(name)) < _TELLING_CHARACTERS_MIN:
        return word == name
    return word in name or name in word


def is_within(tree: WorldTree, path: str, node: str) -> bool:
    """Return whether the node is the one of the path or one of its ancestors.

    Nothing is within a node if the path is of no node.
    """
    return path in tree and any(one.path == node for one in tree.line_of(path))
