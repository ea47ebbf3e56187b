"""The database connection after an interruption, such as by Ctrl-C."""

from django.db import connection


def discard_interrupted_connection() -> None:
    """Close this thread's connection, outside of a transaction; the next query opens another.

    psycopg cancels a query that it waits for, but not one whose answer it reads when the
    interruption arrives: the connection then refuses all other queries.
    """
    if not connection.in_atomic_block:
        connection.close()
