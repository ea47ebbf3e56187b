"""Stores vectors of a simulation's memories under another embedding model (M4).

The history stays as it is: it rests on the embedding model of its creation.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from apps.eventlog.event import SIMULATION_STREAM
from apps.kernel.batches import batches
from apps.llm.catalogue import ensure_allowed
from apps.llm.model_spec import DIMENSIONS_MAX, ModelSpec, UnknownModel
from apps.llm.opening import open_embedding, open_vectors
from apps.memory.vector_spaces import VectorSpace, texts_without_vector
from apps.simulation.models import SimulationRow

TEXTS_AT_ONCE = 200


def other_embedding(model: ModelSpec, embedding: Mapping[str, Any]) -> ModelSpec:
    """Return the model specification with another embedding model.

    `embedding` has some of `embedding_server`, `embedding_model`, `embedding_dimensions`.

    :raises UnknownModel: if there is no such model.
    :raises ModelNotAllowed: if the operator does not offer it.
    """
    spec = model.model_copy(update=embedding)
    if not 1 <= spec.embedding_dimensions <= DIMENSIONS_MAX:
        raise UnknownModel(f"embedding_dimensions must be from 1 to {DIMENSIONS_MAX}")
    ensure_allowed(spec)
    open_embedding(spec)  # raises for a model that cannot be used
    return spec


def space_of(model: ModelSpec) -> VectorSpace:
    """Return the space of the vectors of a model specification."""
    return VectorSpace(model=model.embedding_model, dimensions=model.embedding_dimensions)


def store_vectors_of_memories(row: SimulationRow, model: ModelSpec) -> Iterator[int]:
    """Store the vectors of all memories that have none under the model's embedding.

    Yields how many are stored, after each request. Requests to a remote model are recorded for
    the committed tick, and count towards the budget of the simulation. What was stored before
    an error is not requested again.

    :raises ModelUnavailable: if the model does not answer.
    :raises ModelMisconfigured: if it refuses.
    :raises BudgetSpent: if the budget is spent.
    """
    texts = texts_without_vector(row.pk, space_of(model), as_of_tick=row.committed_tick)
    vectors = open_vectors(
        model, simulation_id=row.pk, tick=row.committed_tick, stream=SIMULATION_STREAM
    )
    stored = 0
    for batch in batches(texts, TEXTS_AT_ONCE):
        vectors.ensure(batch)
        stored += len(batch)
        yield stored
