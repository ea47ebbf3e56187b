"""The world's tree of places, areas and objects, with names of nodes in text (W1, W2, 5.1)."""

from collections import defaultdict
from collections.abc import Iterable

from apps.kernel.language import phrase
from apps.world.errors import UnknownPlace
from apps.world.node import Node, NodeKind, Norms, segments_of
from apps.world.node_search import NodeSearch
from apps.world.words import noun_of

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
