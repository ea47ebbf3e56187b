"""The service as an ASGI application: bounded bodies, and one thread a request."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import django
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.exceptions import APIException, AuthenticationFailed, NotAuthenticated

from apps.access.tokens import has_token_shape
from apps.api.http.request_errors import BodyTooLarge
from apps.kernel.errors import DomainError

LINGER_SECONDS = 5.0
LINGER_BYTES_MAX = 64_000_000
"""After a rejection so much of the body is read and dropped, so that a client that sends all
of it before it reads receives the response instead of a connection reset."""
CHALLENGE = 'Bearer realm="smallville"'
_ERROR = "smallville.body_error"
_API = "/api/"
IMPORTS = ("/api/v1/imports", "/api/v1/imports/estimate")
SCHEME = "bearer"
_UNUSABLE = "the header shows no token; `manage.py issue_token` makes one"

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
BodyError = DomainError | APIException


class RequestBodyLimit:
    """An ASGI application that passes on requests whose bodies are within bounds."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with its body bounded."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        body = _BoundedBody(scope, receive, send)
        await self._application(scope, body.receive, body.send)


def body_error_of(scope: Scope) -> BodyError | None:
    """Return the error of a rejected body, None for other requests."""
    found: BodyError | None = scope.get(_ERROR)
    return found


class _BoundedBody:
    """The body of one request, and the response to it."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        headers = dict(scope["headers"])
        scheme, _, shown = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        self._token = shown.strip() if scheme.lower() == SCHEME else None
        self._waits_for_continue = headers.get(b"expect", b"").lower() == b"100-continue"
        bytes_max = body_bytes_max(scope["path"].removeprefix(settings.URL_PREFIX))
        cookie = headers.get(b"cookie", b"").decode("latin-1")
        has_session = f"{settings.SESSION_COOKIE_NAME}=" in cookie
        if not (has_session or (self._token is not None and has_token_shape(self._token))):
            # Authentication cannot succeed.
            bytes_max = min(bytes_max, int(settings.ANONYMOUS_REQUEST_BYTES_MAX))
        self._bytes_max = bytes_max
        self._bytes_read = 0
        self._is_complete = False
        self._is_handed_over = False
        # The HTTP parser has rejected a length that is no number.
        declared = int(headers.get(b"content-length", b"0"))
        if declared > self._bytes_max:
            self._reject(declared)

    async def receive(self) -> Message:
        """Return the next part of the body; an empty last one once the body is rejected."""
        if not self._is_rejected:
            message = await self._receive()
            self._count(message)
            if self._bytes_read <= self._bytes_max:
                return message
            self._reject(self._bytes_read)
        if self._is_handed_over:
            # The handler waits for a disconnect. It is cancelled after its response;
            # the rest of the body belongs to `send`.
            await asyncio.Event().wait()
        self._is_handed_over = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: Message) -> None:
        """Send a part of the response; read the rest of a rejected body before the last one."""
        is_last = message["type"] == "http.response.body" and not message.get("more_body")
        if not (self._is_rejected and is_last):
            await self._send(message)
            return
        await self._send({**message, "more_body": True})
        await self._drop_rest()
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    @property
    def _is_rejected(self) -> bool:
        return _ERROR in self._scope

    def _reject(self, size: int) -> None:
        self._scope[_ERROR] = _error(self._scope["path"], self._token, size)

    def _count(self, message: Message) -> None:
        self._bytes_read += len(message.get("body", b""))
        self._is_complete = not message.get("more_body")

    async def _drop_rest(self) -> None:
        if self._waits_for_continue and not self._bytes_read:
            return  # the client sends the body only after an interim response
        try:
            async with asyncio.timeout(LINGER_SECONDS):
                while not self._is_complete and self._bytes_read < LINGER_BYTES_MAX:
                    self._count(await self._receive())
        except TimeoutError:
            return


def body_bytes_max(path: str) -> int:
    """Return how many bytes a request to the path may send with a user."""
    if path.rstrip("/") in IMPORTS:
        return int(settings.IMPORT_BYTES_MAX)
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)


def _error(path: str, token: str | None, size: int) -> BodyError:
    """Return the error: the size, or the missing user of a request of that size."""
    bytes_max = body_bytes_max(path)
    if size > bytes_max:
        return BodyTooLarge(f"the body is longer than {bytes_max:,} bytes; send less")
    if not path.startswith(_API):
        anonymous_max = int(settings.ANONYMOUS_REQUEST_BYTES_MAX)
        return BodyTooLarge(f"without a session a body has at most {anonymous_max:,} bytes")
    error = NotAuthenticated() if token is None else AuthenticationFailed(_UNUSABLE)
    # As the framework does for the errors of its views.
    setattr(error, "auth_header", CHALLENGE)  # noqa: B010
    return error


class OneThreadHandler(ASGIHandler):
    """Runs middleware and view in one go; what an async view would gain, it loses."""

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002 (Django's signature)
        """Load it to be called synchronously."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Answer in the thread that is this request's own."""
        return await sync_to_async(self.get_response_and_release)(request)

    def get_response_and_release(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and return the connection to the pool before the client reads the answer.

        Django itself returns it after the last byte, which a client can put off forever.
        """
        try:
            return self.get_response(request)
        finally:
            close_old_connections()


def application() -> RequestBodyLimit:
    """Return the service as an ASGI application."""
    django.setup(set_prefix=False)
    return RequestBodyLimit(OneThreadHandler())
