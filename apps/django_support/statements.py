"""Executes SQL statements, for the queries of every turn.

Building a query from models takes about ten times as long as executing it.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Self

import psycopg
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg.types.numeric import Int8Dumper

Values = Mapping[str, Any]
_VALUE = re.compile(r"%\((\w+)\)s")


def rows_of(statement: str, values: Values) -> list[tuple[Any, ...]]:
    """Return the rows of a statement that the server plans once for a connection; JSON is text.

    Planning takes longer than executing. All integers are sent in one type, so that there is
    one plan for small and large ones.
    """
    with _reading_cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _reading_cursor() -> CursorWrapper:
    """Return a cursor that plans once; one of Django's where statements are logged as sent."""
    if connection.queries_logged:
        return connection.cursor()
    connection.ensure_connection()
    return CursorWrapper(_PlanningCursor(connection.connection), connection)


class _PlanningCursor(psycopg.RawCursor[Any]):
    """Executes statements with named values, numbered as the server plans them."""

    def execute(self, statement: str, values: Values) -> Self:  # type: ignore[override]
        """Execute a statement."""
        self.adapters.register_dumper(int, Int8Dumper)
        numbered, names = _numbered(statement)
        return super().execute(numbered, [values[name] for name in names])


def carry_out(statement: str, values: Values) -> int:
    """Execute the statement; return the number of rows that it wrote."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        written: int = cursor.rowcount
    return written


@cache
def _numbered(statement: str) -> tuple[str, tuple[str, ...]]:
    """Return the statement with the server's numbers for its values, and their names."""
    names = tuple(dict.fromkeys(_VALUE.findall(statement)))
    numbers = {name: f"${number}" for number, name in enumerate(names, start=1)}
    numbered = _VALUE.sub(lambda found: numbers[found[1]], statement)
    return numbered.replace("%%", "%"), names


def discard_interrupted_connection() -> None:
    """Close this thread's connection, outside of a transaction; the next query opens another.

    psycopg cancels a query that it waits for, but not one whose answer it reads when the
    interruption arrives: the connection then refuses all other queries.
    """
    if not connection.in_atomic_block:
        connection.close()


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
