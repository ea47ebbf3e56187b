"""Retrievals that users request: they rank an agent's memories and do not change them (M6)."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from apps.llm.model_spec import ModelSpec
from apps.llm.opening import open_vectors
from apps.memory.query_vector import query_vector
from apps.memory.retrieval import RankedMemory
from apps.memory.retrieval_query import retrieve
from apps.memory.retrieval_settings import RetrievalSettings
from apps.memory.selection import chosen
from apps.memory.subjects import subject_of_query
from apps.memory.vector_spaces import ensure_complete
from apps.simulation.models import SimulationRow
from apps.simulation.reembedding import other_embedding, space_of
from apps.simulation.turn.preparation import ensure_prepared


def rank_on_request(  # noqa: PLR0913 (each is a part of the request)
    simulation: SimulationRow,
    settings: RetrievalSettings,
    agent: str,
    query: str,
    *,
    as_of_tick: int,
    limit: int,
    weights: Mapping[str, float] | None = None,
    about: str = "",
    embedding: Mapping[str, Any] | None = None,
    importances: Mapping[str, int] | None = None,
) -> list[RankedMemory]:
    """Return an agent's memories for a query, the best first, with the parts of their scores.

    They are in the order of their scores: the focus of prompts (ADR 77) takes no part.

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
    model = ModelSpec.from_json(simulation.model)
    space = None
    if embedding:
        model = other_embedding(model, embedding)
        space = space_of(model)
        ensure_complete(simulation.pk, space, as_of_tick=as_of_tick, agent=agent)
    subject = (
        subject_of_query(simulation.pk, agent, about, as_of_tick=as_of_tick) if about else None
    )
    ensure_prepared(simulation, agent)
    vectors = open_vectors(
        model,
        simulation_id=simulation.pk,
        tick=simulation.committed_tick,
        stream=agent,
    )
    usual = settings.weights_for(
        "", is_question=subject is not None, has_subject=subject is not None
    )
    vector = query_vector(
        vectors.vectors([query])[query],
        settings.query_words,
        simulation.pk,
        agent,
        as_of_tick=as_of_tick,
        space=space,
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
        renewals_max=settings.recency_renewals_max,
        space=space,
        importances=importances,
    )
    return chosen(rank, settings=settings, limit=limit, subject=subject)
