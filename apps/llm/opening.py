"""Opens the models of a simulation, and the AgentLLM of a turn.

The adapters of servers are imported when a server is opened: importing openai takes a second,
which every process would wait for.
"""

import fnmatch
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from uuid import UUID

from django.conf import settings

from apps.kernel.names import names_there_are
from apps.llm.calls.agent_llm import OF_TURNS, AgentLLM, CallSeries
from apps.llm.calls.call_log import EmbeddingContext, Vectors
from apps.llm.calls.django_call_log import DjangoCallLog
from apps.llm.calls.gateway import (
    Gateway,
    Models,
    PricedChat,
)
from apps.llm.catalogue import ensure_allowed, offered_servers, price_of
from apps.llm.embeddings import StoredVectors
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.model_spec import (
    BUILT_IN_EMBEDDINGS,
    OFFLINE,
    SERVER_HINT,
    ModelSpec,
    UnknownModel,
)
from apps.llm.port import CallPurpose, ChatModel, EmbeddingModel
from apps.llm.servers.configuration import Server

MODELS_KEPT_MAX = 128

__all__ = ["Models", "open_agent_llm", "open_embedding", "open_models", "open_vectors"]


def open_models(
    spec: ModelSpec,
    *,
    seed: int,
    open_rule_model: Callable[[int], ChatModel],
    task_names: Collection[str],
) -> Models:
    """Return the models of a simulation. This connects to nothing.

    :param open_rule_model: returns the rule-based model for a seed.
    :param task_names: those of all LLM tasks.
    :raises UnknownModel: if a server of the specification is no longer configured, or it names
        a model for tasks that there are not.
    :raises ModelNotAllowed: if the operator does not offer the models.
    """
    ensure_allowed(spec)
    for pattern in spec.tasks:
        if not fnmatch.filter(task_names, pattern):
            raise UnknownModel(
                f"there is no LLM task {pattern!r}, which model.tasks names; "
                f"{names_there_are(task_names, pattern)}"
            )
    priced = {
        name: PricedChat(
            open_rule_model(seed)
            if server == OFFLINE
            else _openai_chat(server_named(server), model),
            price_of(model, server),
        )
        for name, (server, model) in spec.chats.items()
    }
    default = priced[spec.chat]
    return Models(
        chat=default.chat,
        embedding=open_embedding(spec),
        seed=seed,
        temperature=spec.temperature,
        prompt_form=spec.prompt_form,
        price=default.price,
        tasks={pattern: priced[name] for pattern, name in spec.tasks.items()},
        agents={agent: priced[name] for agent, name in spec.agents.items()},
        embedding_price=price_of(spec.embedding_model, spec.embedding_server),
    )


def open_embedding(spec: ModelSpec) -> EmbeddingModel:
    """Return the embedding model alone.

    :raises UnknownModel: if its server is no longer configured.
    """
    if spec.embedding_server != OFFLINE:
        from apps.llm.servers.openai_embedding import OpenAIEmbeddingModel  # noqa: PLC0415

        return OpenAIEmbeddingModel(
            server_named(spec.embedding_server), spec.embedding_model, spec.embedding_dimensions
        )
    if spec.embedding_model not in BUILT_IN_EMBEDDINGS:
        raise UnknownModel(
            "the offline embedding models are "
            f"{' and '.join(map(repr, BUILT_IN_EMBEDDINGS))}, there is no "
            f"{spec.embedding_model!r}"
        )
    return HashingEmbedding(spec.embedding_dimensions, spec.embedding_model)


def open_vectors(spec: ModelSpec, *, simulation_id: UUID, tick: int, stream: str) -> Vectors:
    """Return the vectors of a simulation's embedding model, for use outside of turns.

    :raises UnknownModel: if its server is no longer configured.
    """
    price = price_of(spec.embedding_model, spec.embedding_server)
    context = EmbeddingContext(
        simulation_id=simulation_id,
        tick=tick,
        stream=stream,
        price=price,
        purpose=CallPurpose.INTERVIEW,
    )
    return StoredVectors(open_embedding(spec), context)


def open_agent_llm(
    *,
    simulation_id: UUID,
    tick: int,
    stream: str,
    models: Models,
    deferred: bool = False,
    series: CallSeries = OF_TURNS,
) -> AgentLLM:
    """Return the AgentLLM of one agent at one tick, with storage in the database."""
    context = EmbeddingContext(
        simulation_id=simulation_id,
        tick=tick,
        stream=stream,
        price=models.embedding_price,
        purpose=series.purpose,
    )
    return AgentLLM(
        simulation_id=simulation_id,
        tick=tick,
        stream=stream,
        models=models,
        gateway=Gateway(
            models,
            DjangoCallLog(simulation_id),
            tick=tick,
            stream=stream,
            deferred=deferred,
            batches=series.batches,
        ),
        vectors=StoredVectors(models.embedding, context),
        series=series,
    )


@lru_cache(maxsize=MODELS_KEPT_MAX)
def _openai_chat(server: Server, model: str) -> ChatModel:
    """Return the only object of the model: it remembers which parameters the server refuses."""
    from apps.llm.servers.openai_chat import OpenAIChatModel  # noqa: PLC0415

    return OpenAIChatModel(server, model)


def server_named(name: str) -> Server:
    """Return a server of the settings.

    :raises UnknownModel: if it is no longer configured.
    """
    servers: Mapping[str, Server] = settings.MODEL_SERVERS
    if name not in servers:
        raise UnknownModel(
            f"the model server {name!r} is not set up any more; "
            f"{names_there_are(sorted([OFFLINE, *offered_servers()]), name)}. {SERVER_HINT}; "
            "or give the simulation another model"
        )
    return servers[name]
