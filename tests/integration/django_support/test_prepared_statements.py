"""Statements that are planned once for a connection: same rows, one plan."""

import pytest
from django.db import connection
from django.db.utils import DataError

from apps.django_support.statements import prepared_rows_of, rows_of

pytestmark = pytest.mark.django_db
STATEMENT = """
    SELECT %(name)s::text || ' 100%%', number FROM generate_series(1, 3) AS number
    WHERE number * %(most)s <= %(most)s * %(most)s AND number = ANY(%(numbers)s)
    ORDER BY number
"""


@pytest.mark.parametrize("most", [2, 40_000, 3_000_000_000])
def test_the_rows_are_those_of_an_ordinary_statement(most: int) -> None:
    values = {"name": "Una", "most": most, "numbers": [1, 2, 5]}
    found = prepared_rows_of(STATEMENT, values)
    assert found == [("Una 100%", 1), ("Una 100%", 2)]
    assert found == rows_of(STATEMENT, values)


def test_there_is_one_plan_for_small_and_large_integers() -> None:
    for most in (2, 40_000, 3_000_000_000):
        prepared_rows_of(STATEMENT, {"name": "Una", "most": most, "numbers": [1]})
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        plans = [statement for (statement,) in cursor if "generate_series" in statement]
    assert len(plans) == 1


def test_an_error_of_the_server_is_one_of_django() -> None:
    with pytest.raises(DataError):
        prepared_rows_of("SELECT 1 / %(number)s", {"number": 0})
