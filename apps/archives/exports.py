"""Exports of a history for other programs, as a ZIP file (V5).

They are read-only: only an archive can be imported. All are as of the committed tick.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from apps.archives.streamed_zip import ExportedFile, StreamedZip
from apps.django_support.function_registry import Registry
from apps.history import SimulationRow
from apps.kernel.errors import DomainError
from apps.kernel.followed_items import followed


class ExporterUnknown(DomainError):
    """There is no exporter of that name; `GET /exporters` lists them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporter:
    """Yields the files of a history up to the committed tick.

    `ensure_available` raises an error if what it needs is not installed.
    """

    name: str
    description: str
    function: Callable[[SimulationRow], Iterator[ExportedFile]]
    ensure_available: Callable[[], None] = lambda: None


EXPORTERS = Registry(
    "exporter", Exporter, "apps.archives.history_tables", unknown=ExporterUnknown
)


def write_zip(row: SimulationRow, exporter: Exporter) -> Iterator[bytes]:
    """Yield the bytes of a ZIP file with the files of an export.

    :raises DomainError: see `Exporter`.
    """
    exporter.ensure_available()
    target = StreamedZip()
    for file in followed(exporter.function(row), "file"):
        yield from target.add(file.name, file.pieces)
    yield from target.close()
