"""Reflection trees: insights and the memories that they rest on, as of any tick (R3)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind
from apps.memory.models import MemoryRow
from apps.reflection.rules import TREE_DEPTH_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeNode:
    """A memory with the memories that it rests on.

    `rests_on` is empty for an observation, at TREE_DEPTH_MAX, and for a memory that the tree
    has unfolded before.
    """

    memory: MemoryRow
    rests_on: tuple["TreeNode", ...]


def trees(
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    roots: Collection[int] | None = None,
    limit: int | None = None,
) -> tuple[TreeNode, ...]:
    """Return the trees of the memories of these numbers, in their order.

    By default the roots are the insights that no other insight rests on, the newest first, at
    most `limit` of them.
    """
    if roots is None:
        roots = _uppermost(simulation_id, agent, as_of_tick)[:limit]
    rows = _beneath(simulation_id, agent, roots, as_of_tick)
    return tuple(_unfolded(root, rows, set(), 0) for root in roots if root in rows)


def _uppermost(simulation_id: UUID, agent: str, as_of_tick: int) -> list[int]:
    insights = memory_queries.list_memories(
        simulation_id, agent, as_of_tick=as_of_tick, kinds=[MemoryKind.REFLECTION]
    )
    evidence = dict(insights.values_list("number", "evidence"))
    cited = {number for numbers in evidence.values() for number in numbers}
    return [number for number in evidence if number not in cited]


def _beneath(
    simulation_id: UUID, agent: str, roots: Collection[int], as_of_tick: int
) -> dict[int, MemoryRow]:
    """Return the memories of the trees by number, with one query for each level."""
    rows: dict[int, MemoryRow] = {}
    wanted = set(roots)
    for _ in range(TREE_DEPTH_MAX + 1):
        if not wanted:
            break
        found = memory_queries.numbered(simulation_id, agent, wanted, as_of_tick=as_of_tick)
        rows |= found
        wanted = {number for row in found.values() for number in row.evidence} - rows.keys()
    return rows


def _unfolded(
    number: int, rows: Mapping[int, MemoryRow], seen: set[int], depth: int
) -> TreeNode:
    row = rows[number]
    below = row.evidence if depth < TREE_DEPTH_MAX and number not in seen else ()
    if below:
        seen.add(number)
    return TreeNode(
        memory=row,
        rests_on=tuple(
            _unfolded(other, rows, seen, depth + 1) for other in below if other in rows
        ),
    )
