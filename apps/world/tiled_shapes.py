"""The parts of a Tiled 1.10 JSON map that the loader uses.

Fields that say how the map looks in Tiled or on screen are left out. Fields that change where
something lies are read, or refused by `tiled`.
"""

import base64
import binascii
import zlib
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

_MINOR_VERSION_MIN = 6
_Finite = Annotated[float, Field(allow_inf_nan=False)]


def _supported(version: str | float) -> str | float:
    major, _, minor = str(version).partition(".")
    is_number = minor.isascii() and minor.isdigit()
    if major != "1" or not is_number or int(minor) < _MINOR_VERSION_MIN:
        raise ValueError(f"{version!r} is not a supported format")
    return version


class _Tiled(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class TiledProperty(_Tiled):
    """A custom property."""

    name: str
    value: object = None


class TiledPoint(_Tiled):
    """A corner of a polygon, in pixels from the object's origin."""

    x: _Finite
    y: _Finite


class TiledObject(_Tiled):
    """A shape on an object layer; positions and sizes are in pixels.

    A field that is none of these, such as that of a new form, is in `model_extra`.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    id: int
    name: str = ""
    x: _Finite
    y: _Finite
    width: _Finite = 0
    height: _Finite = 0
    rotation: _Finite = 0
    point: bool = False
    ellipse: bool = False
    gid: int | None = None
    text: object = None
    polygon: tuple[TiledPoint, ...] | None = None
    polyline: tuple[TiledPoint, ...] | None = None
    template: str | None = None
    properties: tuple[TiledProperty, ...] = ()
    # These say nothing about where it lies.
    type: object = None
    class_: Annotated[object, Field(alias="class")] = None
    visible: object = None
    opacity: object = None

    @property
    def path(self) -> str:
        """The path of the node: the property "path", else the name."""
        for custom in self.properties:
            if custom.name == "path" and isinstance(custom.value, str):
                return custom.value
        return self.name


class TiledLayer(_Tiled):
    """A layer of any kind; `offsetx` and `offsety` are in pixels, those of its groups included.

    `x` and `y` were a position in tiles in old versions of Tiled, and are 0 since.
    """

    name: str
    type: Literal["tilelayer", "objectgroup", "imagelayer", "group"]
    width: int | None = None
    height: int | None = None
    encoding: str = "csv"
    compression: str = ""
    data: tuple[int, ...] | str | None = None
    objects: tuple[TiledObject, ...] = ()
    layers: tuple["TiledLayer", ...] = ()
    offsetx: _Finite = 0
    offsety: _Finite = 0
    parallaxx: _Finite = 1
    parallaxy: _Finite = 1
    x: int = 0
    y: int = 0

    def flattened(self, within: "TiledLayer | None" = None) -> tuple["TiledLayer", ...]:
        """Return the layer, or the layers in it if it is a group, with the offsets of both."""
        moved = self if within is None else self.model_copy(update=_moved(self, within))
        if self.type != "group":
            return (moved,)
        return tuple(inner for layer in self.layers for inner in layer.flattened(moved))


class TiledTileset(_Tiled):
    """A tileset, embedded or in a file of its own (`source`)."""

    firstgid: Annotated[int, Field(ge=1)] = 1
    source: str | None = None
    image: str | None = None
    tilecount: Annotated[int, Field(ge=0)] = 0


class TiledMap(_Tiled):
    """A whole map; sizes are in tiles, tile sizes in pixels."""

    version: Annotated[str | float, AfterValidator(_supported)]
    orientation: Literal["orthogonal"]
    infinite: Literal[False] = False
    width: Annotated[int, Field(ge=1, le=1_000)]
    height: Annotated[int, Field(ge=1, le=1_000)]
    tilewidth: Annotated[int, Field(ge=1, le=1_000)]
    tileheight: Annotated[int, Field(ge=1, le=1_000)]
    layers: tuple[TiledLayer, ...]
    tilesets: tuple[TiledTileset, ...] = ()

    def layers_of(self, kind: str) -> tuple[TiledLayer, ...]:
        """Return the layers of the kind, groups opened, in the order of the file."""
        opened = (inner for layer in self.layers for inner in layer.flattened())
        return tuple(layer for layer in opened if layer.type == kind)

    def layers_named(self, name: str, kind: str) -> tuple[TiledLayer, ...]:
        """Return the layers of that name and kind, in the order of the file."""
        return tuple(layer for layer in self.layers_of(kind) if layer.name == name)


def _moved(layer: TiledLayer, group: TiledLayer) -> dict[str, float]:
    return {
        "offsetx": layer.offsetx + group.offsetx,
        "offsety": layer.offsety + group.offsety,
        "parallaxx": layer.parallaxx * group.parallaxx,
        "parallaxy": layer.parallaxy * group.parallaxy,
        "x": layer.x + group.x,
        "y": layer.y + group.y,
    }


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
