"""The tables of an experiment as files: CSV, and Parquet if the package duckdb is installed."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from decimal import Decimal
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import NoneType
from typing import Any, get_args, get_type_hints
from uuid import UUID

from apps.archives.parquet import ensure_parquet_available, json_line, write_parquet_file
from apps.experiments.queries import RunLine
from apps.experiments.results import ResultSummary, ResultValue
from apps.work.rows import WorkState

Row = ResultValue | ResultSummary | RunLine
_SQL_TYPES: Mapping[type, str] = {
    str: "VARCHAR",
    WorkState: "VARCHAR",
    UUID: "VARCHAR",
    bool: "BOOLEAN",
    int: "BIGINT",
    float: "DOUBLE",
    Decimal: "DOUBLE",
    datetime: "TIMESTAMP",
}


def csv_lines(rows: Sequence[Row], kind: type[Row]) -> Iterator[str]:
    """Yield the lines of a CSV table with a head; nothing stands for no value.

    Numbers are written with all their digits, so that equal results give equal bytes.
    """
    names = columns_of(kind)
    yield _line(names)
    for row in rows:
        values = asdict(row)
        yield _line([_text(values[name]) for name in names])


def columns_of(kind: type[Row]) -> list[str]:
    """Return the names of the columns."""
    return [field.name for field in fields(kind) if field.name != "number"]


def write_csv(rows: Sequence[Row], kind: type[Row], path: Path) -> None:
    """Write the table to a file."""
    path.write_text("".join(csv_lines(rows, kind)), encoding="utf-8", newline="")


def write_parquet(rows: Sequence[Row], kind: type[Row], path: Path) -> None:
    """Write the table to a Parquet file, whose columns have the types of `sql_types_of`.

    :raises ParquetUnavailable: if the package duckdb is not installed.
    """
    ensure_parquet_available()
    names = columns_of(kind)
    lines = (json_line({name: getattr(row, name) for name in names}) for row in rows)
    write_parquet_file(lines, sql_types_of(kind), path)


def parquet_bytes(rows: Sequence[Row], kind: type[Row]) -> bytes:
    """Return the bytes of `write_parquet`.

    :raises ParquetUnavailable: if the package duckdb is not installed.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        write_parquet(rows, kind, path)
        return path.read_bytes()


def sql_types_of(kind: type[Row]) -> dict[str, str]:
    """Return the SQL types of the columns by name.

    They are those of the fields and not of the values, so that the tables of all experiments
    can be read as one, also if a column has no value or whole numbers only.
    """
    hints = get_type_hints(kind)
    return {name: _sql_type(hints[name]) for name in columns_of(kind)}


def _sql_type(hint: Any) -> str:
    """Return the SQL type of a field; every column may have no value."""
    [one] = [part for part in get_args(hint) or (hint,) if part is not NoneType]
    return _SQL_TYPES[one]


def _line(values: Sequence[str]) -> str:
    buffer = StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(values)
    return buffer.getvalue()


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.isoformat()
    return repr(value) if isinstance(value, float) else str(value)
