"""GET /health, from a check that is at most a second old.

However many clients ask at once, one check is made, on a connection outside the pool. The pool
would let a check wait half a minute before it reports that the database is unavailable. The
request is answered before its host is validated: probes use any name.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as CheckTimeout
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from http import HTTPStatus
from typing import Any

import psycopg
import structlog
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections
from django.http import HttpRequest, HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Choice, Serializer
from apps.api.http.middleware import Middleware
from apps.api.http.views import OpenView, operation
from apps.django_support.heartbeat import lapse_limit
from apps.django_support.notify import notifications_arrive
from apps.simulation.models import ProcessRow
from apps.simulation.queries import process_seen_at

MAX_AGE_SECONDS = 1.0
CHECK_SECONDS = 3.0
"""A check that takes longer counts as a database that does not answer."""
CONNECT_SECONDS = 2
NOTIFICATIONS_SECONDS = 60.0
"""The time after which notifications that did not arrive are tried again."""

logger = structlog.get_logger(__name__)


class Word(StrEnum):
    """The health of a part of the service; UNKNOWN without the database, which records it."""

    OK = "ok"
    UNAVAILABLE = "unavailable"
    UNKNOWN = "unknown"


class Status(StrEnum):
    """The health of the service; DEGRADED if it answers, but simulations do not advance."""

    OK = "ok"
    DEGRADED = "degraded"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceHealth:
    """The result of a check."""

    database: Word
    worker: Word
    scheduler: Word
    notifications: Word
    web: Word = Word.OK

    @property
    def status(self) -> Status:
        """Whether requests can be answered, and simulations advance.

        A missing worker or scheduler does not make the web process unready: while one of them
        restarts, a load balancer must not take the web processes out of service.
        """
        if self.database is not Word.OK:
            return Status.UNAVAILABLE
        if (self.worker, self.scheduler) != (Word.OK, Word.OK):
            return Status.DEGRADED
        return Status.OK


NO_DATABASE = ServiceHealth(
    database=Word.UNAVAILABLE,
    worker=Word.UNKNOWN,
    scheduler=Word.UNKNOWN,
    notifications=Word.UNKNOWN,
)


class HealthCheck:
    """The latest result of a check; made again when it is needed and older than a second."""

    def __init__(
        self,
        check: Callable[[], ServiceHealth],
        *,
        patience: float,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._check = check
        self._seconds = seconds
        self._patience = patience
        self._lock = threading.Lock()
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._running: Future[ServiceHealth] | None = None
        self._started_at = 0.0
        self._latest: ServiceHealth | None = None
        self._checked_at = 0.0

    def latest(self) -> ServiceHealth:
        """Return a result that is at most a second old; concurrent callers share one check."""
        with self._lock:
            now = self._seconds()
            if self._latest is not None and now - self._checked_at <= MAX_AGE_SECONDS:
                return self._latest
            if self._running is None:
                self._started_at = now
                self._running = self._executor.submit(self._run)
            running, left = self._running, self._started_at + self._patience - now
        try:
            return running.result(max(0.0, left))
        except CheckTimeout:
            return NO_DATABASE

    def _run(self) -> ServiceHealth:
        try:
            result = self._check()
        except Exception:
            # For example without file descriptors: the report says so, and checks go on.
            logger.exception("health check failed")
            result = NO_DATABASE
        with self._lock:
            self._latest, self._checked_at = result, self._seconds()
            self._running = None
        return result


def check_service() -> ServiceHealth:
    """Ask the database, on a connection outside the pool that is closed again."""
    pooled = connections[DEFAULT_DB_ALIAS]
    connection = pooled.copy()
    options = connection.settings_dict["OPTIONS"]
    options.pop("pool", None)
    options |= {
        "connect_timeout": CONNECT_SECONDS,
        "tcp_user_timeout": round(CHECK_SECONDS * 1_000),
    }
    connections[DEFAULT_DB_ALIAS] = connection  # of this thread
    try:
        return ServiceHealth(
            database=Word.OK,
            worker=_alive(process_seen_at(ProcessRow.Kind.WORKER)),
            scheduler=_alive(process_seen_at(ProcessRow.Kind.SCHEDULER)),
            notifications=_NOTIFICATIONS.word(),
        )
    except (DatabaseError, InterfaceError, psycopg.Error) as error:
        logger.warning("health check: no answer from the database", error=str(error))
        return NO_DATABASE
    finally:
        connection.close()
        connections[DEFAULT_DB_ALIAS] = pooled


def _alive(seen_at: datetime | None) -> Word:
    return Word.OK if seen_at is not None and seen_at >= lapse_limit() else Word.UNAVAILABLE


class _Notifications:
    """Whether notifications arrive: tried until they do, then known for the process."""

    def __init__(self) -> None:
        self._word = Word.UNKNOWN
        self._tried_at = 0.0

    def word(self) -> Word:
        now = time.monotonic()
        is_due = self._word is Word.UNKNOWN or now - self._tried_at > NOTIFICATIONS_SECONDS
        if self._word is not Word.OK and is_due:
            self._word = Word.OK if notifications_arrive() else Word.UNAVAILABLE
            self._tried_at = now
        return self._word


_NOTIFICATIONS = _Notifications()
HEALTH = HealthCheck(check_service, patience=CHECK_SECONDS)
"""The check of this process."""


PATH = "/health"
_WORDS = [word.value for word in Word]


class HealthProbe(Middleware):
    """Middleware that answers probes of the service's health itself."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Respond to a probe, or pass the request on."""
        if request.path_info != PATH:
            return self._get_response(request)
        response: Any = Health.as_view()(request)
        if isinstance(response, Response):
            response.render()
        health: HttpResponseBase = response
        return health


class HealthReport(Serializer):
    """The health of the service."""

    status = Choice(
        choices=[status.value for status in Status],
        help_text="`unavailable` (503) without the database. `degraded` (200): requests are "
        "answered, but no simulation advances, because there is no worker or no scheduler.",
    )
    web = Choice(choices=_WORDS, help_text="The process that answers.")
    database = Choice(choices=_WORDS)
    worker = Choice(
        choices=_WORDS,
        help_text="`ok` while at least one worker process is alive and has reached the queue; "
        "`unknown` without the database.",
    )
    scheduler = Choice(
        choices=_WORDS,
        help_text="`ok` while a scheduler process is alive; `unknown` without the database.",
    )
    notifications = Choice(
        choices=_WORDS,
        help_text="`unavailable` if a pooler drops the notifications of the database: each "
        "turn waits for seconds until DATABASE_LISTEN_URL names PostgreSQL itself.",
    )


class Health(OpenView):
    """The health of each part of the service; it needs no account."""

    address = ""

    @operation("getHealth", "/health", "operation", {200: HealthReport, 503: HealthReport})
    def get(self, request: Request) -> Response:
        """Show the health of web, database, worker and scheduler, at most one second old."""
        health = HEALTH.latest()
        is_ready = health.status is not Status.UNAVAILABLE
        return Response(
            self.represent(HealthReport, health),
            status=HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE,
            headers={"Cache-Control": "no-store"},
        )
