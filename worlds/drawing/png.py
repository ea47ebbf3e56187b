"""PNG files by zlib alone: writes pictures of 8-bit RGBA, and reads back what it wrote."""

import struct
import zlib
from pathlib import Path

import numpy
from numpy.typing import NDArray

Picture = NDArray[numpy.uint8]  # height x width x 4 (red, green, blue, alpha)

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGBA = 6
_LEVEL = 9


def write_png(path: Path, picture: Picture) -> None:
    """Write the picture."""
    height, width, _ = picture.shape
    header = struct.pack(">IIBBBBB", width, height, 8, _RGBA, 0, 0, 0)
    rows = b"".join(b"\x00" + row.tobytes() for row in picture)  # 0: the row is unfiltered
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, _LEVEL)), (b"IEND", b""))
    path.write_bytes(_SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks))


def read_png(path: Path) -> Picture:
    """Return the picture in a file that `write_png` wrote.

    :raises ValueError: if the file is another kind of PNG.
    """
    content = path.read_bytes()
    width, height = struct.unpack(">II", content[16:24])
    packed, place = b"", len(_SIGNATURE)
    while place < len(content):
        (length,) = struct.unpack(">I", content[place : place + 4])
        if content[place + 4 : place + 8] == b"IDAT":
            packed += content[place + 8 : place + 8 + length]
        place += length + 12
    rows = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, -1)
    if rows.shape[1] != width * 4 + 1 or rows[:, 0].any():
        raise ValueError(f"{path.name} was not written by this module")
    return rows[:, 1:].reshape(height, width, 4).copy()


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)
