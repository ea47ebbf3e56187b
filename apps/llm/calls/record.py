"""What is recorded of a call: its fingerprint, its attempts, what it used."""

import json
from collections.abc import Sequence
from decimal import Decimal
from hashlib import sha256

from pydantic import BaseModel

from apps.llm.calls.answering import Attempt
from apps.llm.calls.call_log import JsonObject
from apps.llm.cleaning import clean_json, clean_text
from apps.llm.port import ChatModel, Completion, JsonSchema, ModelError, Request
from apps.llm.prices import FREE, Price, billed_equivalent_tokens, cached_price_ratio
from apps.llm.usage import Usage

RAW_CHARACTERS_MAX = 20_000  # of a raw answer


def spent_on(attempts: Sequence[Attempt], price: Price | None) -> Usage:
    """Return what the attempts used together; without a price they cost nothing."""
    completions = [attempt.completion for attempt in attempts]
    tokens = {
        "prompt_tokens": sum(one.prompt_tokens for one in completions),
        "cached_prompt_tokens": sum(
            min(one.cached_prompt_tokens, one.prompt_tokens) for one in completions
        ),
        "completion_tokens": sum(one.completion_tokens for one in completions),
    }
    seconds = sum(completion.latency_seconds for completion in completions)
    return Usage(
        calls=1,
        **tokens,
        billed_equivalent_tokens=billed_equivalent_tokens(
            **tokens, ratio=cached_price_ratio(price)
        ),
        latency_ms=round(seconds * 1_000),
        cost=sum((_cost(one, price or FREE) for one in completions), Decimal(0)),
    )


def _cost(completion: Completion, price: Price) -> Decimal:
    cost = price.cost(
        prompt_tokens=completion.prompt_tokens,
        completion_tokens=completion.completion_tokens,
        cached_prompt_tokens=completion.cached_prompt_tokens,
    )
    return cost * completion.price_share


def request_sha256(request: Request, model: ChatModel) -> str:
    """Return the fingerprint of a request to a model; another one means another call."""
    content = [
        request.task_name,
        request.wording_version,
        _version(request.json_schema),
        [message.to_json() for message in request.messages],
        model.server,
        model.name,
        request.temperature,
    ]
    return sha256(json.dumps(content, ensure_ascii=True).encode()).hexdigest()


def attempt_json(attempt: Attempt, answer: JsonObject | None = None) -> JsonObject:
    """Return the attempt as it is recorded, without raw text that equals the answer."""
    completion = attempt.completion
    recorded: JsonObject = {
        "prompt_tokens": completion.prompt_tokens,
        "completion_tokens": completion.completion_tokens,
        "latency_ms": round(completion.latency_seconds * 1_000),
    }
    optional = {
        "cached_prompt_tokens": completion.cached_prompt_tokens,
        "reasoning_tokens": completion.reasoning_tokens,
        "is_estimated": completion.is_estimated,
        "found_in": completion.found_in,
    }
    recorded |= {name: value for name, value in optional.items() if value}
    if attempt.error is not None:
        recorded["error"] = clean_text(attempt.error)
    if completion.setbacks:
        recorded["setbacks"] = list(map(clean_text, completion.setbacks))
    if answer is None or not _is_equal_to(answer, completion.text):
        recorded["raw"] = clean_text(completion.text[:RAW_CHARACTERS_MAX])
    return recorded


def tries_json(error: ModelError) -> tuple[JsonObject, ...]:
    """Return the failed tries of a request without an answer as one more attempt."""
    return ({"setbacks": list(map(clean_text, error.setbacks))},) if error.setbacks else ()


def json_of(answer: BaseModel) -> JsonObject:
    """Return the answer as it is recorded."""
    cleaned = clean_json(answer.model_dump(mode="json"))
    assert isinstance(cleaned, dict), "a model's dump is an object"
    return cleaned


def _version(schema: JsonSchema) -> str:
    return sha256(json.dumps(schema, sort_keys=True).encode()).hexdigest()


def _is_equal_to(answer: JsonObject, text: str) -> bool:
    try:
        return bool(json.loads(text) == answer)
    except (ValueError, RecursionError):
        return False
