"""Tables as CSV (U9) and as Parquet, for pandas, DuckDB and spreadsheets (V5).

DuckDB writes Parquet. It is an optional package: requirements-parquet.txt.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import NoneType
from typing import Any, get_args, get_type_hints
from uuid import UUID

from apps.kernel.errors import DomainError

TEXT, NUMBER, TIME, FLAG = "VARCHAR", "BIGINT", "TIMESTAMP", "BOOLEAN"
TEXTS, NUMBERS, FRACTION = "VARCHAR[]", "INTEGER[]", "DOUBLE"
# What spreadsheets take for the beginning of a formula, in full width too.
_FORMULA_SIGNS = frozenset("=+-@＝＋－＠")  # noqa: RUF001 (meant as they stand)
_FORMULA_SPACES = frozenset("\t\r\n")
APOSTROPHE = "'"
_SQL_TYPES: Mapping[type, str] = {
    str: TEXT,
    UUID: TEXT,
    bool: FLAG,
    int: NUMBER,
    float: FRACTION,
    Decimal: FRACTION,
    datetime: TIME,
}
# The statement gets the paths and columns as literals: COPY takes no parameters.
_WRITE = """
COPY (
    SELECT * FROM read_json({source}, format = 'newline_delimited', columns = {columns},
        maximum_object_size = 100000000)
) TO {target} (FORMAT parquet, COMPRESSION zstd)
"""


class ParquetUnavailable(DomainError):
    """Parquet needs the package duckdb; install requirements-parquet.txt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of plain values by column; `columns` have their types in SQL."""

    name: str
    columns: Mapping[str, str]
    rows: Iterable[Mapping[str, Any]]


def table_of(name: str, kind: type, rows: Iterable[Any]) -> Table:
    """Return the table of values of a dataclass, without their `number`.

    The types are those of the fields and not of the values, so that several tables can be read
    as one, also if a column has no value or whole numbers only. Every column may have no value.
    """
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind) if field.name != "number"]
    return Table(
        name=name,
        columns={column: _sql_type(hints[column]) for column in names},
        rows=({column: getattr(row, column) for column in names} for row in rows),
    )


def csv_text(table: Table) -> str:
    """Return the table as CSV with a line of names.

    Numbers are written with all their digits, so that equal results give equal bytes.
    """
    lines = (csv_line([cell(row[name]) for name in table.columns]) for row in table.rows)
    return "".join([csv_line(list(table.columns)), *lines])


def csv_line(cells: Sequence[str]) -> str:
    """Return the line of a CSV table after RFC 4180."""
    written = io.StringIO(newline="")
    csv.writer(written).writerow(cells)
    return written.getvalue()


def cell(value: object) -> str:
    """Return a value as a cell that no spreadsheet calculates with; lists are JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return without_formula(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def without_formula(text: str) -> str:
    """Return the text, with an apostrophe before it if it could be taken for a formula.

    The text without a leading apostrophe is the original one.
    """
    begins = text[:1] in _FORMULA_SPACES or text.lstrip()[:1] in _FORMULA_SIGNS
    return f"{APOSTROPHE}{text}" if begins or text.startswith(APOSTROPHE) else text


def ensure_parquet_available() -> None:
    """Check that the optional package is installed.

    :raises ParquetUnavailable: if it is not.
    """
    if find_spec("duckdb") is None:
        raise ParquetUnavailable


def parquet_bytes(table: Table) -> bytes:
    """Return the table as a Parquet file.

    :raises ParquetUnavailable: if the package duckdb is not installed.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        write_parquet(table, path)
        return path.read_bytes()


def write_parquet(table: Table, target: Path) -> None:
    """Write the table as a Parquet file.

    :raises ParquetUnavailable: if the package duckdb is not installed.
    """
    ensure_parquet_available()
    import duckdb  # noqa: PLC0415 (optional)

    source = target.with_suffix(".jsonl")
    try:
        with source.open("w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(row, default=str)}\n" for row in table.rows)
        named = ", ".join(f"{_quoted(name)}: '{kind}'" for name, kind in table.columns.items())
        statement = _WRITE.format(
            source=_quoted(str(source)), columns=f"{{{named}}}", target=_quoted(str(target))
        )
        with duckdb.connect() as database:
            database.execute(statement)
    finally:
        source.unlink(missing_ok=True)


def _sql_type(hint: Any) -> str:
    [one] = [part for part in get_args(hint) or (hint,) if part is not NoneType]
    return next(sql for kind, sql in _SQL_TYPES.items() if issubclass(one, kind))


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
