"""Writes the tables of a history as Parquet files, for pandas and DuckDB (V5).

DuckDB converts the rows. It is an optional package: requirements-parquet.txt.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from apps.archives.exported_file import ExportedFile, pieces_of
from apps.archives.exports import EXPORTERS
from apps.archives.tables import TABLES, TableRow
from apps.kernel.errors import DomainError
from apps.simulation import queries
from apps.simulation.models import SimulationRow

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


@EXPORTERS.register(
    "parquet",
    description="Tables of events, memories, conversations, utterances and model calls as "
    "Parquet files.",
    ensure_available=ensure_parquet_available,
)
def parquet_files(row: SimulationRow) -> Iterator[ExportedFile]:
    """Yield a file for each table, as of the committed tick."""
    tick, calendar = row.committed_tick, queries.calendar_of(row.pk)
    with TemporaryDirectory() as folder:
        for table in TABLES:
            path = Path(folder) / f"{table.name}.parquet"
            rows = table.rows(row.pk, calendar, tick)
            write_parquet_file(map(json_line, rows), table.columns, path)
            yield ExportedFile(name=path.name, pieces=pieces_of(path))


def json_line(values: TableRow) -> str:
    """Return the row as a line of JSON."""
    return f"{json.dumps(values, default=str)}\n"


def write_parquet_file(lines: Iterable[str], columns: Mapping[str, str], target: Path) -> None:
    """Write lines of JSON as a Parquet file with these columns and their types in SQL."""
    import duckdb  # noqa: PLC0415 (optional)

    source = target.with_suffix(".jsonl")
    try:
        with source.open("w", encoding="utf-8") as file:
            file.writelines(lines)
        named = ", ".join(f"{_quoted(name)}: '{kind}'" for name, kind in columns.items())
        statement = _WRITE.format(
            source=_quoted(str(source)), columns=f"{{{named}}}", target=_quoted(str(target))
        )
        with duckdb.connect() as database:
            database.execute(statement)
    finally:
        source.unlink(missing_ok=True)


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
