"""uvicorn's HTTP/1.1 protocol, with deadlines for its clients.

uvicorn itself closes only connections that are idle between two requests, not one whose client
sends nothing, or a byte a second, or does not read its response.
"""

import asyncio
from collections.abc import Collection
from enum import Enum
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from apps.api.http.request_errors import HeadersTooLarge, RequestTimeout, ServiceStopping
from apps.api.server.connections import (
    ANSWER_WITHIN_SECONDS,
    HEAD_BYTES_MAX,
    Connection,
    Connections,
    connections_of,
    response_bytes,
)
from apps.kernel.errors import DomainError


class Awaiting(Enum):
    """The awaited input; NOTHING while the application works on a response."""

    HEAD = "head"
    BODY = "body"
    NEXT_REQUEST = "next request"
    NOTHING = "nothing"


class BoundedProtocol(HttpToolsProtocol):
    """A connection that ends at a deadline of `ConnectionLimits`.

    Each is counted from the beginning of the phase, not from the last byte, except for a
    response: there the client has to read on.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # All of them are of this class.
        served = cast("Collection[Connection]", self.connections)
        self._all: Connections = connections_of(self.server_state, served)
        self._limits = self._all.limits
        self._is_rejected = False
        self._awaiting = Awaiting.HEAD
        self._since = self._read_at = self.loop.time()
        self._unsent_bytes = 0
        self._head_bytes = 0
        self._in_head = False
        self._active: Any = None  # the request that the application answers

    # --- asyncio.Protocol --------------------------------------------------------------------

    def connection_made(  # type: ignore[override]  # as uvicorn narrows it
        self, transport: asyncio.Transport
    ) -> None:
        """Serve the connection, or reject it at the limit."""
        if not self._all.admit(self.loop):
            self._is_rejected = True
            self.transport = transport
            self._all.reject(transport, self.loop)
            return
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Parse what has arrived."""
        if self._is_rejected:
            return
        if self._awaiting is Awaiting.NEXT_REQUEST:
            self._await(Awaiting.HEAD)
        if self._is_reading_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._is_reading_head and self._head_bytes > HEAD_BYTES_MAX:
            self._end_with(HeadersTooLarge(f"a head has at most {HEAD_BYTES_MAX:,} bytes"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Notify the application."""
        if self._is_rejected:
            self._all.forget_rejected(self.transport)
            return
        super().connection_lost(exc)

    def resume_writing(self) -> None:
        """Send more: the client has read most of what was sent."""
        self._read_at = self.loop.time()
        super().resume_writing()

    # --- The parser --------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        """Begin with the head of a request."""
        super().on_message_begin()
        self._in_head = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; fields behind a chunked body are dropped."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Pass the request to the application, after the one before."""
        self._in_head = False
        self._head_bytes = 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that the body has arrived."""
        super().on_message_complete()
        if self._awaiting is Awaiting.BODY:
            self._await(Awaiting.NEXT_REQUEST if self._active is None else Awaiting.NOTHING)

    # --- Requests ----------------------------------------------------------------------------

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._active = cycle
        self._read_at = self.loop.time()
        self._await(Awaiting.BODY if cycle.more_body else Awaiting.NOTHING)
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Wait for the next request, or begin with one that was sent early."""
        self._active = None
        if self._awaiting is Awaiting.NOTHING:
            self._await(Awaiting.HEAD if self._in_head else Awaiting.NEXT_REQUEST)
        super().on_response_complete()

    def _await(self, awaiting: Awaiting) -> None:
        self._awaiting, self._since = awaiting, self.loop.time()

    # --- Deadlines ---------------------------------------------------------------------------

    def check(self, now: float) -> None:
        """End the connection if its client has been waited for too long."""
        if self._is_response_stalled(now):
            self._all.stalled.note(
                client=self.client, path=self._path, seconds=self._limits.stall_seconds
            )
            self.transport.abort()
            return
        if self.transport.is_closing():
            return
        waited = now - self._since
        match self._awaiting:
            case Awaiting.HEAD if waited > self._limits.head_seconds:
                self._all.head_late.note(client=self.client, seconds=self._limits.head_seconds)
                self._end_with(_too_late("head", self._limits.head_seconds))
            case Awaiting.BODY if waited > self._limits.body_seconds:
                self._all.body_late.note(
                    client=self.client, path=self._path, seconds=self._limits.body_seconds
                )
                self._end_with(_too_late("body", self._limits.body_seconds))
            case Awaiting.NEXT_REQUEST if waited > self._limits.idle_seconds:
                self.transport.close()
            case _:
                pass

    def shutdown(self) -> None:
        """Let the request that is under way finish, or answer it before the process ends."""
        super().shutdown()
        self.loop.call_later(ANSWER_WITHIN_SECONDS, self._answer_before_the_end)

    def _answer_before_the_end(self) -> None:
        if self._active is None or self._active.response_started or self.transport.is_closing():
            return
        error = ServiceStopping(
            "this process ends, and the request may have been carried out; send it again, with "
            "its Idempotency-Key if it has one"
        )
        self.transport.write(response_bytes(error, self._path))
        self.transport.close()

    def idle_since(self) -> float | None:
        """Return since when it waits for its next request, None if it does not."""
        is_idle = self._awaiting is Awaiting.NEXT_REQUEST and not self.transport.is_closing()
        return self._since if is_idle else None

    def close(self) -> None:
        """Close the connection once all that was written is sent."""
        self.transport.close()

    @property
    def _is_reading_head(self) -> bool:
        """Whether the input belongs to a head, which may be sent early."""
        return self._in_head or self._awaiting is Awaiting.HEAD

    @property
    def _path(self) -> str:
        return str((self.scope or {}).get("path", ""))

    def _is_response_stalled(self, now: float) -> bool:
        """Whether bytes are unsent, and the client has read none for too long.

        A large part of a response is written at once; a slow client may need longer for it
        than the deadline.
        """
        unsent_bytes = self.transport.get_write_buffer_size()
        if not unsent_bytes or unsent_bytes < self._unsent_bytes:
            self._read_at = now
        self._unsent_bytes = unsent_bytes
        return now - self._read_at > self._limits.stall_seconds

    def _end_with(self, error: DomainError) -> None:
        """Send the error, unless a response has begun, and close the connection."""
        begun = self._active is not None and self._active.response_started
        sent_anything = self._awaiting is Awaiting.BODY or self._in_head
        if sent_anything and not begun and not self.transport.is_closing():
            self.transport.write(response_bytes(error, self._path if self._active else ""))
        self.transport.close()


def _too_late(part: str, seconds: float) -> RequestTimeout:
    return RequestTimeout(
        f"the {part} of the request did not arrive within {seconds:g} seconds"
    )
