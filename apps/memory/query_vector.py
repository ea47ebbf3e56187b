"""The vector of a query: as embedded, or with what is rare in the stream first (M4, ADR 61)."""

import math
from collections.abc import Sequence
from uuid import UUID

from apps.memory.mean_squares import mean_squares
from apps.memory.retrieval_settings import QueryWords
from apps.memory.vector_spaces import VectorSpace

# What is added to the mean square of each number, as a share of the mean of all: a number that
# no memory has must not outweigh all others.
SMOOTHING = 0.1


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
