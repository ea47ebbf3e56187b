"""Counting of model calls for the metrics; every record of a call passes here once."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from uuid import UUID

from django.conf import settings

from apps.llm.call_log import EMBEDDING, CompletedCall, FailedCall, JsonObject
from apps.llm.model_spec import OFFLINE_MODEL
from apps.llm.models import EmbeddingCallRow
from apps.metrics.instruments import record_model_call
from apps.metrics.totals import ModelCallCount, add_model_calls

EMBEDDED = "embedded"
OTHER_MODEL = "other"
_NAMED_BY_SETTINGS = ("chat_model", "embedding_model")


def count_calls(simulation_id: UUID, calls: Sequence[CompletedCall]) -> None:
    """Count calls that were answered; call it in the transaction of their records."""
    for call in calls:
        record_model_call(
            server=call.server,
            model=model_label(call.model),
            task=call.place.chain,
            seconds=call.spent.latency_ms / 1_000,
        )
    add_model_calls(simulation_id, [_counted(call, call.outcome) for call in calls])


def count_failure(simulation_id: UUID, failure: FailedCall) -> None:
    """Count a call that failed; call it in the transaction of its record."""
    add_model_calls(simulation_id, [_counted(failure, failure.code)])


def count_embedding(row: EmbeddingCallRow) -> None:
    """Count a request for vectors; call it in the transaction of its record."""
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
        cost=Decimal(row.cost),
    )
    add_model_calls(row.simulation_id, [count])


def model_label(model: str) -> str:
    """Return the name of the model, if the settings name it, else OTHER_MODEL.

    Users may name any model for their simulations: the operator bounds the series, not they.
    """
    return model if model == OFFLINE_MODEL or model in _named_models() else OTHER_MODEL


def _named_models() -> set[str]:
    """Return the models of the servers, of MODELS_ALLOWED and of MODEL_PRICES.

    The latter two name a model with its server or without it.
    """
    named = {
        entry[field]
        for entry in settings.MODEL_SERVERS.values()
        for field in _NAMED_BY_SETTINGS
        if entry.get(field)
    }
    for name in (*settings.MODELS_ALLOWED, *settings.MODEL_PRICES):
        server, _, model = name.strip().partition(":")
        named.add(model if model and server in settings.MODEL_SERVERS else name.strip())
    return named


def retries_of(attempts: Sequence[Mapping[str, object]]) -> int:
    """Return how many requests were made beyond the first.

    An attempt is one completion, after as many requests without one as it has setbacks; the
    last attempt of a failed call has setbacks only.
    """
    requests = 0
    for attempt in attempts:
        setbacks = attempt.get("setbacks", ())
        assert isinstance(setbacks, Sequence), "as call_record writes them"
        requests += len(setbacks) + ("prompt_tokens" in attempt)
    return max(0, requests - 1)


def _counted(call: CompletedCall | FailedCall, outcome: str) -> ModelCallCount:
    attempts: Sequence[JsonObject] = call.attempts
    return ModelCallCount(
        server=call.server,
        model=model_label(call.model),
        task=call.place.chain,
        outcome=outcome,
        retries=retries_of(attempts),
        prompt_tokens=call.spent.prompt_tokens,
        completion_tokens=call.spent.completion_tokens,
        cost=call.spent.cost,
    )
