"""A node of the world's tree: the town, a place, an area or an object (W1)."""

from dataclasses import dataclass
from enum import StrEnum

SEPARATOR = ": "


class NodeKind(StrEnum):
    """How deep in the tree a node stands."""

    TOWN = "town"
    PLACE = "place"
    AREA = "area"
    OBJECT = "object"


@dataclass(frozen=True, slots=True, kw_only=True)
class Norms:
    """What is usual at a node (W5).

    `hours` are minutes after midnight, the closing one past 1,440 if it lies in the next
    day, None for always. `holds` is how many people at a time, None for any number.
    `keepers` and `residents` are people by their full names.
    """

    hours: tuple[int, int] | None = None
    holds: int | None = None
    keepers: tuple[str, ...] = ()
    residents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node; its path in words is its identity: "Hobbs Cafe: cafe: counter".

    The town's path is "", its parent None.
    """

    path: str
    name: str
    kind: NodeKind
    parent: str | None
    norms: Norms = Norms()
    idle_state: str = "idle"


def path_of(parent: str, name: str) -> str:
    """Return the path of a node of that name below the parent."""
    return f"{parent}{SEPARATOR}{name}" if parent else name


def segments_of(path: str) -> tuple[str, ...]:
    """Return the names on the way to the node, the place's first; none for the town."""
    return tuple(path.split(SEPARATOR)) if path else ()
