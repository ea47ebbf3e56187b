"""PostgreSQL's NOTIFY as a doorbell between processes: there is news, and none of it."""

from typing import Any

from django.db import connection

_NOT_FOR_PSYCOPG = ("cursor_factory", "context", "prepare_threshold", "pool")


def ring(channel: str, about: str) -> None:
    """Ring when the transaction commits; at once outside of one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [channel, about])


def listening_parameters() -> dict[str, Any]:
    """Return what psycopg connects with outside of the pool: who listens keeps a connection."""
    parameters: dict[str, Any] = connection.get_connection_params()
    for name in _NOT_FOR_PSYCOPG:
        parameters.pop(name, None)
    return parameters
