"""Transactions that return before they are on disk, for rows that can be made again."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def asynchronous_commit() -> Iterator[None]:
    """Run the block in a transaction that does not wait for the disk when it commits.

    It is atomic and isolated like any other. If the database server crashes within about half
    a second it may be lost as a whole, but none that was committed before it and waited for the
    disk. That is right for claims, heartbeats and clocks, which processes read or write again
    after an outage, and wrong for the log.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit TO off")
        yield
