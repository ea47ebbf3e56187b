"""Reads at most so many bytes, whatever a file says of its size."""

from typing import IO


def read_at_most(file: IO[bytes], bytes_max: int) -> bytes | None:
    """Return what is left of a file, None if that is more than `bytes_max` bytes.

    No more than one byte beyond is held: devices and files that grow state no size, and packed
    ones another than they have.
    """
    content = file.read(bytes_max + 1)
    return content if len(content) <= bytes_max else None
