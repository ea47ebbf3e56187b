"""Retrievals that users request: they rank an agent's memories and do not change them (M6).

Relevance may be measured by another embedding model, whose vectors are stored beside those of
the history, which stays as it is (M4).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from apps.eventlog.event import SIMULATION_STREAM
from apps.kernel.batches import batches
from apps.llm.catalogue import ensure_allowed
from apps.llm.model_spec import DIMENSIONS_MAX, ModelSpec, UnknownModel
from apps.llm.opening import open_embedding, open_vectors
from apps.memory.focus import subject_of_query
from apps.memory.mean_squares import mean_squares, query_vector
from apps.memory.retrieval_query import retrieve
from apps.memory.selection import Choice, choose_memories
from apps.memory.vector_spaces import VectorSpace, ensure_complete, texts_without_vector
from apps.reflection.queries import last_consolidated
from apps.simulation.events import SimulationCreated
from apps.simulation.models import SimulationRow
from apps.simulation.turn.preparation import ensure_prepared

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


def rank_on_request(  # noqa: PLR0913 (each is a part of the request)
    simulation: SimulationRow,
    created: SimulationCreated,
    agent: str,
    query: str,
    *,
    as_of_tick: int,
    limit: int,
    purpose: str = "",
    token_budget: int | None = None,
    weights: Mapping[str, float] | None = None,
    about: str = "",
    embedding: Mapping[str, Any] | None = None,
    importances: Mapping[str, int] | None = None,
) -> Choice:
    """Return the choice among an agent's memories for a query, with the parts of the scores.

    It is the one that the agent makes for a prompt of the `purpose`, "" for none that weighs or
    leaves out otherwise; the budget is by default that of the settings. `limit` memories are
    ranked.

    `weights` replace those of the simulation; `about` is the slug of the agent that the query
    asks about, "" for none. The request for the vector is recorded at the committed tick.
    `embedding` has the `embedding_…` values of another model specification: relevance is then
    measured by the vectors of that model, which `store_vectors_of_memories` stores.
    `importances` is another rule of importance: by the origin of a memory, or else its kind.

    :raises AgentUnknown: if there is no agent `about`.
    :raises SimulationPreparing: if the seed memories of the agent are not formed yet.
    :raises UnusableWeights: if a weight is out of its bounds.
    :raises UnknownModel: if there is no such embedding model.
    :raises ModelNotAllowed: if the operator does not offer it.
    :raises VectorsIncomplete: if a memory has no vector of it.
    """
    settings = created.settings.retrieval
    model = ModelSpec.from_json(simulation.model)
    space = None
    if embedding:
        model = other_embedding(model, embedding)
        space = space_of(model)
        ensure_complete(simulation.pk, space, as_of_tick=as_of_tick, agent=agent)
    subject = (
        subject_of_query(simulation.pk, agent, about, as_of_tick=as_of_tick) if about else None
    )
    ensure_prepared(simulation, [agent])
    vectors = open_vectors(
        model,
        simulation_id=simulation.pk,
        tick=simulation.committed_tick,
        stream=agent,
    )
    usual = settings.weights_for(
        purpose, is_question=subject is not None, has_subject=subject is not None
    )
    vector = query_vector(
        vectors.vectors([query])[query],
        settings.query_words,
        partial(mean_squares, simulation.pk, agent, as_of_tick=as_of_tick, space=space),
    )
    rank = partial(
        retrieve,
        simulation.pk,
        agent,
        vector,
        as_of_tick=as_of_tick,
        tick_seconds=settings.tick_seconds,
        weights=replace(usual, **(weights or {})),
        decay=settings.decay,
        space=space,
        importances=importances,
    )
    return choose_memories(
        rank,
        settings,
        purpose,
        token_budget=created.settings.retrieval_tokens
        if token_budget is None
        else token_budget,
        calendar=created.calendar,
        subject=subject,
        condensed_tick=last_consolidated(simulation.pk, agent, as_of_tick=as_of_tick),
        limit=limit,
    )
