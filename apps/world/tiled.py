"""Reads a Tiled JSON map: the free tiles, and the shapes on its object layers (W8)."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ValidationError

from apps.world.geometry import Tile
from apps.world.problems import Findings
from apps.world.tiled_regions import NoRegion, tiles_under
from apps.world.tiled_shapes import TiledLayer, TiledMap, TiledObject
from apps.world.tiled_tiles import Undecodable, tile_numbers

COLLISION = "collision"
AREAS, OBJECTS, DOORS = "areas", "objects", "doors"
_EXPORT = "save it with Tiled 1.10 as a JSON map file"
_HINTS = {
    "orientation": "set the map's Orientation to Orthogonal",
    "infinite": "clear Infinite in the map's properties",
}
_PACKING = "choose CSV, or base64 with zlib or gzip, as Tile Layer Format of the map"


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
    """Return the content of the map, None if it has no valid collision layer."""
    free = _free_tiles(found, findings)
    areas, objects, doors = (
        tuple(_drawn(found, name, findings)) for name in (AREAS, OBJECTS, DOORS)
    )
    if free is None:
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
    free = None
    for layer in found.layers_of("tilelayer"):
        numbers = _numbers(found, layer, findings)
        if layer.name == COLLISION and numbers is not None:
            free = tuple(number == 0 for number in numbers)
    if found.layer(COLLISION, "tilelayer") is None:
        findings.add(
            f"layer {COLLISION!r}",
            "is missing",
            hint="add a tile layer of that name with any tile wherever one cannot walk",
        )
    return free


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


def _drawn(found: TiledMap, name: str, findings: Findings) -> Iterator[DrawnShape]:
    layer = found.layer(name, "objectgroup")
    if layer is None:
        findings.add(f"layer {name!r}", "is missing", hint="add an object layer of that name")
        return
    for drawn in layer.objects:
        element = f"layer {name!r}, object {drawn.id} {drawn.path!r}"
        tiles = _tiles(drawn, found, element, findings)
        if tiles is not None:
            yield DrawnShape(element=element, path=drawn.path, tiles=tiles)


def _tiles(
    drawn: TiledObject, found: TiledMap, element: str, findings: Findings
) -> tuple[Tile, ...] | None:
    if not drawn.path:
        findings.add(
            element, "has no name", hint='name it by its path, such as "Hobbs Cafe: cafe"'
        )
        return None
    try:
        return tiles_under(drawn, found)
    except NoRegion as error:
        hint = "draw it as an upright rectangle, a polygon or a point on the map"
        findings.add(element, str(error), hint=hint)
        return None
