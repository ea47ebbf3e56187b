"""The connections of a web process: their limits, their admission, and their end."""

import asyncio
import errno
import json
import os
import resource
import time
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol
from uuid import uuid4
from weakref import WeakKeyDictionary

import structlog
from django.conf import settings

from apps.api.http.request_errors import TooManyConnections
from apps.kernel.errors import DomainError

SHUTDOWN_SECONDS = 3
"""How long open responses may take after the process receives SIGTERM."""
ANSWER_WITHIN_SECONDS = SHUTDOWN_SECONDS - 0.5
"""After so much of it a request without a response is answered 503."""
HEAD_BYTES_MAX = 131_072
"""Of a request line with its headers. The middleware `RequestSizeLimits` has lower limits and
better messages; this bounds the buffer of the parser."""
LINGERING_MAX = 32
"""Rejected connections that stay open briefly, so that clients can read the response."""
LINGER_SECONDS = 2.0
SWEEP_SECONDS = 0.5
"""How often connections are checked; timeouts are late by at most so much."""
_OTHER_DESCRIPTORS = 40
"""Listening socket, files, pipes, sockets to the broker."""
_HINT = "raise the limit of open files (RLIMIT_NOFILE), as by `ulimit -n 4096`"
LOG_SECONDS = 60.0
_NO_DESCRIPTORS = {errno.EMFILE, errno.ENFILE}

logger = structlog.get_logger("apps.api.server")


class TooFewDescriptors(Exception):
    """The process may open too few files to serve a connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """Limits of one web process and of each of its connections."""

    connections_max: int
    head_seconds: float
    body_seconds: float
    idle_seconds: float
    stall_seconds: float


def configured_limits() -> ConnectionLimits:
    """Return the limits of the settings, as far as the process may open files for them.

    :raises TooFewDescriptors: if it may not open one.
    """
    wanted = int(settings.CONNECTIONS_MAX)
    reserved = _reserved_descriptors()
    soft = _raise_descriptor_limit(wanted + reserved)
    if soft <= reserved:
        raise TooFewDescriptors(
            f"the web process may open {soft} files and needs more than {reserved} to serve "
            f"connections; {_HINT}"
        )
    return ConnectionLimits(
        connections_max=min(wanted, soft - reserved),
        head_seconds=settings.REQUEST_HEAD_SECONDS,
        body_seconds=settings.REQUEST_BODY_SECONDS,
        idle_seconds=settings.KEEP_ALIVE_SECONDS,
        stall_seconds=settings.RESPONSE_STALL_SECONDS,
    )


def log_lowered_limit() -> None:
    """Log if the limit of open files allows fewer connections than the settings.

    :raises TooFewDescriptors: if it allows none.
    """
    possible = configured_limits().connections_max
    if possible < settings.CONNECTIONS_MAX:
        logger.warning(
            "connection limit lowered",
            connections_max=possible,
            files_max=resource.getrlimit(resource.RLIMIT_NOFILE)[0],
            hint=_HINT,
        )


def _reserved_descriptors() -> int:
    """Return how many descriptors the rest of the process needs at most."""
    pool = int(settings.DATABASES["default"]["OPTIONS"]["pool"]["max_size"])
    models = sum(server.calls_at_once_max for server in settings.MODEL_SERVERS.values())
    return _OTHER_DESCRIPTORS + LINGERING_MAX + pool + models


def _raise_descriptor_limit(wanted: int) -> int:
    """Raise the soft limit of open files towards what is wanted, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    return wanted if soft == resource.RLIM_INFINITY else soft


class RareWarning:
    """A warning that clients can cause at will: logged at most once a minute, with a count."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._count = 0
        self._details: dict[str, Any] = {}
        self._logged_at = -LOG_SECONDS

    @property
    def is_pending(self) -> bool:
        """Whether something was counted that is not logged yet."""
        return self._count > 0

    def note(self, **details: Any) -> None:
        """Count one more; the line has the `details` of the latest one."""
        self._count += 1
        self._details = details
        self.flush()

    def flush(self) -> None:
        """Log what was counted, unless a line was logged within the last minute."""
        now = time.monotonic()
        if self.is_pending and now - self._logged_at >= LOG_SECONDS:
            logger.warning(self._event, count=self._count, **self._details)
            self._count, self._logged_at = 0, now


class Connection(Protocol):
    """A connection that is served."""

    def check(self, now: float) -> None:
        """End the connection if its client has been waited for too long."""
        ...

    def idle_since(self) -> float | None:
        """Return since when it waits for its next request, None if it does not."""
        ...

    def close(self) -> None:
        """Close the connection once all that was written is sent."""
        ...


class Connections:
    """The connections of one server, checked twice a second while there are any.

    :param served: the set that the server keeps its connections in.
    """

    def __init__(self, served: Collection[Connection], limits: ConnectionLimits) -> None:
        self.limits = limits
        self.head_late = RareWarning("request head too slow")
        self.body_late = RareWarning("request body too slow")
        self.stalled = RareWarning("response not read by its client")
        self._limit_reached = RareWarning("connection limit reached")
        self._no_descriptors = RareWarning("no file descriptors left")
        self._warnings = (
            self.head_late,
            self.body_late,
            self.stalled,
            self._limit_reached,
            self._no_descriptors,
        )
        self._served = served
        self._lingering: deque[asyncio.Transport] = deque()
        self._sweep: asyncio.TimerHandle | None = None

    def admit(self, loop: asyncio.AbstractEventLoop) -> bool:
        """Return whether one more connection can be served.

        At the limit the connection that has been idle longest is closed for it.
        """
        self._keep_sweeping(loop)
        if len(self._served) < self.limits.connections_max:
            return True
        idle = [(since, one) for one in self._served if (since := one.idle_since()) is not None]
        if not idle:
            return False
        min(idle, key=lambda found: found[0])[1].close()
        return True

    def reject(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        """Respond 503, and close the connection once the client can have read that."""
        self._limit_reached.note(connections_max=self.limits.connections_max)
        error = TooManyConnections(
            f"this process has {self.limits.connections_max} connections open, which is the "
            "limit; try again in a few seconds"
        )
        transport.write(response_bytes(error, ""))
        # Closed at once, a connection with an unread request is reset, and the response lost.
        transport.write_eof()
        self._lingering.append(transport)
        loop.call_later(LINGER_SECONDS, transport.abort)
        if len(self._lingering) > LINGERING_MAX:
            self._lingering.popleft().abort()

    def forget_rejected(self, transport: asyncio.Transport) -> None:
        """Forget a rejected connection that is closed."""
        if transport in self._lingering:
            self._lingering.remove(transport)

    def _keep_sweeping(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._sweep is None:
            self._sweep = loop.call_later(SWEEP_SECONDS, self._check_all, loop)

    def _check_all(self, loop: asyncio.AbstractEventLoop) -> None:
        self._sweep = None
        now = loop.time()
        for connection in list(self._served):
            connection.check(now)
        self._check_descriptors()
        for warning in self._warnings:
            warning.flush()
        if self._served or any(warning.is_pending for warning in self._warnings):
            self._keep_sweeping(loop)

    def _check_descriptors(self) -> None:
        """Log when no file can be opened: libuv then resets new connections silently."""
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
        except OSError as error:
            if error.errno in _NO_DESCRIPTORS:
                self._no_descriptors.note(error=error.strerror, connections=len(self._served))


_connections: "WeakKeyDictionary[object, Connections]" = WeakKeyDictionary()


def connections_of(server_state: object, served: Collection[Connection]) -> Connections:
    """Return the connections of a server; made when it accepts its first one."""
    found = _connections.get(server_state)
    if found is None:
        found = _connections[server_state] = Connections(served, configured_limits())
    return found


def response_bytes(error: DomainError, instance: str) -> bytes:
    """Return a whole HTTP response with the error, which ends the connection.

    :param instance: the path of the request, "" if it is not known.
    """
    # It imports Django's models; uvicorn loads its protocol before the application.
    from apps.api.http.problems import PROBLEM_JSON, problem_of  # noqa: PLC0415

    problem = problem_of(error)
    assert problem is not None, "every error has a problem document"
    body = json.dumps(problem.body(instance)).encode()
    headers = {
        "Content-Type": PROBLEM_JSON,
        "Content-Length": str(len(body)),
        "Connection": "close",
        "X-Content-Type-Options": "nosniff",
        "X-Request-ID": uuid4().hex,
        **problem.headers,
    }
    head = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*head, "", ""]).encode("ascii") + body
