"""Middleware: request ids, bounds on heads, security headers, logins, compression."""

import math
import re
import zlib
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import ClassVar, cast
from uuid import uuid4

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string

from apps.api.http.asgi import BodyError, body_error_of
from apps.api.http.authentication import AddressRateLimit
from apps.api.http.problems import problem_of, problem_response
from apps.api.http.request_errors import AddressTooLong, HeadersTooLarge
from apps.kernel.errors import DomainError

REQUEST_ID = "X-Request-ID"
CONTENT_SECURITY_POLICY = "Content-Security-Policy"
_USABLE = re.compile(r"[A-Za-z0-9._-]{1,64}")
_API, _ADMIN, _LOGIN = "/api/", "/admin/", "/admin/login/"
# No response of the API is a page that loads anything.
_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_POLICY_OF_ADMIN = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
_PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class Middleware:
    """A synchronous middleware; subclasses call `_get_response`."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response


class RequestId(Middleware):
    """Takes the request id that a proxy has set, or makes one."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Bind the id to the log lines of the request."""
        given = request.headers.get(REQUEST_ID, "")
        name = given if _USABLE.fullmatch(given) else uuid4().hex
        with structlog.contextvars.bound_contextvars(request=name):
            response = self._get_response(request)
        response.headers[REQUEST_ID] = name
        return response


class SecurityHeaders(Middleware):
    """Adds the headers that restrict pages in browsers; a view may set stricter ones."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response with the headers."""
        response = self._get_response(request)
        policy = _POLICY_OF_ADMIN if request.path_info.startswith(_ADMIN) else _POLICY
        response.headers.setdefault(CONTENT_SECURITY_POLICY, policy)
        response.headers.setdefault("Permissions-Policy", _PERMISSIONS)
        response.headers.setdefault("X-Frame-Options", settings.X_FRAME_OPTIONS)
        if request.path_info.startswith(_API):
            # A response belongs to its user: shared caches must not store it.
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


class RequestSizeLimits(Middleware):
    """Rejects addresses, headers and bodies that are too long.

    `apps.api.http.asgi` has measured the body while it arrived; under WSGI the parser does.
    """

    ADDRESS_BYTES_MAX: ClassVar[int] = 8_192
    HEADER_BYTES_MAX: ClassVar[int] = 32_768

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response to a request within the bounds, else the error."""
        body_error = body_error_of(getattr(request, "scope", {}))
        if body_error is not None:
            response = _error_response(body_error, request)
            # The rest of the body must not be parsed as the next request.
            response.headers["Connection"] = "close"
            response.headers["Content-Length"] = str(len(response.content))
            return response
        error = self._size_error(request)
        if error is not None:
            return _error_response(error, request)
        return self._get_response(request)

    def _size_error(self, request: HttpRequest) -> DomainError | None:
        meta = request.META
        address = len(str(meta.get("PATH_INFO", ""))) + len(str(meta.get("QUERY_STRING", "")))
        if address > self.ADDRESS_BYTES_MAX:
            return AddressTooLong(f"an address has at most {self.ADDRESS_BYTES_MAX:,} bytes")
        headers = sum(
            len(name) + len(str(value))
            for name, value in meta.items()
            if name.startswith("HTTP_")
        )
        if headers > self.HEADER_BYTES_MAX:
            return HeadersTooLarge(f"headers have at most {self.HEADER_BYTES_MAX:,} bytes")
        return None


class LoginLimit(Middleware):
    """Limits the logins of an address to settings.LOGIN_RATE_MAX."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, or reject a login over the rate."""
        if request.method == "POST" and request.path_info == _LOGIN and settings.LOGIN_RATE_MAX:
            rate = AddressRateLimit("LOGIN_RATE_MAX")
            if not rate.allows(request):
                return HttpResponse(
                    "Too many tries to log in from this address; wait, and try again.",
                    status=429,
                    content_type="text/plain; charset=utf-8",
                    headers={"Retry-After": str(max(1, math.ceil(rate.wait() or 0)))},
                )
        return self._get_response(request)


def _error_response(error: BodyError, request: HttpRequest) -> HttpResponse:
    problem = problem_of(error)
    assert problem is not None, "every such error has a problem"
    return problem_response(problem, request.path)


BYTES_MIN = 1_000
"""A smaller body fits one packet either way."""
PADDING_BYTES_MAX = 100
"""As in Django, after the paper "Heal the BREACH" (2022)."""
_MEDIA_TYPES = frozenset(
    {
        "application/javascript",
        "application/json",
        "application/problem+json",
        "application/x-ndjson",
        "image/svg+xml",
        "text/css",
        "text/csv",
        "text/html",
        "text/javascript",
        "text/plain",
        "application/openmetrics-text",
    }
)
_WHOLE = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.PARTIAL_CONTENT, HTTPStatus.NOT_MODIFIED})
_GZIP = zlib.MAX_WBITS | 16


class Compression(Middleware):
    """Compresses what is text and worth it, for clients that accept gzip.

    Not compressed:

    - Server-Sent Events, which are no listed media type: a block must not wait for others.
    - A response with a strong ETag. The ETag stands for exactly these bytes, and If-Match takes
      no weak one; such resources are small.
    - Pages of the admin: they hold secrets of a session beside text of a request, which is what
      the attack BREACH needs. All others get padding of random length.

    Django's GZipMiddleware would do none of this, and holds streamed parts back.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, compressed if it can be."""
        response = self._get_response(request)
        if not _is_compressible(request, response):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if accepts_gzip(request.headers.get("Accept-Encoding", "")):
            _compress(response)
        return response


def accepts_gzip(header: str) -> bool:
    """Return whether a header Accept-Encoding names gzip with a weight above zero."""
    for coding in header.split(","):
        name, _, parameters = coding.partition(";")
        if name.strip().lower() == "gzip":
            weight = parameters.replace(" ", "").lower().removeprefix("q=")
            return weight.strip("0.") != "" or not weight
    return False


def _is_compressible(request: HttpRequest, response: HttpResponseBase) -> bool:
    if request.path_info.startswith(_ADMIN) or response.status_code in _WHOLE:
        return False
    if response.has_header("Content-Encoding"):
        return False
    media_type = response.get("Content-Type", "").partition(";")[0].strip().lower()
    if media_type not in _MEDIA_TYPES:
        return False
    if isinstance(response, HttpResponse):
        has_strong_etag = response.get("ETag", "").startswith('"')
        return len(response.content) >= BYTES_MIN and not has_strong_etag
    # Of a file the length is known; of what is made as it is sent, it is not.
    return int(response.get("Content-Length", str(BYTES_MIN))) >= BYTES_MIN


def _compress(response: HttpResponseBase) -> None:
    if isinstance(response, HttpResponse):
        content = compress_string(response.content, max_random_bytes=PADDING_BYTES_MAX)
        if len(content) >= len(response.content):
            return
        response.content = content
        response.headers["Content-Length"] = str(len(content))
    elif isinstance(response, StreamingHttpResponse):
        # Only streams of events are made asynchronously; their media type is not listed.
        parts = cast("Iterator[bytes]", response.streaming_content)
        response.streaming_content = _compressed(parts)
        # A file keeps Last-Modified, by which it can be revalidated as well.
        for name in ("Content-Length", "ETag", "Accept-Ranges"):
            response.headers.pop(name, None)
    response.headers["Content-Encoding"] = "gzip"


def _compressed(parts: Iterator[bytes]) -> Iterator[bytes]:
    compressor = zlib.compressobj(wbits=_GZIP)
    for part in parts:
        # The client can read all of the part at once.
        yield compressor.compress(part) + compressor.flush(zlib.Z_SYNC_FLUSH)
    yield compressor.flush()
