"""Retrieval from a memory stream, as of any tick: one statement scores all memories (M4).

It is exact: a test compares it with `apps.memory.retrieval.rank`.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from apps.kernel.game_time import SECONDS_PER_HOUR
from apps.lineage.statements import history_rows
from apps.memory.events import MemoryKind, MemoryOrigin, Weights
from apps.memory.focus import Focus
from apps.memory.items import scheduled_from_json
from apps.memory.retrieval import (
    DEGENERATE_SCALE,
    RECENCY_DECAY_DEFAULT,
    RELEVANCE_DECIMALS,
    SCORE_DECIMALS,
    Parts,
    RankedMemory,
    ScorePart,
    Subject,
    ensure_usable,
    hours_until_forgotten,
)
from apps.memory.rules import UNRATED_IMPORTANCE
from apps.memory.vector_spaces import OTHER_VECTORS, OWN_VECTORS, VectorSpace

# All memories are scored on narrow rows; text is fetched for the top ones only, and vectors
# never leave the database. The cosine of a vector of length 0 (NaN) counts as 0. The bounds
# are those of all memories, whatever the limit.
#
# For a young simulation the planner has no statistics, expects few rows, and would choose
# nested loops: a minute at 20,000 memories. The shape of the statement prevents it: a FULL
# JOIN cannot be a nested loop (the condition with coalesce keeps it a FULL JOIN), bounds are
# materialized, and the text of each of the best is fetched by its key.
_RATED = """CASE
                WHEN rated_tick <= %(rated_by_tick)s THEN rating
                ELSE coalesce(
                    (%(ratings)s::jsonb ->> number::text)::int, %(unrated_importance)s
                )
            END"""
# With a rule of the request, what it does not name is as rated.
_BY_RULE = f"""coalesce(
                (%(importances)s::jsonb ->> origin)::int,
                (%(importances)s::jsonb ->> kind)::int,
                {_RATED}
            )"""
# The memories in focus by their origin: what condenses them is in focus too.
_SCORES = """
WITH in_focus AS (
    SELECT number
    FROM memory_memoryrow
    WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s
        AND formed_tick <= %(as_of_tick)s AND origin = ANY(%(focus_origins)s::text[])
),
renewed AS (
    SELECT
        number, max(tick) AS tick, max(renewed_tick) AS renewed_tick,
        max(times) AS times, max(repeated_tick) AS repeated_tick
    FROM (
        SELECT
            number, from_tick AS tick, from_tick AS renewed_tick,
            NULL::int AS times, NULL::int AS repeated_tick
        FROM memory_retrievalrow
        WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s
            AND from_tick <= %(as_of_tick)s
            AND (to_tick IS NULL OR to_tick > %(as_of_tick)s)
        UNION ALL
        SELECT number, NULL, from_tick, times, from_tick
        FROM memory_repetitionrow
        WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s
            AND from_tick <= %(as_of_tick)s
            AND (to_tick IS NULL OR to_tick > %(as_of_tick)s)
    ) AS renewals
    GROUP BY number
),
measured AS (
    SELECT
        memory.number,
        memory.importance::float8 AS importance,
        renewed.tick AS retrieved_tick,
        renewed.repeated_tick,
        coalesce(renewed.times, 1) AS times,
        memory.is_of_subject,
        (%(as_of_tick)s - coalesce(renewed.renewed_tick, memory.formed_tick))::float8
            * %(tick_seconds)s / %(seconds_per_hour)s AS hours,
        coalesce(1 - nullif(memory.embedding <=> %(vector)s::halfvec, 'NaN'), 0) AS cosine
    FROM (
        SELECT number, formed_tick, {vector} AS embedding,
            CASE
                WHEN %(focus_origins)s::text[] IS NOT NULL THEN
                    number = ANY(%(focus_numbers)s::int[])
                    OR origin = ANY(%(focus_origins)s::text[])
                    OR (kind = ANY(%(experienced)s::text[])
                        AND formed_tick BETWEEN %(focus_from_tick)s AND %(focus_to_tick)s)
                    OR (origin = %(condensed)s AND EXISTS (
                        SELECT FROM jsonb_array_elements(evidence) AS rests_on
                        WHERE rests_on::int IN (SELECT number FROM in_focus)
                    ))
                WHEN %(subject)s::text IS NULL THEN TRUE
                WHEN %(other_names)s::text[] IS NULL THEN subject = %(subject)s::text
                    OR strpos(description, %(subject_name)s::text) > 0
                ELSE subject IN ('', %(subject)s::text) AND NOT EXISTS (
                    SELECT FROM unnest(%(other_names)s::text[]) AS other
                    WHERE strpos(description, other) > 0
                )
            END AS is_of_subject,
            {importance} AS importance
        FROM {memories}
        WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s
            AND formed_tick <= %(as_of_tick)s
            AND (%(kinds)s::text[] IS NULL OR kind = ANY(%(kinds)s::text[]))
    ) AS memory
    FULL JOIN renewed ON renewed.number = memory.number
    WHERE coalesce(memory.number, 0) > 0
),
raw AS MATERIALIZED (
    SELECT
        number,
        is_of_subject,
        importance,
        retrieved_tick,
        repeated_tick,
        times,
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
    WHERE is_of_subject
    ORDER BY score DESC, number DESC
    LIMIT %(limit)s
)
SELECT
    memory.number, memory.kind, memory.description, best.importance,
    coalesce(memory.rated_tick <= %(rated_by_tick)s, FALSE)
        OR jsonb_exists(%(ratings)s::jsonb, memory.number::text),
    memory.evidence::text, memory.subject, memory.origin, memory.scheduled::text,
    memory.passing_on, memory.formed_tick, memory.action,
    CASE WHEN memory.superseded_tick <= %(as_of_tick)s THEN memory.superseded_tick END,
    best.retrieved_tick, best.repeated_tick, best.times, best.score, best.recency,
    best.recency_scaled, best.importance_scaled, best.relevance, best.relevance_scaled
FROM best
CROSS JOIN LATERAL (
    SELECT * FROM memory_memoryrow
    WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s AND number = best.number
    LIMIT 1
) AS memory
ORDER BY best.score DESC, best.number DESC
"""


def retrieve(  # noqa: PLR0913 (a ranking depends on all of them)
    simulation_id: UUID,
    agent: str,
    vector: Sequence[float],
    *,
    as_of_tick: int,
    tick_seconds: int,
    weights: Weights | None = None,
    decay: float = RECENCY_DECAY_DEFAULT,
    limit: int | None = None,
    kinds: Collection[MemoryKind] | None = None,
    rated_by_tick: int | None = None,
    ratings: Mapping[int, int] | None = None,
    subject: Subject | Focus | None = None,
    space: VectorSpace | None = None,
    importances: Mapping[str, int] | None = None,
) -> list[RankedMemory]:
    """Return the agent's memories by score, the best first, each with its parts (M4, M6).

    `vector` is that of the query; `limit` None returns all memories. With `kinds`, memories
    of other kinds are neither returned nor part of the scaling (E2). With `subject`, only the
    memories about that agent or in that focus are returned; the scaling is still over all.

    Importance is as rated by the end of `rated_by_tick`, which is `as_of_tick` by default;
    `ratings` has, by number, those that are not on the log yet.

    With `space`, relevance is measured by the vectors of that model, in which `vector` is too;
    memories that have none are left out.

    `importances` replace the ratings of memories, by the value of their origin or else of
    their kind; memories of others are as rated.

    :raises UnusableWeights: if a weight, the decay or the limit is out of its bounds.
    """
    weights = weights or Weights()
    ensure_usable(weights, decay=decay, limit=limit)
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
        "rated_by_tick": as_of_tick if rated_by_tick is None else rated_by_tick,
        "ratings": json.dumps({str(number): of for number, of in (ratings or {}).items()}),
        "unrated_importance": UNRATED_IMPORTANCE,
        "kinds": None if kinds is None else [kind.value for kind in kinds],
        **_values_of(subject),
    }
    source = OWN_VECTORS
    if space is not None:
        source, values = OTHER_VECTORS, values | space.values_for(simulation_id)
    values["importances"] = json.dumps(importances or {})
    importance = _BY_RULE if importances else _RATED
    statement = _SCORES.format(importance=importance, **source)
    rows = history_rows(statement, values, simulation_id)
    return [_ranked(rank, row, weights) for rank, row in enumerate(rows, start=1)]


def _values_of(subject: Subject | Focus | None) -> dict[str, Any]:
    """Return the values of the statement by which it selects memories; None selects all."""
    agent = subject if isinstance(subject, Subject) else None
    others = None if agent is None else agent.other_names
    focus = subject if isinstance(subject, Focus) else None
    return {
        "subject": agent and agent.slug,
        "subject_name": agent and agent.name,
        "other_names": None if others is None else list(others),
        "focus_origins": focus and sorted(origin.value for origin in focus.origins),
        "focus_numbers": focus and list(focus.numbers),
        "focus_from_tick": focus and focus.from_tick,
        "focus_to_tick": focus and focus.to_tick,
        "experienced": [MemoryKind.OBSERVATION.value, MemoryKind.DIALOGUE.value],
        "condensed": MemoryOrigin.CONSOLIDATION.value,
    }


def _ranked(rank: int, row: tuple[Any, ...], weights: Weights) -> RankedMemory:
    number, kind, description, importance, rated, evidence, subject, origin, *rest = row
    scheduled, passing_on, formed, action, superseded, retrieved, repeated, times, *scores = (
        rest
    )
    score, recency, recency_scaled, importance_scaled, relevance, relevance_scaled = scores
    return RankedMemory(
        rank=rank,
        number=number,
        kind=MemoryKind(kind),
        description=description,
        importance=int(importance),
        rated=rated,
        evidence=tuple(json.loads(evidence)),
        subject=subject,
        origin=MemoryOrigin(origin),
        scheduled=scheduled_from_json(scheduled),
        passing_on=passing_on,
        formed_tick=formed,
        last_retrieved_tick=retrieved,
        action=action,
        superseded=superseded,
        times=times,
        last_repeated_tick=repeated,
        score=score,
        parts=Parts(
            recency=ScorePart(raw=recency, scaled=recency_scaled, weight=weights.recency),
            importance=ScorePart(
                raw=float(importance), scaled=importance_scaled, weight=weights.importance
            ),
            relevance=ScorePart(
                raw=relevance, scaled=relevance_scaled, weight=weights.relevance
            ),
        ),
    )
