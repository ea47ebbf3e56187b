"""A name for every request, in its answer and in each line logged on its behalf."""

import re
from collections.abc import Callable
from uuid import uuid4

import structlog
from django.http import HttpRequest, HttpResponseBase

HEADER = "X-Request-ID"
_USABLE = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestId:
    """Keeps the name that a proxy gave the request, or gives one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Keep what comes after."""
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Name the request and answer it."""
        given = request.headers.get(HEADER, "")
        name = given if _USABLE.fullmatch(given) else uuid4().hex
        with structlog.contextvars.bound_contextvars(request=name):
            response = self._get_response(request)
        response.headers[HEADER] = name
        return response
