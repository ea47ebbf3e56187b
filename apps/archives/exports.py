"""Exports of a history for other programs, as files in a folder or a ZIP file (V5).

They are read-only: only an archive can be imported. All are as of the committed tick.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path

from apps.archives.concordia_log import concordia_files
from apps.archives.exported_file import ExportedFile
from apps.archives.inspect_scout import scout_files
from apps.archives.parquet import ensure_parquet_available, parquet_files
from apps.archives.sotopia import sotopia_files
from apps.archives.streamed_zip import StreamedZip
from apps.history import SimulationRow
from apps.kernel.followed_items import followed


class ExportFormat(StrEnum):
    """The formats of exports besides archives."""

    PARQUET = "parquet"
    INSPECT_SCOUT = "inspect-scout"
    CONCORDIA_LOG = "concordia-log"
    SOTOPIA = "sotopia"


_FILES: Mapping[ExportFormat, Callable[[SimulationRow], Iterator[ExportedFile]]] = {
    ExportFormat.PARQUET: parquet_files,
    ExportFormat.INSPECT_SCOUT: scout_files,
    ExportFormat.CONCORDIA_LOG: concordia_files,
    ExportFormat.SOTOPIA: sotopia_files,
}
_OF_PARQUET_FILES = {ExportFormat.PARQUET, ExportFormat.INSPECT_SCOUT}


def ensure_available(form: ExportFormat) -> None:
    """Check that what the format needs is installed.

    :raises ParquetUnavailable: if the optional package duckdb is not.
    """
    if form in _OF_PARQUET_FILES:
        ensure_parquet_available()


def write_folder(row: SimulationRow, form: ExportFormat, folder: Path) -> list[Path]:
    """Write the files of an export into the folder; return their paths.

    :raises ParquetUnavailable: see `ensure_available`.
    """
    ensure_available(form)
    paths = []
    for file in followed(_FILES[form](row), "file"):
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as target:
            target.writelines(file.pieces)
        paths.append(path)
    return paths


def write_zip(row: SimulationRow, form: ExportFormat) -> Iterator[bytes]:
    """Yield the bytes of a ZIP file with the files of an export.

    :raises ParquetUnavailable: see `ensure_available`.
    """
    ensure_available(form)
    target = StreamedZip()
    for file in _FILES[form](row):
        yield from target.add(file.name, file.pieces)
    yield from target.close()
