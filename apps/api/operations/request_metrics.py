"""Recording of every HTTP request for the metrics."""

import re
import time
from contextlib import suppress
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve

from apps.api.http.middleware import Middleware
from apps.metrics.instruments import record_request

STATIC, UNMATCHED, OTHER_METHOD = "static", "unmatched", "OTHER"
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
_CATCH_ALL = "^api/"
_CONVERTED = re.compile(r"<(?:\w+:)?(\w+)>")


class RequestMetrics(Middleware):
    """Records method, route, status and duration; the first middleware, so of all requests.

    No label holds anything that a client may choose freely, or the series had no bound.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, having recorded the request."""
        started_at = time.perf_counter()
        response = self._get_response(request)
        method = str(request.method)
        record_request(
            method=method if method in METHODS else OTHER_METHOD,
            route=route_of(request),
            status=response.status_code,
            seconds=time.perf_counter() - started_at,
        )
        return response


def route_of(request: HttpRequest) -> str:
    """Return the template of the request's path, as "/api/v1/simulations/{simulation}"."""
    if request.resolver_match is None and request.path.startswith(settings.STATIC_URL):
        return STATIC
    match = request.resolver_match
    if match is None:  # a middleware has answered before the request was resolved
        with suppress(Resolver404):
            match = resolve(request.path_info)
    return _template(match.route) if match and match.route != _CATCH_ALL else UNMATCHED


@lru_cache(maxsize=1_000)
def _template(route: str) -> str:
    return "/" + _CONVERTED.sub(r"{\1}", route)
