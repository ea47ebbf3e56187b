"""GET /health, answered before the host of a request is validated: probes use any name."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Choice, Serializer
from apps.api.http.middleware import Middleware
from apps.api.http.views import OpenView, operation
from apps.api.operations.health_check import HEALTH, Status, Word

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
