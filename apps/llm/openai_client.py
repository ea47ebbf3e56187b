"""Asking a server of the OpenAI protocol: one client each, in bounds of number, time and size.

The client's own retries are off: ours have seeded chance, a deadline over all tries, and
also know a body that is cut off or no reply at all.
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
from apps.llm.retry import RetriesExhausted, RetryableError, retry
from apps.llm.server_errors import (
    is_passing,
    retry_after_seconds,
    told,
    told_by,
    unavailable,
)
from apps.llm.servers import Server

SERVERS_KEPT_MAX = 64
REPLY_BYTES_MAX = 16_000_000  # 128 vectors of 3,584 numbers, written out, are about 9 MB
NOT_THE_PROTOCOL = (
    "it answered with something else than the OpenAI protocol has; check its base_url"
)


_clients: dict[Server, OpenAI] = {}
_clients_lock = Lock()


def client_of(server: Server) -> OpenAI:
    """Return the server's client, safe across threads. There are as many as settings name."""
    with _clients_lock:
        if server not in _clients:
            _clients[server] = OpenAI(
                api_key=server.api_key or "none", base_url=server.base_url, max_retries=0
            )
        return _clients[server]


def hang_up(base_url: str) -> None:
    """Close the clients of a server that has gone for good."""
    with _clients_lock:
        for server in [server for server in _clients if server.base_url == base_url]:
            _clients.pop(server).close()


@lru_cache(maxsize=SERVERS_KEPT_MAX)
def places_at(server: Server) -> BoundedSemaphore:
    """Return what bounds the calls that this process has under way at once.

    A call keeps its place while it waits to try again: a server in trouble is asked less.
    """
    return BoundedSemaphore(server.calls_at_once_max)


_Reply = TypeVar("_Reply", bound=BaseModel)
# What the client's `with_streaming_response.create` is; its own types name each parameter.
Create = Callable[..., AbstractContextManager[Any]]


@dataclass(frozen=True, slots=True)
class Response(Generic[_Reply]):
    """A server's reply, and how long the try took that brought it."""

    reply: _Reply
    seconds: float


@dataclass(frozen=True, slots=True)
class Asking:
    """How a call is being asked: of whom, and what its tries have come to so far.

    `jitter` gives a number in [0, 1) for each wait, by seeded chance.
    """

    server: Server
    jitter: Callable[[int], float]
    setbacks: list[str] = field(default_factory=list)


def send(
    asking: Asking, create: Create, parameters: Mapping[str, Any], reply_type: type[_Reply]
) -> Response[_Reply]:
    """Ask, as often as the server's policy allows, and return its reply.

    :raises APIStatusError: if the server refuses with a status that does not pass.
    :raises ModelUnavailable: if no try brought a reply.
    """
    server = asking.server

    def once(seconds_left: float) -> Response[_Reply]:
        begun = time.perf_counter()
        body = _body(server, create, parameters, seconds_left)
        return Response(_reply_in(body, reply_type), time.perf_counter() - begun)

    with places_at(server):
        try:
            return retry(
                once, server.retry_policy, jitter=asking.jitter, setbacks=asking.setbacks
            )
        except RetriesExhausted as over:
            raise unavailable(server, asking.setbacks, str(over)) from over


def _body(
    server: Server, create: Create, parameters: Mapping[str, Any], seconds_left: float
) -> bytes:
    """Return the body of one reply.

    :raises RetryableError: if it fails in a way that may pass.
    """
    seconds = min(server.timeout_seconds, seconds_left)
    timeout = Timeout(seconds, connect=min(server.connect_seconds, seconds))
    ends_at = time.monotonic() + seconds
    try:
        with create(**parameters, timeout=timeout) as answer:
            return _read(answer.iter_bytes(), ends_at, _too_late(seconds))
    except APIStatusError as error:
        if not is_passing(error):
            raise
        wait = retry_after_seconds(error)
        raise RetryableError(told_by(error, server), retry_after_seconds=wait) from error
    except (APITimeoutError, httpx2.TimeoutException) as error:
        raise RetryableError(_too_late(seconds)) from error
    except (APIConnectionError, httpx2.HTTPError) as error:
        cause = str(error.__cause__ or error)
        raise RetryableError(f"the connection failed: {told(cause, server)}") from error
    except APIError as error:
        raise RetryableError(told(error.message, server)) from error


def _read(pieces: Iterable[bytes], ends_at: float, too_late: str) -> bytes:
    """Return the pieces together: a body that trickles or has no end is given up."""
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
    """Return the body as what it should be; the client itself believes any JSON.

    :raises RetryableError: if it is something else: half of it, or another server's.
    """
    try:
        return reply_type.model_validate(clean_json(json.loads(body)))
    except (ValidationError, ValueError, RecursionError) as error:
        raise RetryableError(NOT_THE_PROTOCOL) from error
