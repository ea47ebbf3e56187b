"""Queries of reflections, as of the end of any tick."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from apps.django_support.text_search import JsonContains, contains
from apps.lineage.statements import history_rows
from apps.memory import importance_queries
from apps.memory.events import MemoryKind
from apps.memory.importance_queries import PerceivedImportance
from apps.memory.models import MemoryRow
from apps.memory.rules import NEVER_CONDENSED
from apps.reflection.events import ReflectionKind
from apps.reflection.models import ReflectionRow

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
    agent: str,
    *,
    as_of_tick: int,
    search: str | None = None,
) -> QuerySet[ReflectionRow]:
    """Return the agent's reflections without an order.

    `search` is a text in a question, an insight or a dropped insight.
    """
    rows = _rows(simulation_id, agent, as_of_tick)
    if search is not None:
        insights = MemoryRow.objects.filter(
            contains(search, "description"),
            simulation_id=simulation_id,
            agent=agent,
            kind=MemoryKind.REFLECTION.value,
            formed_tick=OuterRef("tick"),
        )
        rows = rows.filter(
            Q(JsonContains("questions", search))
            | Q(JsonContains("dropped", search))
            | Q(Exists(insights))
        )
    return rows


def _rows(simulation_id: UUID, agent: str, as_of_tick: int) -> QuerySet[ReflectionRow]:
    return ReflectionRow.objects.filter(
        simulation_id=simulation_id, agent=agent, tick__lte=as_of_tick
    )
