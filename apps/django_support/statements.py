"""SQL written by hand, for what every turn asks and writes.

Building a query from models costs some ten times what sending it does.
"""

from collections.abc import Mapping
from typing import Any

from django.db import connection

Values = Mapping[str, Any]


def rows_of(statement: str, values: Values) -> list[tuple[Any, ...]]:
    """Return the rows that the statement yields; JSON comes as text."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def carry_out(statement: str, values: Values) -> int:
    """Return how many rows the statement has written."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        written: int = cursor.rowcount
    return written
