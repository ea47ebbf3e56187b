"""The tables of an experiment as Parquet: types of columns that depend on no value."""

from dataclasses import fields, replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import pytest

from apps.experiments.queries import RunLine
from apps.experiments.results import ResultSummary, ResultValue
from apps.reports.tables import table_of, write_parquet
from apps.work.rows import WorkState

pytestmark = pytest.mark.unit

CELL: dict[str, Any] = {
    "world": "smallville",
    "settings": "standard",
    "model": "default",
    "intervention": "none",
    "seed": 1,
}
VALUE = ResultValue(
    number=1,
    experiment="small",
    **CELL,
    moment=datetime(2023, 2, 13, 12),
    tick=4_320,
    measure="plans.begun_share",
    value=0.25,
)
RUN = RunLine(
    number=1,
    key="smallville/standard/default/none/1",
    **CELL,
    is_measured=True,
    state=WorkState.DONE,
    simulation=UUID(int=7),
    parent=None,
    fork_tick=None,
    committed_tick=60,
    until_tick=60,
    measured_moments=1,
    problem="",
    estimated_calls=1,
    estimated_tokens=2,
    estimated_cost=Decimal("0.5"),
    calls=1,
    tokens=2,
    cost=Decimal("0.25"),
)


def read_table(path: Path, rows: list[Any], kind: Any) -> tuple[dict[str, str], list[Any]]:
    """Write the rows, and return the types of the columns by name, and the rows as read."""
    write_parquet(table_of("one", kind, rows), path / "table.parquet")
    with duckdb.connect() as database:
        read = database.read_parquet(str(path / "table.parquet"))
        types = [str(one) for one in read.types]
        return dict(zip(read.columns, types, strict=True)), read.fetchall()


class TestTypes:
    @pytest.mark.parametrize(
        "changes",
        [{"value": None}, {"value": 3.0}, {"settings": "2023-02-13"}, {"model": "4"}],
        ids=["no value", "a whole number", "a level like a date", "a level like a number"],
    )
    def test_are_the_same_whatever_the_values_are(
        self, tmp_path: Path, changes: dict[str, Any]
    ) -> None:
        usual, _ = read_table(tmp_path, [VALUE], ResultValue)
        types, [row] = read_table(tmp_path, [replace(VALUE, **changes)], ResultValue)
        assert types == usual
        [(name, value)] = changes.items()
        assert row[list(types).index(name)] == value

    def test_are_the_same_without_rows(self, tmp_path: Path) -> None:
        types, rows = read_table(tmp_path, [], ResultValue)
        assert (types, rows) == (read_table(tmp_path, [VALUE], ResultValue)[0], [])

    @pytest.mark.parametrize("kind", [ResultValue, ResultSummary, RunLine])
    def test_are_known_of_all_columns(self, tmp_path: Path, kind: Any) -> None:
        types, _ = read_table(tmp_path, [], kind)
        assert list(types) == [one.name for one in fields(kind) if one.name != "number"]


class TestRuns:
    def test_are_read_with_their_values(self, tmp_path: Path) -> None:
        types, [row] = read_table(tmp_path, [RUN], RunLine)
        read = dict(zip(types, row, strict=True))
        assert (read["simulation"], read["parent"]) == (str(UUID(int=7)), None)
        assert (read["is_measured"], read["state"]) == (True, "done")
        assert (read["estimated_cost"], read["cost"]) == (0.5, 0.25)
        assert (types["cost"], types["tokens"]) == ("DOUBLE", "BIGINT")

    def test_and_values_are_joined_by_columns_of_one_type(self, tmp_path: Path) -> None:
        runs, _ = read_table(tmp_path, [RUN], RunLine)
        values, [value] = read_table(tmp_path, [VALUE], ResultValue)
        shared = runs.keys() & values.keys()
        assert {"world", "settings", "model", "intervention", "seed"} <= shared
        assert all(runs[name] == values[name] for name in shared)
        assert value[list(values).index("moment")] == datetime(2023, 2, 13, 12)
