"""Finds the beds, homes and workplaces that have no room for one more agent (W5)."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from apps.kernel.names import either
from apps.kernel.text import join_and
from apps.world.problems import Findings
from apps.world.tile_map import TileMap
from apps.world.tree import Node, WorldTree

BEDS_NAMED_MAX = 5


class Resident(Protocol):
    """An agent with its paths; a visitor has "" for home and bed."""

    @property
    def name(self) -> str:
        """The full name."""

    @property
    def home(self) -> str:
        """The area in which it sleeps."""

    @property
    def bed(self) -> str:
        """The object in which it sleeps."""

    @property
    def workplace(self) -> str | None:
        """The place, area or object where it works."""


def check_capacity(
    resident: Resident,
    others: Sequence[Resident],
    tree: WorldTree,
    tile_map: TileMap,
    *,
    beds: Iterable[str],
    findings: Findings,
) -> None:
    """Report what has no room for one more agent, given the others that live in the world.

    :param beds: the paths of objects that are known to be beds.
    """
    sleepers = [other.name for other in others if other.bed == resident.bed]
    if _is_full(tree.node(resident.bed), len(sleepers)):
        findings.add(
            f"{resident.name}: bed",
            f"{_held(tree.node(resident.bed))}, and it is the bed of {join_and(sleepers)}",
            hint=_other_bed(resident, others, tree, beds),
        )
    tiles = len(tile_map.area_tiles(resident.home))
    if sum(other.home == resident.home for other in others) >= tiles:
        findings.add(
            f"{resident.name}: home",
            f"{resident.home!r} has {tiles} tiles, and is the home of as many agents",
            hint="name another home",
        )
    for node in tree.line_of(resident.workplace or ""):
        workers = [other.name for other in others if _is_at(node, other.workplace, tree)]
        if _is_full(node, len(workers)):
            findings.add(
                f"{resident.name}: workplace",
                f"{_held(node)}, and it is the workplace of {join_and(workers)}",
                hint="name another, or the area or place around it, or let it hold more",
            )


def check_people(agents: Sequence[Resident], tree: WorldTree, tile_map: TileMap) -> Findings:
    """Return the problems of a world's own people, who live in it together."""
    findings = Findings("people.yaml")
    beds = [person.bed for person in agents]
    for number, person in enumerate(agents):
        before = agents[:number]
        check_capacity(person, before, tree, tile_map, beds=beds, findings=findings)
    return findings


def _is_full(node: Node, held: int) -> bool:
    return node.norms.holds is not None and held >= node.norms.holds


def _held(node: Node) -> str:
    return f"{node.path!r} holds {node.norms.holds}"


def _is_at(node: Node, path: str | None, tree: WorldTree) -> bool:
    return path is not None and path in tree and node in tree.line_of(path)


def _other_bed(
    resident: Resident, others: Sequence[Resident], tree: WorldTree, beds: Iterable[str]
) -> str:
    """Return what to do: name the free beds, those of the same place first."""
    kinds = {tree.node(bed).name.split()[-1].casefold() for bed in beds if bed in tree}
    taken = [other.bed for other in others]
    free = [
        node.path
        for node in tree.objects
        if node.name.split()[-1].casefold() in kinds
        and not _is_full(node, taken.count(node.path))
    ]
    if not free:
        return "no bed of the world is free; let the bed hold more in world.yaml, or add a bed"
    place = tree.place_of(resident.bed)
    free.sort(key=lambda path: tree.place_of(path) != place)
    more = len(free) - BEDS_NAMED_MAX
    also = f" ({more} more are free)" if more > 0 else ""
    return (
        f"name a free bed and its room as bed and home: {either(free[:BEDS_NAMED_MAX])}{also}"
    )
