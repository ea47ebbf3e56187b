"""Middleware: request ids, bounds on heads, security headers, the rate of logins."""

import math
import re
from collections.abc import Callable
from typing import ClassVar
from uuid import uuid4

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from apps.api.http.body_limit import BodyError, body_error_of
from apps.api.http.problems import problem_of, problem_response
from apps.api.http.rate_limits import AddressRateLimit
from apps.api.http.request_errors import AddressTooLong, HeadersTooLarge
from apps.kernel.errors import DomainError

HEADER = "X-Request-ID"
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
        given = request.headers.get(HEADER, "")
        name = given if _USABLE.fullmatch(given) else uuid4().hex
        with structlog.contextvars.bound_contextvars(request=name):
            response = self._get_response(request)
        response.headers[HEADER] = name
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

    `apps.api.http.body_limit` has measured the body while it arrived; under WSGI the parser
    does.
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
