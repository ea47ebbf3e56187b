"""All connections of a web process: admits new ones, and ends those that wait for too long."""

import asyncio
import errno
import os
import time
from collections import deque
from collections.abc import Collection
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import structlog

from apps.api.http.request_errors import TooManyConnections
from apps.api.server.limits import (
    LINGER_SECONDS,
    LINGERING_MAX,
    SWEEP_SECONDS,
    ConnectionLimits,
    configured_limits,
)
from apps.api.server.run import response_bytes

LOG_SECONDS = 60.0
_NO_DESCRIPTORS = {errno.EMFILE, errno.ENFILE}

logger = structlog.get_logger("apps.api.server")


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
