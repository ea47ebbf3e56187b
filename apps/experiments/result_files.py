"""The tables of an experiment as files: CSV, and Parquet if the package duckdb is installed."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

from apps.archives.parquet import ensure_parquet_available
from apps.experiments.queries import RunLine
from apps.experiments.results import ResultSummary, ResultValue

Row = ResultValue | ResultSummary | RunLine


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


def write_parquet_of_csv(source: Path, target: Path) -> None:
    """Write the table of a CSV file as Parquet, with the types that its values have.

    :raises ParquetUnavailable: if the package duckdb is not installed.
    """
    ensure_parquet_available()
    import duckdb  # noqa: PLC0415 (optional)

    with duckdb.connect() as database:
        relation = database.read_csv(str(source), header=True, sample_size=-1)
        relation.write_parquet(str(target), compression="zstd")


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
