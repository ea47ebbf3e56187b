"""Statements that are planned once for a connection: same rows, one plan."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.db.utils import DataError
from django.test.utils import CaptureQueriesContext

from apps.django_support.statements import rows_of

pytestmark = pytest.mark.django_db
STATEMENT = """
    SELECT %(name)s::text || ' 100%%', number FROM generate_series(1, 3) AS number
    WHERE number * %(most)s <= %(most)s * %(most)s AND number = ANY(%(numbers)s)
    ORDER BY number
"""


@pytest.mark.parametrize("most", [2, 40_000, 3_000_000_000])
def test_integers_of_any_size_give_the_same_rows(most: int) -> None:
    values = {"name": "Una", "most": most, "numbers": [1, 2, 5]}
    assert rows_of(STATEMENT, values) == [("Una 100%", 1), ("Una 100%", 2)]


def test_whoever_observes_the_connection_sees_the_statement() -> None:
    seen: list[tuple[object, ...]] = []

    def note(execute: Callable[..., object], *request: object) -> object:
        seen.append(request[:2])
        return execute(*request)

    values = {"number": 1}
    with connection.execute_wrapper(note):
        assert rows_of("SELECT %(number)s::int", values) == [(1,)]
    assert seen == [("SELECT %(number)s::int", values)]
    with CaptureQueriesContext(connection) as captured:
        assert rows_of("SELECT %(number)s::int", values) == [(1,)]
    assert [query["sql"] for query in captured] == ["SELECT 1::int"]


def test_there_is_one_plan_for_small_and_large_integers() -> None:
    for most in (2, 40_000, 3_000_000_000):
        rows_of(STATEMENT, {"name": "Una", "most": most, "numbers": [1]})
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        plans = [statement for (statement,) in cursor if "generate_series" in statement]
    assert len(plans) == 1


def test_an_error_of_the_server_is_one_of_django() -> None:
    with pytest.raises(DataError):
        rows_of("SELECT 1 / %(number)s", {"number": 0})
