"""Executes SQL statements, for the queries of every turn.

Building a query from models takes about ten times as long as executing it.
"""

from collections.abc import Mapping
from typing import Any

from django.db import connection

Values = Mapping[str, Any]


def rows_of(statement: str, values: Values) -> list[tuple[Any, ...]]:
    """Return the rows of the statement; JSON is text."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def carry_out(statement: str, values: Values) -> int:
    """Execute the statement; return the number of rows that it wrote."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        written: int = cursor.rowcount
    return written
