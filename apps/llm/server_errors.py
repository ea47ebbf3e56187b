"""What a server's errors mean to the town: try again, come back later, or mend the settings."""

import email.utils
import math
import re
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus

from openai import APIStatusError

from apps.llm.cleaning import clean_text
from apps.llm.port import ModelMisconfigured, ModelUnavailable
from apps.llm.servers import Server

DETAIL_CHARACTERS_MAX = 500
KEY_STATUSES = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
PASSING_STATUSES = frozenset(
    {
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.CONFLICT,
        HTTPStatus.TOO_EARLY,
        HTTPStatus.TOO_MANY_REQUESTS,
    }
)
# A 429 that no waiting mends: the account has nothing left.
NO_MONEY_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
# llama.cpp answers 500 when it cannot parse its own model's words, as when the limit of tokens
# cut them off: nothing is wrong with the server, and the same request would end the same.
UNPARSED_WORDS = ("model produced output that does not match", "failed to parse the model")
MILLISECONDS = 1_000.0

_KEY_LIKE = re.compile(r"\b(sk|pk|key)-[\w\-*]{4,}")


def is_passing(error: APIStatusError) -> bool:
    """Return whether the same request may succeed a little later."""
    if error.code in NO_MONEY_CODES or is_about_the_answer(error):
        return False
    status = error.status_code
    return status in PASSING_STATUSES or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def is_about_the_answer(error: APIStatusError) -> bool:
    """Return whether the model answered, and the server could not make sense of it."""
    said = str(error.message).lower()
    return any(words in said for words in UNPARSED_WORDS)


def retry_after_seconds(error: APIStatusError) -> float | None:
    """Return how long the server asks to be left alone; None if it does not say so."""
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
    """Return what is raised when a server stays away."""
    return ModelUnavailable(
        f"the model server {server.name!r} does not answer ({setbacks[-1]}; {why}); "
        "see that it runs and is not overloaded, then run the simulation again",
        setbacks=tuple(setbacks),
    )


def misconfigured(
    error: APIStatusError, server: Server, setbacks: Sequence[str]
) -> ModelMisconfigured:
    """Return what is raised when a server refuses for good; the message names the mend."""
    status = error.status_code
    if error.code in NO_MONEY_CODES:
        mend = "put money into the account of its api_key, or take another"
    elif status in KEY_STATUSES:
        mend = "check the api_key of this server in the settings"
    elif status == HTTPStatus.NOT_FOUND:
        mend = "check its base_url and the names of its models in the settings"
    else:
        mend = "check what its models take"
    detail = told_by(error, server)
    return ModelMisconfigured(
        f"the model server {server.name!r} refuses ({detail}); {mend}, then run the "
        "simulation again",
        setbacks=(*setbacks, detail),
    )


def told_by(error: APIStatusError, server: Server) -> str:
    """Return the status and the server's words about it."""
    body = error.body if isinstance(error.body, Mapping) else {}
    words = body.get("message") or error.message
    return told(f"{error.status_code}: {words}", server)


def told(detail: str, server: Server) -> str:
    """Return the server's words, short and without the key that some of them repeat."""
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
