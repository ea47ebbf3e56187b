"""The numbers of a Tiled tile layer: plain arrays, or base64 with zlib or gzip."""

import base64
import binascii
import zlib

from apps.world.tiled_shapes import TiledLayer

GID_MASK = 0x0FFF_FFFF  # the four bits above say how a tile is flipped
_BYTES_PER_TILE = 4
_WINDOW_BITS = {"zlib": zlib.MAX_WBITS, "gzip": zlib.MAX_WBITS | 16}


class Undecodable(ValueError):
    """The data of a tile layer cannot be read."""


def tile_numbers(layer: TiledLayer, count: int) -> tuple[int, ...]:
    """Return the layer's tile numbers (gid without flips), row by row, 0 for no tile.

    :raises Undecodable: if their packing is unknown, or their number is not `count`.
    """
    if isinstance(layer.data, str):
        numbers = _unpacked(layer, layer.data, count)
    else:
        numbers = layer.data or ()
    if len(numbers) != count:
        raise Undecodable(f"has {len(numbers)} tiles instead of {count}")
    return tuple(number & GID_MASK for number in numbers)


def _unpacked(layer: TiledLayer, data: str, count: int) -> tuple[int, ...]:
    if layer.encoding != "base64":
        raise Undecodable(f"is encoded as {layer.encoding!r}")
    try:
        packed = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Undecodable("is no whole base64 text") from error
    raw = _inflated(packed, layer.compression, count * _BYTES_PER_TILE)
    return tuple(
        int.from_bytes(raw[start : start + _BYTES_PER_TILE], "little")
        for start in range(0, len(raw), _BYTES_PER_TILE)
    )


def _inflated(packed: bytes, compression: str, size: int) -> bytes:
    """Return the unpacked bytes, at most `size` + 1, as a guard against compression bombs."""
    if not compression:
        return packed[: size + 1]
    bits = _WINDOW_BITS.get(compression)
    if bits is None:
        raise Undecodable(f"is compressed with {compression!r}")
    try:
        return zlib.decompressobj(wbits=bits).decompress(packed, size + 1)
    except zlib.error as error:
        raise Undecodable(f"is no whole {compression} data") from error
