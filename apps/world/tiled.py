"""Reads a Tiled JSON map: free tiles, shapes on object layers, tilesets and images (W8)."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from pydantic import ValidationError

from apps.kernel.strict_yaml import read_at_most
from apps.world.problems import Findings
from apps.world.reading import read_json
from apps.world.tile_map import Tile
from apps.world.tiled_shapes import (
    TiledLayer,
    TiledMap,
    TiledObject,
    TiledTileset,
    Undecodable,
    tile_numbers,
)

COLLISION = "collision"
AREAS, OBJECTS, DOORS = "areas", "objects", "doors"
LAYERS = (COLLISION, AREAS, OBJECTS, DOORS)
_EXPORT = "save it with Tiled 1.10 as a JSON map file"
_HINTS = {
    "orientation": "set the map's Orientation to Orthogonal",
    "infinite": "clear Infinite in the map's properties",
}
_ADD = {
    "tilelayer": "add a tile layer of that name with any tile wherever one cannot walk",
    "objectgroup": "add an object layer of that name",
}
_PACKING = "choose CSV, or base64 with zlib or gzip, as Tile Layer Format of the map"
_FILE_NAME = re.compile(r"[\w .()/-]{1,100}")
IMAGE_BYTES_MAX = 20_000_000
_BESIDE = "keep it in the world's folder, beside map.json"


_Corner = tuple[float, float]
_FORMS = "draw it as an upright rectangle, a polygon or a point on the map"
_DETACH = "detach the template: in Tiled, right-click the object and choose Detach"


class NoRegion(ValueError):
    """The shape covers no tiles of the map, or is not supported; `hint` says what to do."""

    def __init__(self, what: str, hint: str = _FORMS) -> None:
        self.hint = hint
        super().__init__(what)


def tiles_under(
    drawn: TiledObject, on: TiledMap, *, offset: tuple[float, float] = (0, 0)
) -> tuple[Tile, ...]:
    """Return the tiles under a shape, row by row; `offset` is that of its layer, in pixels.

    :raises NoRegion: if the shape is no upright rectangle, polygon or point, covers no tile,
        or extends beyond the map.
    """
    _check_form(drawn)
    corners = _corners(drawn, on, offset)
    if not all(0 <= x <= on.width and 0 <= y <= on.height for x, y in corners):
        raise NoRegion("lies outside the map")
    if drawn.point or (drawn.polygon is None and drawn.width == 0 and drawn.height == 0):
        x, y = map(int, corners[0])
        return ((min(x, on.width - 1), min(y, on.height - 1)),)
    tiles = _covered(corners)
    if not tiles:
        raise NoRegion("covers the middle of no tile")
    return tiles


def _check_form(drawn: TiledObject) -> None:
    other = (
        drawn.ellipse
        or drawn.polyline is not None
        or drawn.gid is not None
        or drawn.text is not None
    )
    if drawn.template is not None:
        raise NoRegion("is an instance of a template, whose size is in another file", _DETACH)
    if other:
        raise NoRegion("is neither rectangle, polygon nor point")
    if drawn.model_extra:
        raise NoRegion(f"has the field {min(drawn.model_extra)!r}, which is not read")
    if drawn.rotation % 360:
        raise NoRegion("is rotated")


def _corners(drawn: TiledObject, on: TiledMap, offset: _Corner) -> list[_Corner]:
    """Return the corners in tiles, so that the middle of tile (2, 3) is (2.5, 3.5)."""
    right, down = drawn.width, drawn.height
    offsets = (
        [(0.0, 0.0), (right, 0.0), (right, down), (0.0, down)]
        if drawn.polygon is None
        else [(point.x, point.y) for point in drawn.polygon]
    )
    if len(offsets) < 3:
        raise NoRegion("is a polygon of fewer than three corners")
    left, top = drawn.x + offset[0], drawn.y + offset[1]
    return [((left + x) / on.tilewidth, (top + y) / on.tileheight) for x, y in offsets]


def _covered(corners: Sequence[_Corner]) -> tuple[Tile, ...]:
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    return tuple(
        (x, y)
        for y in range(math.floor(top), math.ceil(bottom))
        for x in range(math.floor(left), math.ceil(right))
        if _is_inside(x + 0.5, y + 0.5, corners)
    )


def _is_inside(x: float, y: float, corners: Sequence[_Corner]) -> bool:
    """Return whether a ray to the right crosses the outline an odd number of times."""
    odd = False
    before_x, before_y = corners[-1]
    for corner_x, corner_y in corners:
        if (corner_y > y) != (before_y > y):
            along = (y - corner_y) / (before_y - corner_y)
            if x < corner_x + along * (before_x - corner_x):
                odd = not odd
        before_x, before_y = corner_x, corner_y
    return odd


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnShape:
    """A shape on one of the three object layers; `element` names it in problems."""

    element: str
    path: str
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The content of a map; `free` is row by row."""

    width: int
    height: int
    free: tuple[bool, ...]
    areas: tuple[DrawnShape, ...]
    objects: tuple[DrawnShape, ...]
    doors: tuple[DrawnShape, ...]


def tiled_map(content: object, findings: Findings) -> TiledMap | None:
    """Return the validated map; report problems and return None if it is invalid."""
    try:
        return TiledMap.model_validate(content)
    except ValidationError as invalid:
        for error in invalid.errors(include_url=False):
            element = ": ".join(str(part) for part in error["loc"]) or "the whole file"
            what = error["msg"].removeprefix("Value error, ").lower()
            findings.add(element, what, hint=_HINTS.get(element, _EXPORT))
        return None


def read_drawing(found: TiledMap, findings: Findings) -> Drawing | None:
    """Return the content of the map, None if a layer is missing or cannot be read.

    Layers of one name are read as one.
    """
    free = _free_tiles(found, findings)
    areas, objects, doors = (_drawn(found, name, findings) for name in (AREAS, OBJECTS, DOORS))
    if free is None or areas is None or objects is None or doors is None:
        return None
    return Drawing(
        width=found.width,
        height=found.height,
        free=free,
        areas=areas,
        objects=objects,
        doors=doors,
    )


def _free_tiles(found: TiledMap, findings: Findings) -> tuple[bool, ...] | None:
    layers = _layers(found, COLLISION, "tilelayer", findings)
    blocked = []
    for layer in found.layers_of("tilelayer"):
        numbers = _numbers(found, layer, findings)  # the other layers are checked only
        if layer in layers and numbers is not None:
            blocked.append(_shifted(numbers, layer, found, findings))
    if not layers or len(blocked) < len(layers):
        return None
    return tuple(not any(numbers) for numbers in zip(*blocked, strict=True))


def _layers(
    found: TiledMap, name: str, kind: str, findings: Findings
) -> tuple[TiledLayer, ...]:
    """Return the layers of the name; report that there is none, or that one is not read."""
    layers = found.layers_named(name, kind)
    if not layers:
        others = [layer.name for layer in found.layers_of(kind)]
        plain = {other.strip().casefold(): other for other in others if other not in LAYERS}
        near = [plain[other] for other in get_close_matches(name, plain, n=1)]
        findings.add(
            f"layer {name!r}",
            "is missing",
            hint=f"rename the layer {near[0]!r} to {name!r}" if near else _ADD[kind],
        )
    for layer in layers:
        if (layer.parallaxx, layer.parallaxy) != (1, 1):
            what = "has a parallax factor: it is seen elsewhere than it lies"
            findings.add(f"layer {name!r}", what, hint="set its Parallax Factor to 1 and 1")
        if (layer.x, layer.y) != (0, 0):
            what = f"begins at tile {layer.x, layer.y}"
            findings.add(f"layer {name!r}", what, hint=_EXPORT)
    return layers


def _numbers(found: TiledMap, layer: TiledLayer, findings: Findings) -> tuple[int, ...] | None:
    element = f"layer {layer.name!r}"
    if (layer.width, layer.height) != (found.width, found.height):
        findings.add(
            element,
            f"is {layer.width} x {layer.height} tiles, the map {found.width} x {found.height}",
            hint="resize the map in Tiled, which resizes its layers",
        )
        return None
    try:
        return tile_numbers(layer, found.width * found.height)
    except Undecodable as error:
        findings.add(element, str(error), hint=_PACKING)
        return None


def _shifted(
    numbers: tuple[int, ...], layer: TiledLayer, found: TiledMap, findings: Findings
) -> tuple[int, ...]:
    """Return the numbers moved by the offset of the layer; tiles from beyond it are 0."""
    across, part_across = divmod(layer.offsetx, found.tilewidth)
    down, part_down = divmod(layer.offsety, found.tileheight)
    if part_across or part_down:
        what = f"is moved by {layer.offsetx:g}, {layer.offsety:g} pixels, not by whole tiles"
        hint = "set its Offset, and that of its groups, to 0"
        findings.add(f"layer {layer.name!r}", what, hint=hint)
    if not across and not down:
        return numbers
    tiles = ((x - across, y - down) for y in range(found.height) for x in range(found.width))
    return tuple(
        numbers[int(y * found.width + x)]
        if 0 <= x < found.width and 0 <= y < found.height
        else 0
        for x, y in tiles
    )


def _drawn(found: TiledMap, name: str, findings: Findings) -> tuple[DrawnShape, ...] | None:
    layers = _layers(found, name, "objectgroup", findings)
    shapes = []
    for layer in layers:
        for drawn in layer.objects:
            element = f"layer {name!r}, object {drawn.id} {drawn.path!r}"
            tiles = _tiles(drawn, layer, found, element, findings)
            if tiles is not None:
                shapes.append(DrawnShape(element=element, path=drawn.path, tiles=tiles))
    return tuple(shapes) if layers else None


def _tiles(
    drawn: TiledObject, layer: TiledLayer, found: TiledMap, element: str, findings: Findings
) -> tuple[Tile, ...] | None:
    try:
        tiles = tiles_under(drawn, found, offset=(layer.offsetx, layer.offsety))
    except NoRegion as error:
        findings.add(element, str(error), hint=error.hint)
        return None
    if not drawn.path:
        findings.add(
            element, "has no name", hint='name it by its path, such as "Hobbs Cafe: cafe"'
        )
        return None
    return tiles


def check_tilesets(found: TiledMap, directory: Path, findings: Findings) -> None:
    """Report missing tilesets and images, and tiles that no tileset has."""
    before = len(findings.problems)
    last = 0
    for number, tileset in enumerate(found.tilesets, start=1):
        whole = _whole(tileset, f"tileset {number}", directory, findings)
        if whole is not None:
            last = max(last, tileset.firstgid + whole.tilecount - 1)
            _check_image(whole, f"tileset {number}", directory, findings)
    if len(findings.problems) == before:
        _check_numbers(found, last, findings)


def read_image(directory: Path, name: str) -> bytes | None:
    """Return an image that a map names, None if it is larger than IMAGE_BYTES_MAX."""
    with (directory / name).open("rb") as file:
        return read_at_most(file, IMAGE_BYTES_MAX)


def _whole(
    tileset: TiledTileset, element: str, directory: Path, findings: Findings
) -> TiledTileset | None:
    """Return the tileset, read from its own file if it has one."""
    if tileset.source is None:
        return tileset
    if not tileset.source.endswith((".json", ".tsj")):
        findings.add(
            element,
            f"is in {tileset.source!r}, which is not JSON",
            hint="embed the tileset in the map, or export it as JSON",
        )
        return None
    if not _is_beside(tileset.source, directory):
        findings.add(element, f"is in {tileset.source!r}, outside the folder", hint=_BESIDE)
        return None
    own = Findings(tileset.source)
    content = read_json(directory, own)
    findings.problems.extend(own.problems)
    if own.problems:
        return None
    try:
        return TiledTileset.model_validate(content)
    except ValidationError:
        own.add("the whole file", "is no tileset", hint="export the tileset again from Tiled")
        findings.problems.extend(own.problems)
        return None


def _check_image(
    tileset: TiledTileset, element: str, directory: Path, findings: Findings
) -> None:
    if tileset.image is None:
        findings.add(element, "has no image", hint="use a tileset based on one image")
    elif not _is_beside(tileset.image, directory):
        findings.add(element, f"has its image {tileset.image!r} outside", hint=_BESIDE)
    elif not (directory / tileset.image).is_file():
        findings.add(element, f"has no image {tileset.image!r}", hint=_BESIDE)
    elif read_image(directory, tileset.image) is None:
        findings.add(
            element,
            f"has an image of more than {IMAGE_BYTES_MAX:,} bytes",
            hint="make the picture smaller",
        )


def _check_numbers(found: TiledMap, last: int, findings: Findings) -> None:
    for layer in found.layers_of("tilelayer"):
        try:
            highest = max(tile_numbers(layer, found.width * found.height))
        except Undecodable:
            continue  # reported when the layer is read
        if highest > last:
            findings.add(
                f"layer {layer.name!r}",
                f"has tile {highest}, but the tilesets end at {last}",
                hint="add the missing tileset to the map",
            )


def _is_beside(name: str, directory: Path) -> bool:
    is_plain = _FILE_NAME.fullmatch(name) is not None
    return is_plain and (directory / name).resolve().is_relative_to(directory.resolve())
