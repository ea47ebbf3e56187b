"""Notifications between processes by PostgreSQL's NOTIFY, without content."""

from typing import Any
from uuid import uuid4

import psycopg
import structlog
from django.conf import settings
from django.db import connection

from apps.embedded_postgres.environment import read_database_url

_TEST_CHANNEL = "smallville_test"
_TEST_SECONDS = 1.0
_NOT_FOR_PSYCOPG = ("cursor_factory", "context", "prepare_threshold", "pool")

logger = structlog.get_logger(__name__)


def notify(channel: str, about: str) -> None:
    """Notify the channel at the commit of the transaction; immediately outside of one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [channel, about])


def listening_parameters() -> dict[str, Any]:
    """Return the parameters of psycopg for a listener's connection outside of the pool."""
    if settings.DATABASE_LISTEN_URL != settings.DATABASE_URL:
        return {**read_database_url(settings.DATABASE_LISTEN_URL)}
    return _parameters_of_database()


def _parameters_of_database() -> dict[str, Any]:
    parameters: dict[str, Any] = connection.get_connection_params()
    for name in _NOT_FOR_PSYCOPG:
        parameters.pop(name, None)
    return parameters


def notifications_arrive() -> bool:
    """Return whether a notification arrives at the address where this process would listen.

    A pooler that gives each transaction another connection drops all of them, without an error.

    :raises psycopg.Error: if the database does not answer.
    """
    sent = uuid4().hex
    with (
        psycopg.connect(**listening_parameters(), autocommit=True) as listening,
        psycopg.connect(**_parameters_of_database(), autocommit=True) as notifying,
    ):
        listening.execute(f"LISTEN {_TEST_CHANNEL}")
        notifying.execute("SELECT pg_notify(%s, %s)", [_TEST_CHANNEL, sent])
        arrived = any(
            notification.payload == sent
            for notification in listening.notifies(timeout=_TEST_SECONDS, stop_after=1)
        )
    if not arrived:
        logger.warning(
            "a pooler drops the notifications of the database, so each turn waits for seconds: "
            "set DATABASE_LISTEN_URL to the address of PostgreSQL itself"
        )
    return arrived
