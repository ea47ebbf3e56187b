"""From a simulation's specification to the mind of a turn: the parts put together."""

from collections.abc import Callable
from functools import lru_cache, partial
from uuid import UUID

from apps.llm.agent_llm import AgentLLM
from apps.llm.call_log import Asker, Vectors
from apps.llm.catalogue import price_of, refuse_not_allowed
from apps.llm.django_call_log import DjangoCallLog, answer_of_call
from apps.llm.embeddings import StoredVectors
from apps.llm.gateway import Gateway, Models
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.model_spec import HASHING, OFFLINE, ModelSpec, UnknownModel
from apps.llm.openai_adapter import OpenAIChatModel
from apps.llm.openai_embedding import OpenAIEmbeddingModel
from apps.llm.port import ChatModel, EmbeddingModel
from apps.llm.recorded import RecordedModel
from apps.llm.servers import Server, configured_servers

MODELS_KEPT_MAX = 128

__all__ = [
    "Models",
    "open_agent_llm",
    "open_embedding",
    "open_models",
    "open_vectors",
    "recorded_models",
]


def open_models(
    spec: ModelSpec, *, seed: int, open_rule_model: Callable[[int], ChatModel]
) -> Models:
    """Return the models of a simulation, ready to be asked. Cheap; nothing is connected.

    `open_rule_model` takes the seed and returns the model that answers without a server.

    :raises UnknownModel: if a server of the specification is no longer set up.
    :raises ModelNotAllowed: if the operator does not offer the models.
    """
    refuse_not_allowed(spec)
    return Models(
        chat=_chat(spec, seed, open_rule_model),
        embedding=open_embedding(spec),
        seed=seed,
        temperature=spec.temperature,
        price=price_of(spec.chat_model, spec.server),
        embedding_price=price_of(spec.embedding_model, spec.embedding_server),
    )


def recorded_models(spec: ModelSpec, *, seed: int, recording: UUID) -> Models:
    """Return models that answer from the call log of another simulation (V5)."""
    return Models(
        chat=RecordedModel(partial(answer_of_call, recording), name=str(recording)),
        embedding=open_embedding(spec),
        seed=seed,
    )


def open_embedding(spec: ModelSpec) -> EmbeddingModel:
    """Return the embedding model alone.

    :raises UnknownModel: if its server is no longer set up.
    """
    if spec.embedding_server != OFFLINE:
        return OpenAIEmbeddingModel(
            _server(spec.embedding_server), spec.embedding_model, spec.embedding_dimensions
        )
    if spec.embedding_model != HASHING:
        raise UnknownModel(
            f"the offline embedding model is {HASHING!r}, there is no {spec.embedding_model!r}"
        )
    return HashingEmbedding(spec.embedding_dimensions)


def open_vectors(spec: ModelSpec, *, simulation_id: UUID, tick: int, stream: str) -> Vectors:
    """Return the vectors of a simulation's embedding model, asked outside any turn.

    :raises UnknownModel: if its server is no longer set up.
    """
    price = price_of(spec.embedding_model, spec.embedding_server)
    asker = Asker(simulation_id=simulation_id, tick=tick, stream=stream, price=price)
    return StoredVectors(open_embedding(spec), asker)


def open_agent_llm(
    *,
    simulation_id: UUID,
    tick: int,
    stream: str,
    models: Models,
    deferred: bool = False,
    first_ordinal: int = 0,
) -> AgentLLM:
    """Return the mind of one agent at one tick; its calls are counted from `first_ordinal`.

    With `deferred` a stand-in's calls are written by `save`, in the transaction of the
    turn's events; a remote model's are always written at once, since they are paid for.
    """
    return Gateway(
        simulation_id=simulation_id,
        tick=tick,
        stream=stream,
        models=models,
        call_log=DjangoCallLog(simulation_id),
        vectors=StoredVectors(
            models.embedding,
            Asker(
                simulation_id=simulation_id,
                tick=tick,
                stream=stream,
                price=models.embedding_price,
            ),
        ),
        deferred=deferred,
        first_ordinal=first_ordinal,
    )


def _chat(spec: ModelSpec, seed: int, open_rule_model: Callable[[int], ChatModel]) -> ChatModel:
    if spec.server == OFFLINE:
        return open_rule_model(seed)
    return _openai_chat(_server(spec.server), spec.chat_model)


@lru_cache(maxsize=MODELS_KEPT_MAX)
def _openai_chat(server: Server, model: str) -> OpenAIChatModel:
    """Return the one object that remembers what this server's model refuses."""
    return OpenAIChatModel(server, model)


def _server(name: str) -> Server:
    servers = configured_servers()
    if name not in servers:
        there_are = ", ".join(sorted([OFFLINE, *servers]))
        raise UnknownModel(
            f"the model server {name!r} is not set up any more; there are: {there_are}. "
            "Set it up in the settings, or give the simulation another model"
        )
    return servers[name]
