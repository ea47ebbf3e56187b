"""Counts model calls for the metrics; every record of a call is counted once."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.conf import settings

from apps.llm.calls.call_log import EMBEDDING, CompletedCall, FailedCall
from apps.llm.model_spec import RULE_MODEL
from apps.llm.models import EmbeddingCallRow
from apps.metrics.instruments import record_model_call
from apps.metrics.totals import ModelCallCount, add_model_calls

EMBEDDED = "embedded"
OTHER_MODEL = "other"


def count_calls(simulation_id: UUID, calls: Sequence[CompletedCall]) -> None:
    """Count completed calls, in the transaction of their records."""
    for call in calls:
        record_model_call(
            server=call.server,
            model=model_label(call.model),
            task=call.place.task,
            seconds=call.spent.latency_ms / 1_000,
        )
    add_model_calls(simulation_id, [_count_of(call, call.outcome) for call in calls])


def count_failure(simulation_id: UUID, failure: FailedCall) -> None:
    """Count a failed call, in the transaction of its record."""
    add_model_calls(simulation_id, [_count_of(failure, failure.code)])


def count_embedding(row: EmbeddingCallRow) -> None:
    """Count an embedding call, in the transaction of its record."""
    model = model_label(row.model)
    record_model_call(
        server=row.server, model=model, task=EMBEDDING, seconds=row.latency_ms / 1_000
    )
    count = ModelCallCount(
        server=row.server,
        model=model,
        task=EMBEDDING,
        outcome=EMBEDDED,
        retries=len(row.setbacks),
        prompt_tokens=row.prompt_tokens,
        completion_tokens=0,
        cost=row.cost,
    )
    add_model_calls(row.simulation_id, [count])


def model_label(model: str) -> str:
    """Return the name of the model if the settings name it, else OTHER_MODEL.

    Users may name any model for a simulation; the operator's settings bound the series.
    """
    return model if model == RULE_MODEL or model in _configured_models() else OTHER_MODEL


def _configured_models() -> set[str]:
    """Return the models in MODEL_SERVERS, MODELS_ALLOWED and MODEL_PRICES.

    The latter two name a model with its server or without it.
    """
    servers = settings.MODEL_SERVERS
    models = {
        model
        for server in servers.values()
        for model in (server.chat_model, server.embedding_model, *server.models)
        if model
    }
    for name in map(str.strip, (*settings.MODELS_ALLOWED, *settings.MODEL_PRICES)):
        server, _, model = name.partition(":")
        models.add(model if model and server in servers else name)
    return models


def retries_of(attempts: Sequence[Mapping[str, object]]) -> int:
    """Return the number of requests beyond the first.

    An attempt is one completion after as many requests without one as it has setbacks; the
    last attempt of a failed call has setbacks only.
    """
    requests = 0
    for attempt in attempts:
        setbacks = attempt.get("setbacks", ())
        assert isinstance(setbacks, Sequence), "as call_record writes them"
        requests += len(setbacks) + ("prompt_tokens" in attempt)
    return max(0, requests - 1)


def _count_of(call: CompletedCall | FailedCall, outcome: str) -> ModelCallCount:
    return ModelCallCount(
        server=call.server,
        model=model_label(call.model),
        task=call.place.task,
        outcome=outcome,
        retries=retries_of(call.attempts),
        prompt_tokens=call.spent.prompt_tokens,
        cached_prompt_tokens=call.spent.cached_prompt_tokens,
        completion_tokens=call.spent.completion_tokens,
        cost=call.spent.cost,
    )
