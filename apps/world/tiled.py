"""Reads a Tiled JSON map into plain tiles: what blocks, and what is drawn where (W8)."""

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
_OLDEST_FORMAT = (1, 6)
_EXPORT = "save it with Tiled 1.10 as a JSON map file"
_PACKING = "choose CSV, or base64 with zlib or gzip, as Tile Layer Format of the map"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Something drawn on one of the three object layers."""

    element: str
    path: str
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What the loader takes from a map; `free` is row by row."""

    width: int
    height: int
    free: tuple[bool, ...]
    areas: tuple[Drawn, ...]
    objects: tuple[Drawn, ...]
    doors: tuple[Drawn, ...]


def tiled_map(content: object, findings: Findings) -> TiledMap | None:
    """Return the map as its shape, None with the problems noted if it has not got it."""
    try:
        found = TiledMap.model_validate(content)
    except ValidationError as refused:
        for error in refused.errors(include_url=False):
            element = ": ".join(str(part) for part in error["loc"]) or "the whole file"
            findings.add(element, error["msg"].lower(), mend=_EXPORT)
        return None
    return found if _is_supported(found, findings) else None


def drawing_of(found: TiledMap, findings: Findings) -> Drawing | None:
    """Return what is drawn on the map, None if it does not say what blocks."""
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


def _is_supported(found: TiledMap, findings: Findings) -> bool:
    before = len(findings.problems)
    if _format(found.version) is None:
        findings.add(
            "version",
            f"{found.version!r} is no format of Tiled's that is read here",
            mend=_EXPORT,
        )
    if found.orientation != "orthogonal":
        findings.add(
            "orientation",
            f"is {found.orientation!r}",
            mend="set the map's Orientation to Orthogonal",
        )
    if found.infinite:
        findings.add(
            "infinite",
            "the map has no end",
            mend="clear Infinite in the map's properties",
        )
    return len(findings.problems) == before


def _format(version: str | float) -> tuple[int, int] | None:
    """Return the format as (1, 10), None if it is not one of those that are read."""
    major, _, minor = str(version).partition(".")
    if major != "1" or not (minor.isascii() and minor.isdigit()):
        return None
    found = (1, int(minor))
    return found if found >= _OLDEST_FORMAT else None


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
            mend="add a tile layer of that name with any tile wherever one cannot walk",
        )
    return free


def _numbers(found: TiledMap, layer: TiledLayer, findings: Findings) -> tuple[int, ...] | None:
    element = f"layer {layer.name!r}"
    if (layer.width, layer.height) != (found.width, found.height):
        findings.add(
            element,
            f"is {layer.width} x {layer.height} tiles, the map {found.width} x {found.height}",
            mend="resize the map in Tiled, which resizes its layers",
        )
        return None
    try:
        return tile_numbers(layer, found.width * found.height)
    except Undecodable as broken:
        findings.add(element, str(broken), mend=_PACKING)
        return None


def _drawn(found: TiledMap, name: str, findings: Findings) -> Iterator[Drawn]:
    layer = found.layer(name, "objectgroup")
    if layer is None:
        findings.add(f"layer {name!r}", "is missing", mend="add an object layer of that name")
        return
    for drawn in layer.objects:
        element = f"layer {name!r}, object {drawn.id} {drawn.path!r}"
        tiles = _tiles(drawn, found, element, findings)
        if tiles is not None:
            yield Drawn(element=element, path=drawn.path, tiles=tiles)


def _tiles(
    drawn: TiledObject, found: TiledMap, element: str, findings: Findings
) -> tuple[Tile, ...] | None:
    if not drawn.path:
        findings.add(
            element, "has no name", mend='name it by its path, such as "Hobbs Cafe: cafe"'
        )
        return None
    try:
        return tiles_under(drawn, found)
    except NoRegion as refused:
        mend = "draw it as an upright rectangle, a polygon or a point on the map"
        findings.add(element, str(refused), mend=mend)
        return None
