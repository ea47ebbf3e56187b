"""Notifications between processes by PostgreSQL's NOTIFY, without content."""

from typing import Any

from django.db import connection

_NOT_FOR_PSYCOPG = ("cursor_factory", "context", "prepare_threshold", "pool")


def notify(channel: str, about: str) -> None:
    """Notify the channel at the commit of the transaction; immediately outside of one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [channel, about])


def listening_parameters() -> dict[str, Any]:
    """Return the parameters of psycopg for a listener's connection outside of the pool."""
    parameters: dict[str, Any] = connection.get_connection_params()
    for name in _NOT_FOR_PSYCOPG:
        parameters.pop(name, None)
    return parameters
