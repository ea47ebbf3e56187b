"""The vector of a query: as embedded, or with what is rare in the stream first (M4, ADR 61)."""

import json
import math
from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from apps.lineage.statements import history_rows
from apps.memory.events import MemoryKind
from apps.memory.retrieval_settings import QueryWords
from apps.memory.vector_spaces import OTHER_VECTORS, OWN_VECTORS, VectorSpace

# What is added to the mean square of each number, as a share of the mean of all: a number that
# no memory has must not outweigh all others.
SMOOTHING = 0.1

# OFFSET 0 keeps the inner query, so that each vector is converted once and not twice.
_MEAN_SQUARES = """
SELECT avg(full_vector * full_vector)::text
FROM (
    SELECT {vector}::vector AS full_vector
    FROM {memories}
    WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s
        AND formed_tick <= %(as_of_tick)s
        AND (%(kinds)s::text[] IS NULL OR kind = ANY(%(kinds)s::text[]))
    OFFSET 0
) AS vectors
"""


def query_vector(
    vector: Sequence[float],
    words: QueryWords,
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    space: VectorSpace | None = None,
) -> list[float]:
    """Return the vector of a query to an agent's whole stream, by `query_words`.

    `space` is that of the vector, None for the embedding model of the history.
    """
    if words == "alike":
        return list(vector)
    return rare_first(
        vector, mean_squares(simulation_id, agent, as_of_tick=as_of_tick, space=space)
    )


def mean_squares(
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    kinds: Collection[MemoryKind] | None = None,
    space: VectorSpace | None = None,
) -> list[float]:
    """Return the mean square of each number of the agent's vectors; [] without memories."""
    values: dict[str, Any] = {
        "simulation_id": simulation_id,
        "agent": agent,
        "as_of_tick": as_of_tick,
        "kinds": None if kinds is None else [kind.value for kind in kinds],
    }
    source = OWN_VECTORS
    if space is not None:
        source, values = OTHER_VECTORS, values | space.values
    [(means,)] = history_rows(_MEAN_SQUARES.format(**source), values, simulation_id)
    return [] if means is None else list(map(float, json.loads(means)))


def rare_first(vector: Sequence[float], means: Sequence[float]) -> list[float]:
    """Return the vector of a query with each number divided by its usual size in the stream.

    `means` are the mean squares of the numbers, [] for none. What nearly all memories have in
    common, such as the name of the agent, counts less. The length is without meaning: a
    cosine does not depend on it.
    """
    total = math.fsum(means)
    if total == 0:
        return list(vector)
    smoothing = SMOOTHING * total / len(means)
    return [
        value / math.sqrt(mean + smoothing) for value, mean in zip(vector, means, strict=True)
    ]
