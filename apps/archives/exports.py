"""Exports of a history for other programs, as a ZIP file (V5).

They are read-only: only an archive can be imported. All are as of the committed tick.
"""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from apps.django_support.function_registry import Registry
from apps.history import SimulationRow
from apps.kernel.errors import DomainError
from apps.kernel.followed_items import followed

PIECE_BYTES = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFile:
    """A file with its path inside the export.

    The pieces are to be read before the next file of the export is asked for.
    """

    name: str
    pieces: Iterator[bytes]


def chunks_of(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file."""
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            yield piece


def pieces_of(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, and delete it at its end."""
    yield from chunks_of(path)
    path.unlink()


# The time of all members, so that the same content is the same file.
_TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMember:
    """A member that was written: its bytes, their sha256, and the number of pieces."""

    bytes: int
    sha256: str
    pieces: int


class StreamedZip:
    """A ZIP file of members that are written one after the other.

    The methods yield the bytes of the file, so that no more than a piece of it is in memory.
    """

    def __init__(self) -> None:
        self._sink = _Sink()
        self._zip = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_DEFLATED)  # type: ignore[call-overload]
        self.members: dict[str, WrittenMember] = {}

    def add(self, name: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Write a member of these pieces."""
        digest, size, count = sha256(), 0, 0
        info = zipfile.ZipInfo(name, _TIME)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o644 << 16
        with self._zip.open(info, "w", force_zip64=True) as member:
            for piece in pieces:
                member.write(piece)
                digest.update(piece)
                size, count = size + len(piece), count + 1
                if self._sink.size >= PIECE_BYTES:
                    yield self._sink.take()
        self.members[name] = WrittenMember(bytes=size, sha256=digest.hexdigest(), pieces=count)

    def close(self) -> Iterator[bytes]:
        """Write the end of the file."""
        self._zip.close()
        yield self._sink.take()


class _Sink:
    """A file that cannot be read or rewound: it holds what was not yet taken."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.size = 0

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        self.size += len(part)
        return len(part)

    def flush(self) -> None:
        """Do nothing: there is nothing below."""

    def take(self) -> bytes:
        """Return what was written since."""
        taken = b"".join(self._parts)
        self._parts, self.size = [], 0
        return taken


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
