"""A node of the world's tree: the root, a place, an area or an object (W1)."""

from dataclasses import dataclass
from enum import StrEnum

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
