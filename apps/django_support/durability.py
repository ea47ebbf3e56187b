"""Transactions with asynchronous commit, for rows that can be written again."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def asynchronous_commit() -> Iterator[None]:
    """Run the block in a transaction whose commit does not wait for the disk.

    It is atomic and isolated like any other. If the database server crashes within about half
    a second, it may be lost as a whole; earlier synchronous commits are not. This suits claims,
    heartbeats and clocks, which processes write again after an outage, but not the log.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit TO off")
        yield
