"""Writes the tables of a history as Parquet files, for pandas and DuckDB (V5).

DuckDB converts the rows. It is an optional package: requirements-parquet.txt.
"""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from apps.archives.streamed_zip import StreamedZip
from apps.archives.tables import TABLES, Table
from apps.kernel.errors import DomainError
from apps.simulation import queries
from apps.simulation.models import SimulationRow

READ_BYTES = 65_536

# The statement gets the paths and columns as literals: COPY takes no parameters.
_WRITE = """
COPY (
    SELECT * FROM read_json({source}, format = 'newline_delimited', columns = {columns},
        maximum_object_size = 100000000)
) TO {target} (FORMAT parquet, COMPRESSION zstd)
"""


class ParquetUnavailable(DomainError):
    """Parquet needs the package duckdb; install requirements-parquet.txt."""

    code: ClassVar[str] = "parquet-unavailable"


def ensure_parquet_available() -> None:
    """Check that the optional package is installed.

    :raises ParquetUnavailable: if it is not.
    """
    if find_spec("duckdb") is None:
        raise ParquetUnavailable


def write_parquet(row: SimulationRow, folder: Path) -> list[Path]:
    """Write a file for each table into the folder, as of the committed tick.

    :raises ParquetUnavailable: if the package duckdb is not installed.
    """
    ensure_parquet_available()
    return [_write_table(row, table, folder) for table in TABLES]


def write_parquet_zip(row: SimulationRow) -> Iterator[bytes]:
    """Yield the bytes of a ZIP file with the files of all tables.

    :raises ParquetUnavailable: if the package duckdb is not installed.
    """
    file = StreamedZip()
    with TemporaryDirectory() as name:
        for table in TABLES:
            path = _write_table(row, table, Path(name))
            yield from file.add(path.name, _pieces(path))
            path.unlink()
    yield from file.close()


def _write_table(row: SimulationRow, table: Table, folder: Path) -> Path:
    import duckdb  # noqa: PLC0415 (optional)

    tick, calendar = row.settled_tick, queries.calendar_of(row.pk)
    source, target = folder / f".{table.name}.jsonl", folder / f"{table.name}.parquet"
    try:
        with source.open("w", encoding="utf-8") as lines:
            for values in table.rows(row.pk, calendar, tick):
                lines.write(f"{json.dumps(values, default=str)}\n")
        columns = ", ".join(
            f"{_quoted(name)}: '{kind}'" for name, kind in table.columns.items()
        )
        statement = _WRITE.format(
            source=_quoted(str(source)), columns=f"{{{columns}}}", target=_quoted(str(target))
        )
        with duckdb.connect() as database:
            database.execute(statement)
    finally:
        source.unlink(missing_ok=True)
    return target


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(READ_BYTES):
            yield piece


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
