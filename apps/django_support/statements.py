"""Executes SQL statements, for the queries of every turn.

Building a query from models takes about ten times as long as executing it.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import psycopg
from django.db import connection
from psycopg.types.numeric import Int8Dumper

Values = Mapping[str, Any]
_VALUE = re.compile(r"%\((\w+)\)s")


def rows_of(statement: str, values: Values) -> list[tuple[Any, ...]]:
    """Return the rows of the statement; JSON is text."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def prepared_rows_of(statement: str, values: Values) -> list[tuple[Any, ...]]:
    """Return the rows of a statement that the server plans once for a connection.

    For long statements, which take longer to plan than to execute. All integers are sent in
    one type, so that there is one plan for small and large ones.
    """
    numbered, names = _numbered(statement)
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.RawCursor(connection.connection) as cursor:
        cursor.adapters.register_dumper(int, Int8Dumper)
        cursor.execute(numbered, [values[name] for name in names], prepare=True)
        return cursor.fetchall()


@cache
def _numbered(statement: str) -> tuple[str, tuple[str, ...]]:
    """Return the statement with the server's numbers for its values, and their names."""
    names = tuple(dict.fromkeys(_VALUE.findall(statement)))
    numbers = {name: f"${number}" for number, name in enumerate(names, start=1)}
    numbered = _VALUE.sub(lambda found: numbers[found[1]], statement)
    return numbered.replace("%%", "%"), names


def carry_out(statement: str, values: Values) -> int:
    """Execute the statement; return the number of rows that it wrote."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        written: int = cursor.rowcount
    return written
