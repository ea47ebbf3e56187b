"""A file of an export: its name, and its bytes as they are made."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

READ_BYTES = 65_536


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
        while piece := file.read(READ_BYTES):
            yield piece


def pieces_of(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, and delete it at its end."""
    yield from chunks_of(path)
    path.unlink()
