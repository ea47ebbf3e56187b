"""Whether the service and its database live."""

from http import HTTPStatus
from typing import Any

import psycopg
from django.db import connection
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.base import ApiView
from apps.api.fields import Choice

CONNECT_SECONDS = 2


class HealthReport(serializers.Serializer[Any]):
    """Whether the service can do its work."""

    status = Choice(choices=["ok", "unavailable"])
    database = Choice(choices=["ok", "unavailable"])


class Health(ApiView):
    """Open to everybody: it tells nothing but whether the service lives."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()

    @extend_schema(
        operation_id="getHealth",
        summary="Whether the service and its database live",
        tags=["operation"],
        responses={200: HealthReport, 503: HealthReport},
    )
    def get(self, _request: Request) -> Response:
        """Say how the service is."""
        answers = database_answers()
        word = "ok" if answers else "unavailable"
        status = HTTPStatus.OK if answers else HTTPStatus.SERVICE_UNAVAILABLE
        return Response({"status": word, "database": word}, status=status)


def database_answers() -> bool:
    """Return whether the database answers soon, on a connection outside the pool.

    The pool would wait for half a minute before it says that there is none.
    """
    parameters = dict(connection.get_connection_params())
    for name in ("cursor_factory", "context", "prepare_threshold", "pool"):
        parameters.pop(name, None)
    try:
        with psycopg.connect(**parameters | {"connect_timeout": CONNECT_SECONDS}) as asked:
            asked.execute("SELECT 1")
    except psycopg.Error:
        return False
    return True
