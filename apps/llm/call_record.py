"""What goes on record of a call: its fingerprint, its attempts, what it used."""

import json
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256

from pydantic import BaseModel

from apps.llm.answering import Attempt, CallFailed
from apps.llm.call_log import JsonObject, Spent
from apps.llm.cleaning import clean_json, clean_text
from apps.llm.port import ChatModel, JsonSchema, ModelRefusal, Request
from apps.llm.prices import FREE, Price

RAW_KEPT_MAX = 20_000  # characters of a raw answer


def spent_on(attempts: Sequence[Attempt], price: Price | None) -> Spent:
    """Return what the attempts used, all together; without a price they cost nothing."""
    completions = [attempt.completion for attempt in attempts]
    prompt_tokens = sum(completion.prompt_tokens for completion in completions)
    completion_tokens = sum(completion.completion_tokens for completion in completions)
    seconds = sum(completion.latency_seconds for completion in completions)
    return Spent(
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        latency_ms=round(seconds * 1_000),
        cost=(price or FREE).cost(
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cached_prompt_tokens=sum(one.cached_prompt_tokens for one in completions),
        ),
    )


def request_sha256(request: Request, model: ChatModel) -> str:
    """Return the fingerprint of what is asked of whom: when it differs, a new call is due."""
    asked = [
        request.chain,
        request.wording_version,
        _schema_version(request.answer_type),
        [message.to_json() for message in request.messages],
        model.server,
        model.name,
        request.temperature,
    ]
    return sha256(json.dumps(asked, ensure_ascii=True).encode()).hexdigest()


def attempt_json(attempt: Attempt, answer: JsonObject | None = None) -> JsonObject:
    """Return the attempt as the call log keeps it.

    Raw text that says exactly the answer is left out, being kept beside it already.
    """
    completion = attempt.completion
    kept: JsonObject = {
        "prompt_tokens": completion.prompt_tokens,
        "completion_tokens": completion.completion_tokens,
        "latency_ms": round(completion.latency_seconds * 1_000),
    }
    if completion.cached_prompt_tokens:
        kept["cached_prompt_tokens"] = completion.cached_prompt_tokens
    if attempt.error is not None:
        kept["error"] = clean_text(attempt.error)
    if completion.setbacks:
        kept["setbacks"] = [clean_text(setback) for setback in completion.setbacks]
    if answer is None or not _says_exactly(completion.text, answer):
        kept["raw"] = clean_text(completion.text[:RAW_KEPT_MAX])
    return kept


def attempts_of_failure(failure: CallFailed) -> tuple[JsonObject, ...]:
    """Return the completions that came before, and the tries that ended the call."""
    came = tuple(attempt_json(attempt) for attempt in failure.attempts)
    return (*came, *tries_json(failure.refusal))


def tries_json(refusal: ModelRefusal) -> tuple[JsonObject, ...]:
    """Return what the tries came to that brought no answer, as one more attempt."""
    setbacks = [clean_text(setback) for setback in refusal.setbacks]
    return ({"setbacks": setbacks},) if setbacks else ()


def _says_exactly(text: str, answer: JsonObject) -> bool:
    try:
        return bool(json.loads(text) == answer)
    except (ValueError, RecursionError):
        return False


def json_of(answer: BaseModel) -> JsonObject:
    """Return the answer as the call log keeps it."""
    cleaned = clean_json(answer.model_dump(mode="json"))
    assert isinstance(cleaned, dict), "a model's dump is an object"
    return cleaned


@lru_cache(maxsize=256)
def schema_of(answer_type: type[BaseModel]) -> JsonSchema:
    """Return the JSON schema of a chain's answer."""
    return answer_type.model_json_schema()


@lru_cache(maxsize=256)
def _schema_version(answer_type: type[BaseModel]) -> str:
    schema = json.dumps(schema_of(answer_type), sort_keys=True)
    return sha256(schema.encode()).hexdigest()
