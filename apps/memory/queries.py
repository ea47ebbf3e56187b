"""What can be asked of memory streams, as of any tick. Asking changes nothing.

Retrieval is exact: one statement scores all of a person's memories (M4). It agrees with
`apps.memory.retrieval.rank`, which a test holds it to.
"""

import json
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from apps.django_support.statements import rows_of
from apps.kernel.errors import NotFound
from apps.kernel.game_time import SECONDS_PER_HOUR
from apps.memory.events import MemoryKind, Weights
from apps.memory.models import MemoryRow, RecallRow
from apps.memory.retrieval import (
    DEGENERATE_SCALE,
    RECENCY_DECAY_DEFAULT,
    RELEVANCE_DECIMALS,
    SCORE_DECIMALS,
    Part,
    Parts,
    RankedMemory,
    hours_until_forgotten,
    refuse_unusable,
)
from apps.memory.rules import RECENT_MEMORIES_DEFAULT

# Every memory is scored on narrow rows first; text is fetched for the top ones only, and
# vectors never leave the database. Of a memory's retrievals the one that was the last at
# the tick counts. A vector of no length has no cosine (NaN): it counts as 0. The bounds
# are those of all memories, whatever the limit.
#
# A young simulation is one that the planner has no statistics of: it expects a row or two,
# and would join by nested loops, which took a minute at 20,000 memories. So the shape
# leaves it no choice: a FULL JOIN cannot be a nested loop (and stays one because coalesce
# could make something of a missing memory), bounds are computed once, and the text of each
# of the best is looked up by its key.
_RECALL = """
WITH retrieved AS (
    SELECT number, max(from_tick) AS tick
    FROM memory_recallrow
    WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s
        AND from_tick <= %(as_of_tick)s
        AND (to_tick IS NULL OR to_tick > %(as_of_tick)s)
    GROUP BY number
),
measured AS (
    SELECT
        memory.number,
        memory.importance::float8 AS importance,
        retrieved.tick AS retrieved_tick,
        (%(as_of_tick)s - coalesce(retrieved.tick, memory.formed_tick))::float8
            * %(tick_seconds)s / %(seconds_per_hour)s AS hours,
        coalesce(1 - nullif(memory.embedding <=> %(vector)s::halfvec, 'NaN'), 0) AS cosine
    FROM (
        SELECT number, importance, formed_tick, embedding
        FROM memory_memoryrow
        WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s
            AND formed_tick <= %(as_of_tick)s
    ) AS memory
    FULL JOIN retrieved ON retrieved.number = memory.number
    WHERE coalesce(memory.number, 0) > 0
),
raw AS MATERIALIZED (
    SELECT
        number,
        importance,
        retrieved_tick,
        CASE
            WHEN hours > %(hours_max)s::float8 THEN 0
            ELSE power(%(decay)s::float8, hours)
        END AS recency,
        round(cosine * %(relevance_factor)s::float8) / %(relevance_factor)s::float8 AS relevance
    FROM measured
),
bounds AS MATERIALIZED (
    SELECT
        min(recency) AS recency_low, max(recency) AS recency_high,
        min(importance) AS importance_low, max(importance) AS importance_high,
        min(relevance) AS relevance_low, max(relevance) AS relevance_high
    FROM raw
),
scaled AS (
    SELECT
        raw.*,
        coalesce((recency - recency_low) / nullif(recency_high - recency_low, 0),
            %(degenerate)s) AS recency_scaled,
        coalesce((importance - importance_low) / nullif(importance_high - importance_low, 0),
            %(degenerate)s) AS importance_scaled,
        coalesce((relevance - relevance_low) / nullif(relevance_high - relevance_low, 0),
            %(degenerate)s) AS relevance_scaled
    FROM raw CROSS JOIN bounds
),
best AS (
    SELECT
        scaled.*,
        round((%(weight_recency)s::float8 * recency_scaled
            + %(weight_importance)s::float8 * importance_scaled
            + %(weight_relevance)s::float8 * relevance_scaled)
            * %(score_factor)s::float8) / %(score_factor)s::float8 AS score
    FROM scaled
    ORDER BY score DESC, number DESC
    LIMIT %(limit)s
)
SELECT
    memory.number, memory.kind, memory.description, memory.importance, memory.evidence::text,
    memory.subject, memory.formed_tick, best.retrieved_tick, best.score,
    best.recency, best.recency_scaled, best.importance_scaled,
    best.relevance, best.relevance_scaled
FROM best
CROSS JOIN LATERAL (
    SELECT * FROM memory_memoryrow
    WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s AND number = best.number
    LIMIT 1
) AS memory
ORDER BY best.score DESC, best.number DESC
"""


_LATEST_NUMBER = """
SELECT number FROM memory_memoryrow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND formed_tick <= %(tick)s
ORDER BY number DESC LIMIT 1
"""


class MemoryUnknown(NotFound):
    """The person has no memory of that number at that time."""

    code: ClassVar[str] = "memory-unknown"


class MemoryOrder(StrEnum):
    """The orders that memories can be listed in; ties by number, in the same direction."""

    NEWEST = "-created_at"
    OLDEST = "created_at"
    MOST_IMPORTANT = "-importance"
    LEAST_IMPORTANT = "importance"
    LATEST_RETRIEVED = "-last_retrieved_at"
    EARLIEST_RETRIEVED = "last_retrieved_at"

    @property
    def descending(self) -> bool:
        """Whether the greatest comes first."""
        return self.value.startswith("-")


# The row declares it, so that whoever reads one knows of it.
_RETRIEVED = "last_retrieved_tick"

# A memory that was never retrieved stands before tick 0.
_NEVER = -1
_ORDER_FIELDS = {
    "created_at": "number",
    "importance": "importance",
    "last_retrieved_at": "retrieved_or_never",
}


def recall(  # noqa: PLR0913 (what a ranking depends on, nothing less)
    simulation_id: UUID,
    agent: str,
    vector: Sequence[float],
    *,
    as_of_tick: int,
    tick_seconds: int,
    weights: Weights | None = None,
    decay: float = RECENCY_DECAY_DEFAULT,
    limit: int | None = None,
) -> list[RankedMemory]:
    """Return the person's memories by score, the best first, each explained (M4, M6).

    `vector` is the query's, of as many numbers as those of the memories; the stream is
    taken as it was at the end of `as_of_tick`. `limit` None returns all.

    :raises UnusableWeights: if a weight, the decay or the limit cannot be.
    """
    weights = weights or Weights()
    refuse_unusable(weights, decay=decay, limit=limit)
    values: dict[str, Any] = {
        "simulation_id": simulation_id,
        "agent": agent,
        "vector": "[" + ",".join(map(repr, map(float, vector))) + "]",
        "as_of_tick": as_of_tick,
        "tick_seconds": tick_seconds,
        "seconds_per_hour": SECONDS_PER_HOUR,
        "decay": decay,
        "hours_max": hours_until_forgotten(decay),
        "degenerate": DEGENERATE_SCALE,
        "relevance_factor": 10.0**RELEVANCE_DECIMALS,
        "score_factor": 10.0**SCORE_DECIMALS,
        "weight_recency": weights.recency,
        "weight_importance": weights.importance,
        "weight_relevance": weights.relevance,
        "limit": limit,
    }
    found = rows_of(_RECALL, values)
    return [_ranked(rank, row, weights) for rank, row in enumerate(found, start=1)]


def list_memories(  # noqa: PLR0913 (each is a filter of its own)
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    kinds: Collection[MemoryKind] = (),
    from_tick: int | None = None,
    to_tick: int | None = None,
    order: MemoryOrder = MemoryOrder.NEWEST,
    after: int | None = None,
) -> QuerySet[MemoryRow]:
    """Return the person's memories as rows annotated with `last_retrieved_tick` (M1).

    Those formed in [from_tick, to_tick), of the kinds named or of all. `after` is the
    number of the last memory of the page before; slice the result for a page's size.
    """
    rows = _rows(simulation_id, agent, as_of_tick)
    if kinds:
        rows = rows.filter(kind__in=[kind.value for kind in kinds])
    if from_tick is not None:
        rows = rows.filter(formed_tick__gte=from_tick)
    if to_tick is not None:
        rows = rows.filter(formed_tick__lt=to_tick)
    rows = rows.annotate(retrieved_or_never=Coalesce(F(_RETRIEVED), _NEVER))
    field = _ORDER_FIELDS[order.removeprefix("-")]
    if after is not None:
        rows = rows.filter(_beyond(rows, field, after=after, descending=order.descending))
    direction = "-" if order.descending else ""
    return rows.order_by(f"{direction}{field}", f"{direction}number")


def memory(simulation_id: UUID, agent: str, number: int, *, as_of_tick: int) -> MemoryRow:
    """Return one memory, annotated with `last_retrieved_tick`.

    :raises MemoryUnknown: if the person had none of that number at the tick.
    """
    row = _rows(simulation_id, agent, as_of_tick).filter(number=number).first()
    if row is None:
        raise MemoryUnknown(
            f"{agent} has no memory {number} at tick {as_of_tick}; list the memories for those "
            "there are"
        )
    return row


def recent(
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    count: int = RECENT_MEMORIES_DEFAULT,
    kinds: Collection[MemoryKind] = (),
) -> list[MemoryRow]:
    """Return the person's latest memories, the newest first (R2)."""
    return list(list_memories(simulation_id, agent, as_of_tick=as_of_tick, kinds=kinds)[:count])


def count_memories(simulation_id: UUID, agent: str, *, as_of_tick: int) -> int:
    """Return how many memories the person has at the tick."""
    return MemoryRow.objects.filter(
        simulation_id=simulation_id, agent=agent, formed_tick__lte=as_of_tick
    ).count()


def next_number(simulation_id: UUID, agent: str, *, as_of_tick: int) -> int:
    """Return the number of the memory that the person forms next; the first is 1."""
    asked = {"simulation": simulation_id, "agent": agent, "tick": as_of_tick}
    latest = rows_of(_LATEST_NUMBER, asked)
    return int(latest[0][0]) + 1 if latest else 1


def importance_since(
    simulation_id: UUID, agent: str, *, after_tick: int, as_of_tick: int
) -> int:
    """Return the summed importance of what the person perceived after a tick (R1).

    Counts what perception formed in (after_tick, as_of_tick]; seeds, the person's own
    actions, plans and reflections do not count.
    """
    total: int | None = MemoryRow.objects.filter(
        simulation_id=simulation_id,
        agent=agent,
        perceived=True,
        formed_tick__gt=after_tick,
        formed_tick__lte=as_of_tick,
    ).aggregate(total=Sum("importance"))["total"]
    return total or 0


def _rows(simulation_id: UUID, agent: str, as_of_tick: int) -> QuerySet[MemoryRow]:
    retrieved = (
        RecallRow.objects.filter(
            Q(to_tick=None) | Q(to_tick__gt=as_of_tick),
            simulation_id=OuterRef("simulation_id"),
            agent=OuterRef("agent"),
            number=OuterRef("number"),
            from_tick__lte=as_of_tick,
        )
        .order_by("-from_tick")
        .values("from_tick")[:1]
    )
    return MemoryRow.objects.filter(
        simulation_id=simulation_id, agent=agent, formed_tick__lte=as_of_tick
    ).annotate(**{_RETRIEVED: Subquery(retrieved)})


def _beyond(rows: QuerySet[MemoryRow], field: str, *, after: int, descending: bool) -> Q:
    """Return the condition of standing behind the memory `after` in the order."""
    side = "lt" if descending else "gt"
    if field == "number":
        return Q(**{f"number__{side}": after})
    # A memory never changes, so that its number is all that a cursor has to hold.
    pivot = rows.filter(number=after).values(field)[:1]
    return Q(**{f"{field}__{side}": Subquery(pivot)}) | Q(
        **{field: Subquery(pivot), f"number__{side}": after}
    )


def _ranked(rank: int, row: tuple[Any, ...], weights: Weights) -> RankedMemory:
    number, kind, description, importance, evidence, subject, formed, retrieved, *scores = row
    score, recency, recency_scaled, importance_scaled, relevance, relevance_scaled = scores
    return RankedMemory(
        rank=rank,
        number=number,
        kind=MemoryKind(kind),
        description=description,
        importance=importance,
        evidence=tuple(json.loads(evidence)),
        subject=subject,
        formed_tick=formed,
        last_retrieved_tick=retrieved,
        score=score,
        parts=Parts(
            recency=Part(raw=recency, scaled=recency_scaled, weight=weights.recency),
            importance=Part(
                raw=float(importance), scaled=importance_scaled, weight=weights.importance
            ),
            relevance=Part(raw=relevance, scaled=relevance_scaled, weight=weights.relevance),
        ),
    )
