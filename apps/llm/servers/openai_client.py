"""Sends requests to servers of the OpenAI protocol, with limits of concurrency, time and size.

The client's own retries are off: these have seeded jitter and a deadline over all tries, and
also retry a truncated body (ADR 26).
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import lru_cache
from threading import BoundedSemaphore, Lock
from typing import Any, Generic, TypeVar

import httpx2
from openai import (
    APIConnectionError,
    APIError,
    APIStatusError,
    APITimeoutError,
    OpenAI,
    Timeout,
)
from pydantic import BaseModel, ValidationError

from apps.llm.cleaning import clean_json
from apps.llm.servers.configuration import Server
from apps.llm.servers.errors import (
    describe,
    is_transient,
    redact,
    retry_after_seconds,
    unavailable,
)
from apps.llm.servers.retry import RetriesExhausted, RetryableError, retry

SERVERS_KEPT_MAX = 64
REPLY_BYTES_MAX = 16_000_000  # 128 vectors of 3,584 numbers, written out, are about 9 MB
NOT_THE_PROTOCOL = (
    "it answered with something else than the OpenAI protocol has; check its base_url"
)


_clients: dict[Server, OpenAI] = {}
_clients_lock = Lock()


def client_of(server: Server) -> OpenAI:
    """Return the server's only client, which threads may share."""
    with _clients_lock:
        if server not in _clients:
            _clients[server] = OpenAI(
                api_key=server.api_key or "none", base_url=server.base_url, max_retries=0
            )
        return _clients[server]


@lru_cache(maxsize=SERVERS_KEPT_MAX)
def call_slots(server: Server) -> BoundedSemaphore:
    """Return the semaphore that limits this process's concurrent calls of a server.

    A call keeps its slot between tries, so that a server with errors gets fewer requests.
    """
    return BoundedSemaphore(server.calls_at_once_max)


_Reply = TypeVar("_Reply", bound=BaseModel)
# The client's `with_streaming_response.create`, whose own type names each parameter.
Create = Callable[..., AbstractContextManager[Any]]


@dataclass(frozen=True, slots=True)
class Response(Generic[_Reply]):
    """A server's reply, and the duration of its try."""

    reply: _Reply
    seconds: float


@dataclass(frozen=True, slots=True)
class Tries:
    """The tries of one call: `setbacks` are the errors so far.

    `jitter` returns a seeded random number in [0, 1) for each wait.
    """

    server: Server
    jitter: Callable[[int], float]
    setbacks: list[str] = field(default_factory=list)


def send(
    tries: Tries, create: Create, parameters: Mapping[str, Any], reply_type: type[_Reply]
) -> Response[_Reply]:
    """Return the server's reply, retrying as its policy allows.

    :raises APIStatusError: if the server refuses with a status that is not transient.
    :raises ModelUnavailable: if all tries failed.
    """
    server = tries.server

    def once(seconds_left: float) -> Response[_Reply]:
        begun = time.perf_counter()
        body = _body(server, create, parameters, seconds_left)
        return Response(_reply_in(body, reply_type), time.perf_counter() - begun)

    with call_slots(server):
        try:
            return retry(
                once, server.retry_policy, jitter=tries.jitter, setbacks=tries.setbacks
            )
        except RetriesExhausted as over:
            raise unavailable(server, tries.setbacks, str(over)) from over


def _body(
    server: Server, create: Create, parameters: Mapping[str, Any], seconds_left: float
) -> bytes:
    """Return the body of one reply.

    :raises RetryableError: if the error is transient.
    """
    seconds = min(server.timeout_seconds, seconds_left)
    timeout = Timeout(seconds, connect=min(server.connect_seconds, seconds))
    ends_at = time.monotonic() + seconds
    try:
        with create(**parameters, timeout=timeout) as response:
            return _read(response.iter_bytes(), ends_at, _too_late(seconds))
    except APIStatusError as error:
        if not is_transient(error):
            raise
        wait = retry_after_seconds(error)
        raise RetryableError(describe(error, server), retry_after_seconds=wait) from error
    except (APITimeoutError, httpx2.TimeoutException) as error:
        raise RetryableError(_too_late(seconds)) from error
    except (APIConnectionError, httpx2.HTTPError) as error:
        cause = str(error.__cause__ or error)
        raise RetryableError(f"the connection failed: {redact(cause, server)}") from error
    except APIError as error:
        raise RetryableError(redact(error.message, server)) from error


def _read(pieces: Iterable[bytes], ends_at: float, too_late: str) -> bytes:
    """Return the joined pieces; a body that is too slow or too long is an error."""
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > REPLY_BYTES_MAX:
            raise RetryableError(f"a reply of more than {REPLY_BYTES_MAX:,} bytes")
        if time.monotonic() > ends_at:
            raise RetryableError(too_late)
    return bytes(body)


def _too_late(seconds: float) -> str:
    return f"no answer within {seconds:g} seconds"


def _reply_in(body: bytes, reply_type: type[_Reply]) -> _Reply:
    """Return the body as a reply; the client itself accepts any JSON.

    :raises RetryableError: if it is truncated, or has another form.
    """
    try:
        return reply_type.model_validate(clean_json(json.loads(body)))
    except (ValidationError, ValueError, RecursionError) as error:
        raise RetryableError(NOT_THE_PROTOCOL) from error
