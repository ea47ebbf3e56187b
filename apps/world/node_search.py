"""Finds a node by a name or a shortened path that only one node can mean (W2, U3)."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from apps.kernel.text import compose
from apps.world.errors import AmbiguousPlace, UnknownPlace
from apps.world.node import Node, segments_of
from apps.world.words import noun_of

_WORDS_CHARACTERS_MAX = 300
_SPACE = re.compile(r"\s+")
_LIKENESS_MIN = 0.5


class NodeSearch:
    """The spellings of all nodes: their names, and first names in place of full names."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        listed = [node for node in nodes if node.path]
        agents = {
            name for node in listed for name in (*node.norms.residents, *node.norms.keepers)
        }
        self._nodes = {node.path: node for node in listed}
        self._spellings = {
            node.path: tuple(_spellings(name, agents) for name in segments_of(node.path))
            for node in listed
        }

    def find(self, words: str) -> Node:
        """Return the only node that the words can mean.

        A path may omit areas and places, use small letters, a first name or "the", and stand
        between < and >. A name may also be the noun of a node in the language in use, such as
        "the kitchen of Hobbs Cafe".

        :raises UnknownPlace: if no node has the name; it has the paths with similar names.
        :raises AmbiguousPlace: if several nodes have; its `candidates` are their paths.
        """
        name = words[:_WORDS_CHARACTERS_MAX].strip().removeprefix("<").removesuffix(">")
        parts = tuple(_plain(part) for part in name.split(":"))
        whole = [path for path in self._nodes if _is_whole(parts, self._spellings[path])]
        found = (
            whole
            or [path for path in self._nodes if _is_short_for(parts, self._spellings[path])]
            or [path for path in self._nodes if _is_noun_of(name, path)]
        )
        if not found:
            raise UnknownPlace(name, self._near(name))
        if len(found) > 1:
            raise AmbiguousPlace(name, found)
        return self._nodes[found[0]]

    def _near(self, name: str) -> tuple[str, ...]:
        paths = {path.casefold(): path for path in self._nodes}
        for path in self._nodes:
            paths.setdefault(_plain(segments_of(path)[-1]), path)
        near = get_close_matches(name.casefold(), paths, n=4, cutoff=_LIKENESS_MIN)
        return tuple(dict.fromkeys(paths[found] for found in near))


def _spellings(name: str, agents: Iterable[str]) -> frozenset[str]:
    plain = _plain(name)
    shortened = (
        re.sub(rf"\b{re.escape(_plain(person))}\b", _plain(person).split(" ")[0], plain)
        for person in agents
    )
    return frozenset((plain, *shortened))


def _plain(name: str) -> str:
    spaced = _SPACE.sub(" ", compose(name).replace("\u2019", "'")).strip().casefold()
    return spaced.removeprefix("the ")


def _is_whole(parts: Sequence[str], spellings: Sequence[frozenset[str]]) -> bool:
    return len(parts) == len(spellings) and _is_short_for(parts, spellings)


def _is_noun_of(words: str, path: str) -> bool:
    """Return whether the words are the noun by which prompts name the node."""
    return _plain(words) == _plain(noun_of(segments_of(path)))


def _is_short_for(parts: Sequence[str], spellings: Sequence[frozenset[str]]) -> bool:
    """Return whether the last names are equal and the others precede it in order."""
    if not parts or parts[-1] not in spellings[-1]:
        return False
    before = iter(spellings[:-1])
    return all(any(name in spelling for spelling in before) for name in parts[:-1])
