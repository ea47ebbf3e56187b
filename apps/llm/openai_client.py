"""One client for each server, and what its errors mean to the town."""

import json
import re
from functools import lru_cache
from threading import BoundedSemaphore
from typing import NoReturn, Protocol, TypeVar

from openai import (
    APIConnectionError,
    APIError,
    APIStatusError,
    APITimeoutError,
    OpenAI,
    Timeout,
)
from pydantic import BaseModel, ValidationError

from apps.llm.cleaning import clean_json, clean_text
from apps.llm.port import ModelMisconfigured, ModelUnavailable
from apps.llm.servers import Server

DETAIL_CHARACTERS_MAX = 500
SERVERS_KEPT_MAX = 64
STATUS_NOT_FOUND = 404
STATUS_SERVER_ERROR = 500
KEY_STATUSES = frozenset({401, 403})
PASSING_STATUSES = frozenset({408, 409, 425, 429})

_KEY_LIKE = re.compile(r"\b(sk|pk|key)-[\w\-*]{4,}")


@lru_cache(maxsize=SERVERS_KEPT_MAX)
def client_of(server: Server) -> OpenAI:
    """Return the server's client, safe across threads; it retries with growing waits."""
    return OpenAI(
        api_key=server.api_key or "none",
        base_url=server.base_url,
        timeout=Timeout(server.timeout_seconds, connect=server.connect_seconds),
        max_retries=server.retries,
    )


@lru_cache(maxsize=SERVERS_KEPT_MAX)
def places_at(server: Server) -> BoundedSemaphore:
    """Return what bounds the requests that are open at once."""
    return BoundedSemaphore(server.calls_at_once_max)


class HttpAnswer(Protocol):
    """What the client's raw responses have."""

    @property
    def content(self) -> bytes:
        """The body."""
        ...


_Reply = TypeVar("_Reply", bound=BaseModel)


def reply_in(answer: HttpAnswer, reply_type: type[_Reply], server: Server) -> _Reply:
    """Return the body as what it should be; the client itself believes any JSON.

    :raises ModelUnavailable: if it is something else.
    """
    try:
        return reply_type.model_validate(clean_json(json.loads(answer.content)))
    except (ValidationError, ValueError, RecursionError) as error:
        raise ModelUnavailable(
            f"the model server {server.name!r} answered with something else than the OpenAI "
            "protocol has; check its base_url, then run the simulation again"
        ) from error


def raise_as_ours(error: APIError, server: Server) -> NoReturn:
    """Raise what the error means.

    :raises ModelUnavailable: if trying again later may help.
    :raises ModelMisconfigured: if it will not; the message names the mend.
    """
    if isinstance(error, APIStatusError):
        _raise_for_status(error, server)
    detail = told(error.message, server)
    if isinstance(error, APITimeoutError):
        detail = f"no answer within {server.timeout_seconds:g} seconds"
    elif isinstance(error, APIConnectionError):
        detail = f"the connection failed: {told(str(error.__cause__ or error), server)}"
    raise ModelUnavailable(
        f"the model server {server.name!r} does not answer ({detail}); "
        "see that it runs, then run the simulation again"
    ) from error


def _raise_for_status(error: APIStatusError, server: Server) -> NoReturn:
    status, detail = error.status_code, told(error.message, server)
    if status in PASSING_STATUSES or status >= STATUS_SERVER_ERROR:
        raise ModelUnavailable(
            f"the model server {server.name!r} answered {status} until retries ran out "
            f"({detail}); run the simulation again later"
        ) from error
    if status in KEY_STATUSES:
        mend = "check the api_key of this server in the settings"
    elif status == STATUS_NOT_FOUND:
        mend = "check its base_url and the names of its models in the settings"
    else:
        mend = "check what its models take"
    raise ModelMisconfigured(
        f"the model server {server.name!r} refused with {status} ({detail}); {mend}"
    ) from error


def told(detail: str, server: Server) -> str:
    """Return the server's words, short and without the key that some of them repeat."""
    text = clean_text(detail)
    if len(server.api_key) > len("none"):
        text = text.replace(server.api_key, "[key]")
    return _KEY_LIKE.sub("[key]", text)[:DETAIL_CHARACTERS_MAX]
