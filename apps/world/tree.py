"""The tree of places, areas and objects: its nodes, their words, and finds by name."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from apps.kernel.language import phrase
from apps.kernel.text import compose
from apps.world.problems import AmbiguousPlace, UnknownPlace

SEPARATOR = ": "


class NodeKind(StrEnum):
    """The level of a node in the tree; TOWN is the root."""

    TOWN = "town"
    PLACE = "place"
    AREA = "area"
    OBJECT = "object"


@dataclass(frozen=True, slots=True, kw_only=True)
class Norms:
    """The norms of a node (W5).

    `hours` are minutes after midnight, the closing one past 1,440 if it is in the next day,
    None for always. `holds` is the capacity in agents, None for no limit. `keepers` and
    `residents` are full names. An area that is `private` is its own residents' alone, also in
    a home that they share with others.
    """

    hours: tuple[int, int] | None = None
    holds: int | None = None
    keepers: tuple[str, ...] = ()
    residents: tuple[str, ...] = ()
    private: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node; its path is its identity: "Hobbs Cafe: cafe: counter".

    The path of the root is "", its parent None.
    """

    path: str
    name: str
    kind: NodeKind
    parent: str | None
    norms: Norms = Norms()
    idle_state: str = "idle"


def path_of(parent: str, name: str) -> str:
    """Return the path of the parent's child of that name."""
    return f"{parent}{SEPARATOR}{name}" if parent else name


def segments_of(path: str) -> tuple[str, ...]:
    """Return the names in the path, the place's first; none for the root."""
    return tuple(path.split(SEPARATOR)) if path else ()


__all__ = ["Node", "NodeKind", "Norms", "WorldTree"]


class WorldTree:
    """The nodes of a world by path, each after its parent, the root first. Immutable."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._nodes = {node.path: node for node in nodes}
        children: dict[str, list[Node]] = defaultdict(list)
        for node in self._nodes.values():
            if node.parent is not None:
                children[node.parent].append(node)
        self._children = {path: tuple(below) for path, below in children.items()}
        self._search = NodeSearch(self._nodes.values())

    def __contains__(self, path: object) -> bool:
        return path in self._nodes

    @property
    def root(self) -> Node:
        """The root, whose name is that of the world."""
        return self._nodes[""]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, each after its parent."""
        return tuple(self._nodes.values())

    @property
    def places(self) -> tuple[Node, ...]:
        """The places of the world."""
        return self._of_kind(NodeKind.PLACE)

    @property
    def areas(self) -> tuple[Node, ...]:
        """The areas of all places."""
        return self._of_kind(NodeKind.AREA)

    @property
    def objects(self) -> tuple[Node, ...]:
        """The objects of all areas."""
        return self._of_kind(NodeKind.OBJECT)

    def node(self, path: str) -> Node:
        """Return the node of exactly this path.

        :raises UnknownPlace: if there is none.
        """
        found = self._nodes.get(path)
        if found is None:
            raise UnknownPlace(path)
        return found

    def children(self, path: str = "") -> tuple[Node, ...]:
        """Return the children of the path."""
        return self._children.get(path, ())

    def below(self, path: str = "") -> tuple[Node, ...]:
        """Return all descendants of the path, depth first."""
        return tuple(
            node for child in self.children(path) for node in (child, *self.below(child.path))
        )

    def ancestors(self, path: str) -> tuple[Node, ...]:
        """Return the ancestors of the path without the root, the place first."""
        found: list[Node] = []
        parent = self.node(path).parent
        while parent:
            found.append(self._nodes[parent])
            parent = self._nodes[parent].parent
        return tuple(reversed(found))

    def place_of(self, path: str) -> str:
        """Return the path of the place that the node is or is in, "" for the root."""
        return self._ancestor_of_kind(path, NodeKind.PLACE)

    def area_of(self, path: str) -> str:
        """Return the path of the area that the node is or is in, "" above areas."""
        return self._ancestor_of_kind(path, NodeKind.AREA)

    def words(self, path: str) -> str:
        """Return the node as a noun: "the stove in the kitchen of Hobbs Cafe"."""
        names = segments_of(self.node(path).path)
        return (
            noun_of(names) if names else phrase("the streets of {world}", world=self.root.name)
        )

    def resolve(self, words: str) -> Node:
        """Return the only node that the words can mean; see `NodeSearch.find`.

        :raises UnknownPlace: if no node has the name.
        :raises AmbiguousPlace: if several have.
        """
        return self._search.find(words)

    def line_of(self, path: str) -> tuple[Node, ...]:
        """Return the ancestors of the path without the root, and the node itself."""
        return (*self.ancestors(path), self.node(path))

    def _ancestor_of_kind(self, path: str, kind: NodeKind) -> str:
        return next((node.path for node in self.line_of(path) if node.kind is kind), "")

    def _of_kind(self, kind: NodeKind) -> tuple[Node, ...]:
        return tuple(node for node in self._nodes.values() if node.kind is kind)


_RELATIVE = "behind "


def definite(name: str) -> str:
    """Return the name with a definite article: "the stove", "Hobbs Cafe", "the mill"."""
    if _is_proper(name) or name.startswith("the "):
        return name
    if name.startswith(_RELATIVE):
        return phrase("the place {name}", name=name)
    return phrase("the {name}", name=name)


def inside(area: str, place: str) -> str:
    """Return the area as part of its place: "the kitchen of Hobbs Cafe"."""
    nouns = {"area": definite(area), "place": definite(place)}
    if _is_proper(area):
        return phrase("{area} in {place}", **nouns)
    return phrase("{area} of {place}", **nouns)


def noun_of(names: Sequence[str], *, within: str = "") -> str:
    """Return a path as a noun: "the stove in the kitchen of Hobbs Cafe".

    An area of the place `within` has its own name only: "the bathroom".
    """
    if len(names) == 1:
        return definite(names[0])
    area = definite(names[1]) if names[0] == within else inside(names[1], names[0])
    if len(names) == 2:
        return area
    return phrase("{object} in {area}", object=definite(names[2]), area=area)


def _is_proper(name: str) -> bool:
    return name[:1].isupper()


_WORDS_CHARACTERS_MAX = 300
_SPACE = re.compile(r"\s+")
_LIKENESS_MIN = 0.5


class NodeSearch:
    """The spellings of all nodes: their names, and first names in place of full names."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        listed = [node for node in nodes if node.path]
        named = {
            _plain(name)
            for node in listed
            for name in (*node.norms.residents, *node.norms.keepers)
        }
        first_names = {name: name.split(" ")[0] for name in named}
        names = {name for node in listed for name in segments_of(node.path)}
        spellings = {name: _spellings(name, first_names) for name in names}
        self._nodes = {node.path: node for node in listed}
        self._spellings = {
            node.path: tuple(spellings[name] for name in segments_of(node.path))
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
            or [
                path
                for path in self._nodes
                if _plain(name) == _plain(noun_of(segments_of(path)))
            ]
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


def _spellings(name: str, first_names: Mapping[str, str]) -> frozenset[str]:
    """Return the spellings of a name in which one of the full names may be a first name."""
    plain = _plain(name)
    shortened = (
        re.sub(rf"\b{re.escape(full)}\b", first, plain)
        for full, first in first_names.items()
        if full in plain
    )
    return frozenset((plain, *shortened))


def _plain(name: str) -> str:
    spaced = _SPACE.sub(" ", compose(name).replace("\u2019", "'")).strip().casefold()
    return spaced.removeprefix("the ")


def _is_whole(parts: Sequence[str], spellings: Sequence[frozenset[str]]) -> bool:
    return len(parts) == len(spellings) and _is_short_for(parts, spellings)


def _is_short_for(parts: Sequence[str], spellings: Sequence[frozenset[str]]) -> bool:
    """Return whether the last names are equal and the others precede it in order."""
    if not parts or parts[-1] not in spellings[-1]:
        return False
    before = iter(spellings[:-1])
    return all(any(name in spelling for spelling in before) for name in parts[:-1])
