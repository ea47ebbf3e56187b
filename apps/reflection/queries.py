"""Queries of reflections and of their trees of evidence, as of the end of any tick (R3)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from apps.django_support.text_search import JsonContains, contains
from apps.lineage.statements import history_rows
from apps.memory import importance_queries
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind
from apps.memory.importance_queries import PerceivedImportance
from apps.memory.models import MemoryRow
from apps.memory.rules import NEVER_CONDENSED
from apps.reflection.events import ReflectionKind
from apps.reflection.models import ReflectionRow
from apps.reflection.rules import TREE_DEPTH_MAX

TABLES = """\
reflected AS (
    SELECT max(tick) AS tick, coalesce(max(tick) - 1, -1) AS after
    FROM reflection_reflectionrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
        AND kind = 'insights'
)"""

RECORDS = """\
    'last_reflected', (SELECT tick FROM reflected),
    'last_consolidated', (
        SELECT max(tick) FROM reflection_reflectionrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
            AND kind = 'consolidation' AND jsonb_array_length(insights) > 0
    )"""


# Without a reflection all perceived memories count.
_BEFORE_ALL = -1

_LATEST_REFLECTION = f"""
SELECT tick FROM reflection_reflectionrow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(tick)s
    AND kind = '{ReflectionKind.INSIGHTS.value}'
ORDER BY tick DESC LIMIT 1
"""  # noqa: S608 (a constant of the code)


def importance_since_last(
    simulation_id: UUID, agent: str, *, as_of_tick: int
) -> PerceivedImportance:
    """Return the importance of the memories perceived since the last reflection (R1).

    The consolidation of a day does not count as one.

    A reflection is about the stream as of the tick before: perceptions of its own turn count
    towards the next. These are two statements, because every turn executes them.
    """
    parameters = {"simulation": simulation_id, "agent": agent, "tick": as_of_tick}
    latest = history_rows(_LATEST_REFLECTION, parameters, simulation_id)
    after_tick = latest[0][0] - 1 if latest else _BEFORE_ALL
    return importance_queries.importance_since(
        simulation_id, agent, after_tick=after_tick, as_of_tick=as_of_tick
    )


def last_consolidated(simulation_id: UUID, agent: str, *, as_of_tick: int) -> int:
    """Return the tick of the last consolidation with insights, NEVER_CONDENSED for none."""
    rows = _rows(simulation_id, agent, as_of_tick).exclude(insights=[])
    row = rows.filter(kind=ReflectionKind.CONSOLIDATION).order_by("tick").last()
    return NEVER_CONDENSED if row is None else row.tick


def list_reflections(
    simulation_id: UUID,
    agent: str | None = None,
    *,
    as_of_tick: int,
    search: str | None = None,
) -> QuerySet[ReflectionRow]:
    """Return the reflections of an agent, or of all, without an order.

    `search` is a text in a question, an insight or a dropped insight.
    """
    rows = _rows(simulation_id, agent, as_of_tick)
    if search is not None:
        insights = MemoryRow.objects.filter(
            contains(search, "description"),
            simulation_id=simulation_id,
            agent=OuterRef("agent"),
            kind=MemoryKind.REFLECTION.value,
            formed_tick=OuterRef("tick"),
        )
        rows = rows.filter(
            Q(JsonContains("questions", search))
            | Q(JsonContains("dropped", search))
            | Q(Exists(insights))
        )
    return rows


def _rows(simulation_id: UUID, agent: str | None, as_of_tick: int) -> QuerySet[ReflectionRow]:
    rows = ReflectionRow.objects.filter(simulation_id=simulation_id, tick__lte=as_of_tick)
    return rows if agent is None else rows.filter(agent=agent)


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
