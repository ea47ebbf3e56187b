"""GET /metrics for Prometheus: metrics from the database, and the recording of requests."""

import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any, ClassVar

import psycopg
import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from apps.api.http.middleware import Middleware
from apps.api.http.views import ApiView, Errors, operation
from apps.api.openapi.errors import AUTHENTICATION_ERRORS, DATABASE_ERRORS
from apps.interaction.commands import INTERVIEWS
from apps.metrics import definitions
from apps.metrics.definitions import Definition, MetricKind
from apps.metrics.exposition import exposed, is_admitted, is_from_scraper
from apps.metrics.instruments import record_request
from apps.metrics.totals import model_call_totals, turn_totals
from apps.simulation import queries

CONNECTION_SECONDS_MAX = 2.0
"""The time that a scrape waits for the database; scrapers wait 10 seconds by default."""

Samples = Iterable[tuple[tuple[str, ...], float]]
logger = structlog.get_logger(__name__)


class DatabaseMetrics(Collector):
    """Reads the metrics once per scrape; without a database there is one, which says so."""

    def collect(self) -> list[Metric]:
        """Return the metrics."""
        try:
            _ensure_connection()
            found = [_family(*one) for one in _read(timezone.now())]
        except (InterfaceError, OperationalError, psycopg.OperationalError) as error:
            logger.warning("metrics without the database", reason=str(error))
            return [_family(definitions.DATABASE_UP, 0)]
        return [_family(definitions.DATABASE_UP, 1), *found]


def _ensure_connection() -> None:
    """Check that the pool gives a working connection soon.

    :raises PoolTimeout: if it has none within CONNECTION_SECONDS_MAX. It would let an ordinary
        query wait for as long as a request may.
    """
    pool: Any = connection.pool  # type: ignore[attr-defined]  # PostgreSQL's
    pool.open()
    with pool.connection(timeout=CONNECTION_SECONDS_MAX) as found:
        found.execute("SELECT 1")


def _read(now: datetime) -> Iterator[tuple[Definition, Samples | float]]:
    yield (
        definitions.SIMULATIONS,
        [((status,), count) for status, count in queries.simulations_by_status().items()],
    )
    totals = turn_totals()
    yield definitions.COMMITTED_TICKS, queries.committed_ticks() + totals.deleted_ticks
    yield definitions.TURNS_COMPLETED, totals.completed
    yield definitions.TURNS_FAILED, totals.failed
    yield definitions.PACE_LAG, queries.pace_lag_seconds(now)
    turns = queries.turn_counts()
    oldest = turns.oldest_sent_at or now
    yield definitions.TURN_QUEUE_LENGTH, turns.sent
    yield definitions.TURN_QUEUE_AGE, max(0.0, (now - oldest).total_seconds())
    yield definitions.TURNS_RUNNING, turns.taken
    yield definitions.PENDING_COMMANDS, queries.pending_commands()
    yield definitions.WAITING_INTERVIEWS, len(INTERVIEWS.ids())
    yield from _model_calls()


def _model_calls() -> Iterator[tuple[Definition, Samples]]:
    totals = list(model_call_totals())
    yield (
        definitions.MODEL_CALLS,
        [((one.server, one.model, one.task, one.outcome), one.calls) for one in totals],
    )
    by_task: dict[tuple[str, ...], list[float]] = {}
    for one in totals:
        sums = by_task.setdefault((one.server, one.model, one.task), [0, 0, 0, 0, 0])
        sums[0] += one.retries
        sums[1] += one.prompt_tokens
        sums[2] += one.completion_tokens
        sums[3] += float(one.cost)
        sums[4] += one.cached_prompt_tokens
    yield definitions.MODEL_RETRIES, [(on, sums[0]) for on, sums in by_task.items()]
    yield (
        definitions.MODEL_TOKENS,
        [
            ((*on, kind), sums[place])
            for on, sums in by_task.items()
            for place, kind in ((1, "prompt"), (2, "completion"))
        ],
    )
    yield definitions.MODEL_CACHED_TOKENS, [(on, sums[4]) for on, sums in by_task.items()]
    yield definitions.MODEL_COST, [(on, sums[3]) for on, sums in by_task.items()]


def _family(definition: Definition, samples: Samples | float) -> Metric:
    """Return the metric; a number is the one sample of a metric without labels."""
    kind = CounterMetricFamily if definition.kind is MetricKind.COUNTER else GaugeMetricFamily
    family: Any = kind(definition.name, definition.meaning, labels=tuple(definition.labels))
    for labels, value in [((), samples)] if isinstance(samples, int | float) else samples:
        family.add_metric(labels, value)
    metric: Metric = family
    return metric


class Metrics(ApiView):
    """Metrics for this machine, for the scraper's token, and for administrators."""

    address = ""
    errors: ClassVar[Errors] = (*AUTHENTICATION_ERRORS, PermissionDenied, *DATABASE_ERRORS)
    permission_classes = (AllowAny,)
    throttle_classes = ()

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Return the authenticators: none if the request is admitted without an account.

        The database, which has the accounts, may be down.
        """
        # There is no request while the OpenAPI document is generated.
        request: HttpRequest | None = self.request
        if request is not None and is_admitted(request.META):
            # Any token but the scraper's is checked, also from this machine.
            shows_token = "HTTP_AUTHORIZATION" in request.META
            if is_from_scraper(request.META) or not shows_token:
                return []
        return super().get_authenticators()

    @operation("getMetrics", "/metrics", "operation", {(200, "text/plain"): str})
    def get(self, request: Request) -> HttpResponse:
        """Show metrics for Prometheus, in its text format or OpenMetrics.

        For requests from this machine, for the bearer token of the setting METRICS_TOKEN, and
        for administrators. docs/reference/metrics.md lists the metrics. If the database does
        not answer, `smallville_database_up` is 0 and the metrics that are read from it are
        missing.
        """
        if not is_admitted(request.META):
            user = request.user
            if not user.is_authenticated:
                raise NotAuthenticated
            if not (isinstance(user, User) and user.is_superuser):
                raise PermissionDenied(
                    "the metrics of the service are for administrators, and for the scraper's "
                    "token (METRICS_TOKEN)"
                )
        accepts: str = request.headers.get("Accept", "")
        text, media_type = exposed(accepts, DatabaseMetrics())
        return HttpResponse(text, content_type=media_type)


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
