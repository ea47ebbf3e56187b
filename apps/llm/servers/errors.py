"""Classifies the errors of a model server: retry, pause the simulation, or fix the settings."""

import email.utils
import math
import re
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus

from openai import APIStatusError

from apps.llm.cleaning import clean_text
from apps.llm.port import ModelMisconfigured, ModelUnavailable
from apps.llm.servers.configuration import Server

DETAIL_CHARACTERS_MAX = 500
KEY_STATUSES = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
TRANSIENT_STATUSES = frozenset(
    {
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.CONFLICT,
        HTTPStatus.TOO_EARLY,
        HTTPStatus.TOO_MANY_REQUESTS,
    }
)
# A 429 that is not transient: the account has no money left.
NO_MONEY_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
# llama.cpp answers 500 when it cannot parse its own model's output, for example after the token
# limit. A retry of the same request would have the same result.
UNPARSED_WORDS = ("model produced output that does not match", "failed to parse the model")
MILLISECONDS = 1_000.0

# Providers name the key and the account in messages, which guests of a simulation read.
_KEY_LIKE = re.compile(r"\b(?:(?:sk|pk|key)-[\w\-*]{4,}|(?:org|proj|user)[-_]\w{12,})")


def is_transient(error: APIStatusError) -> bool:
    """Return whether the same request may succeed a little later."""
    if error.code in NO_MONEY_CODES or is_parse_error(error):
        return False
    status = error.status_code
    return status in TRANSIENT_STATUSES or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def is_parse_error(error: APIStatusError) -> bool:
    """Return whether the model answered and the server could not parse the answer."""
    message = str(error.message).lower()
    return any(words in message for words in UNPARSED_WORDS)


def retry_after_seconds(error: APIStatusError) -> float | None:
    """Return the wait that the server requests, None if it requests none."""
    headers = error.response.headers
    for name, unit in (("retry-after-ms", MILLISECONDS), ("retry-after", 1.0)):
        seconds = _number(headers.get(name, ""))
        if seconds is not None:
            return seconds / unit
    until = email.utils.parsedate_tz(headers.get("retry-after", ""))
    if until is None:
        return None
    try:
        return max(0.0, email.utils.mktime_tz(until) - time.time())
    except (OverflowError, ValueError):
        return None


def unavailable(server: Server, setbacks: Sequence[str], why: str) -> ModelUnavailable:
    """Return the error for a server that does not answer."""
    return ModelUnavailable(
        f"the model server {server.name!r} does not answer ({setbacks[-1]}; {why}); "
        "ensure that it runs and is not overloaded, then run the simulation again",
        setbacks=tuple(setbacks),
    )


def misconfigured(
    error: APIStatusError, server: Server, setbacks: Sequence[str]
) -> ModelMisconfigured:
    """Return the error for a server that refuses the request, with a hint."""
    status = error.status_code
    if error.code in NO_MONEY_CODES:
        hint = "put money into the account of its api_key, or take another"
    elif status in KEY_STATUSES:
        hint = "check the api_key of this server in the settings"
    elif status == HTTPStatus.NOT_FOUND:
        hint = "check its base_url and the names of its models in the settings"
    else:
        hint = "check what its models take"
    detail = describe(error, server)
    return ModelMisconfigured(
        f"the model server {server.name!r} refuses ({detail}); {hint}, then run the "
        "simulation again",
        setbacks=(*setbacks, detail),
    )


def describe(error: APIStatusError, server: Server) -> str:
    """Return the status and the server's message."""
    body = error.body if isinstance(error.body, Mapping) else {}
    message = body.get("message") or error.message
    return redact(f"{error.status_code}: {message}", server)


def redact(detail: str, server: Server) -> str:
    """Return the server's message, shortened and without the API key."""
    text = clean_text(detail)
    if len(server.api_key) > len("none"):
        text = text.replace(server.api_key, "[key]")
    return _KEY_LIKE.sub("[key]", text)[:DETAIL_CHARACTERS_MAX]


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
