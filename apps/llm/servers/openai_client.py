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
from http import HTTPStatus
from threading import Condition, Lock
from typing import Any, Generic, Self, TypeVar
from urllib.parse import urljoin

import httpx2
from openai import (
    APIConnectionError,
    APIError,
    APIStatusError,
    APITimeoutError,
    OpenAI,
    OpenAIError,
    Timeout,
)
from pydantic import BaseModel, ValidationError

from apps.llm.cleaning import clean_json
from apps.llm.model_spec import NAME_CHARACTERS_MAX
from apps.llm.port import ModelMisconfigured
from apps.llm.servers.chat_replies import EVENTS, joined_events
from apps.llm.servers.configuration import Server
from apps.llm.servers.errors import ServerError, redact, unavailable
from apps.llm.servers.retry import RetriesExhausted, RetryableError, retry

SERVERS_KEPT_MAX = 64
VERSION_SECONDS_MAX = 2.0
TURNS_MAX = 1_000  # how often a call gives up its slot while the server is busy
REPLY_BYTES_MAX = 16_000_000  # 128 vectors of 3,584 numbers, written out, are about 9 MB
SHOWN_CHARACTERS_MAX = 120
ERROR_FIELDS = frozenset({"message", "msg", "detail", "base_resp"})


_clients: dict[Server, OpenAI] = {}
_clients_lock = Lock()


def client_of(server: Server) -> OpenAI:
    """Return the server's only client, which threads may share."""
    with _clients_lock:
        if server not in _clients:
            _clients[server] = OpenAI(
                api_key=server.api_key,
                base_url=server.base_url,
                default_headers=server.headers,
                default_query=server.query,
                max_retries=0,
            )
        return _clients[server]


def served_models(server: Server) -> list[str]:
    """Return the names of the models that the server lists; none if it lists none."""
    try:
        listed = client_of(server).with_options(timeout=server.connect_seconds).models.list()
        return sorted(str(one.id) for one in listed)
    except (OpenAIError, httpx2.HTTPError, AttributeError, TypeError, ValueError):
        return []


@lru_cache(maxsize=SERVERS_KEPT_MAX)
def version_of(server: Server) -> str:
    """Return the version that the server reports, "" if it reports none.

    It is requested once in a process; an error counts as no version.
    """
    if not server.version_path:
        return ""
    timeout = Timeout(min(server.connect_seconds, VERSION_SECONDS_MAX))
    try:
        found = client_of(server).get(
            urljoin(server.base_url, server.version_path),
            cast_to=object,
            options={"timeout": timeout},
        )
    except (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError):
        return ""
    version = found.get("version") if isinstance(found, dict) else None
    return str(clean_json(version))[:NAME_CHARACTERS_MAX] if version else ""


class CallSlots:
    """Limits this process's concurrent calls of a server, which are fewer while it is busy.

    A call keeps its slot between tries, so that a server with errors gets fewer requests.
    """

    def __init__(self, slots_max: int) -> None:
        self._slots_max = slots_max
        self._allowed = slots_max
        self._taken = 0
        self._changed = Condition()

    def __enter__(self) -> Self:
        with self._changed:
            self._changed.wait_for(lambda: self._taken < self._allowed)
            self._taken += 1
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._taken -= 1
            self._changed.notify_all()

    def halve(self) -> bool:
        """Allow half as many calls; return whether that is fewer than are under way."""
        with self._changed:
            self._allowed = max(1, self._allowed // 2)
            return self._taken > self._allowed

    def add_one(self) -> None:
        """Allow one call more, up to the limit of the settings."""
        with self._changed:
            self._allowed = min(self._slots_max, self._allowed + 1)
            self._changed.notify_all()


@lru_cache(maxsize=SERVERS_KEPT_MAX)
def call_slots(server: Server) -> CallSlots:
    """Return the slots of a server."""
    return CallSlots(server.calls_at_once_max)


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


class _SlotGivenUp(Exception):
    """The server is busy, and more calls are under way than are allowed."""


def send(
    tries: Tries,
    create: Create,
    parameters: Mapping[str, Any],
    reply_type: type[_Reply],
    read: "Callable[[Server, bytes, type[_Reply]], _Reply] | None" = None,
) -> Response[_Reply]:
    """Return the server's reply, retrying as its policy allows.

    `read` reads the body of the reply, by default `reply_in`.

    The deadline applies to the time with a slot: a call that gave up its slot has the whole
    time again.

    :raises ServerError: if the server refuses, so that the same request would be refused again.
    :raises ModelUnavailable: if all tries failed.
    """
    server = tries.server
    slots = call_slots(server)

    def once(seconds_left: float) -> Response[_Reply]:
        begun = time.perf_counter()
        try:
            body = _body(server, create, parameters, seconds_left)
            reply = (read or reply_in)(server, body, reply_type)
        except ServerError as error:
            if not error.is_transient:
                raise
            if error.is_busy and slots.halve():
                tries.setbacks.append(error.told)
                raise _SlotGivenUp from error
            raise RetryableError(
                error.told, retry_after_seconds=error.wait_seconds, is_busy=error.is_busy
            ) from error
        slots.add_one()
        return Response(reply, time.perf_counter() - begun)

    for _ in range(TURNS_MAX):
        with slots:
            try:
                return retry(
                    once, server.retry_policy, jitter=tries.jitter, setbacks=tries.setbacks
                )
            except _SlotGivenUp:
                continue
            except RetriesExhausted as over:
                raise unavailable(server, tries.setbacks, str(over), over.setting) from over
    raise unavailable(server, tries.setbacks, f"gave up its slot {TURNS_MAX} times")


def _body(
    server: Server, create: Create, parameters: Mapping[str, Any], seconds_left: float
) -> bytes:
    """Return the body of one reply.

    :raises ServerError: if the reply is an error.
    :raises RetryableError: if there is no whole reply.
    """
    seconds = min(server.timeout_seconds, seconds_left)
    timeout = Timeout(seconds, connect=min(server.connect_seconds, seconds))
    ends_at = time.monotonic() + seconds
    try:
        with create(**parameters, timeout=timeout) as response:
            return _read(response.iter_bytes(), ends_at, _too_late(seconds))
    except APIStatusError as error:
        response = error.response
        raise ServerError(
            response.status_code, response.headers, response.text, server
        ) from error
    except (APITimeoutError, httpx2.TimeoutException) as error:
        raise _too_late(seconds) from error
    except (APIConnectionError, httpx2.HTTPError) as error:
        cause = error.__cause__ or error
        if isinstance(cause, httpx2.UnsupportedProtocol | httpx2.LocalProtocolError):
            raise _unsendable(server, cause) from error
        detail = f"the connection failed: {redact(str(cause), server)}"
        raise RetryableError(detail, setting="base_url") from error
    except APIError as error:
        raise RetryableError(redact(error.message, server)) from error
    except (UnicodeEncodeError, httpx2.InvalidURL) as error:
        raise _unsendable(server, error) from error


def _unsendable(server: Server, cause: BaseException) -> ModelMisconfigured:
    """Return the error for a request that cannot be sent with these settings."""
    return ModelMisconfigured(
        f"nothing can be sent to the model server {server.name!r} "
        f"({redact(str(cause), server)}); check that its base_url begins with http:// or "
        "https://, and that its api_key has plain letters only, then run the simulation again",
        model=server.name,
        setting="base_url",
    )


def _read(pieces: Iterable[bytes], ends_at: float, too_late: RetryableError) -> bytes:
    """Return the joined pieces; a body that is too slow or too long is an error."""
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > REPLY_BYTES_MAX:
            raise RetryableError(f"a reply of more than {REPLY_BYTES_MAX:,} bytes")
        if time.monotonic() > ends_at:
            raise too_late
    return bytes(body)


def _too_late(seconds: float) -> RetryableError:
    return RetryableError(f"no answer within {seconds:g} seconds", setting="timeout_seconds")


def reply_in(server: Server, body: bytes, reply_type: type[_Reply]) -> _Reply:
    """Return the body as a reply; the client itself accepts any JSON.

    :raises ServerError: if it is an error, whatever its status.
    :raises RetryableError: if it is truncated, or has another form.
    """
    text = body.decode("utf-8-sig", "replace").strip()
    try:
        data = clean_json(joined_events(text) if text.startswith(EVENTS) else json.loads(text))
        if error := _error_in(data):
            text = json.dumps({"error": error})
            raise ServerError(HTTPStatus.OK, {}, text, server)
        return reply_type.model_validate(data)
    except (ValidationError, ValueError, RecursionError) as error:
        shown = redact(text[:SHOWN_CHARACTERS_MAX], server)
        raise RetryableError(
            f"it answered with something else than the OpenAI protocol has ({shown!r}); check "
            "its base_url",
            setting="base_url",
        ) from error


def _error_in(data: object) -> object:
    """Return the error of a reply that has no answer and no vectors; None without one."""
    if not isinstance(data, dict) or data.get("data"):
        return None
    choices = data.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if isinstance(first, dict):
        return first.get("error") or (None if first.get("message") else data.get("error"))
    return data.get("error") or (data if ERROR_FIELDS & data.keys() else None)
