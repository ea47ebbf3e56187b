"""The tiles that a shape on a Tiled map covers: those whose centres are inside it."""

import math
from collections.abc import Sequence

from apps.world.geometry import Tile
from apps.world.tiled_shapes import TiledMap, TiledObject

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
    _check_inside(corners, on)
    if drawn.point or (drawn.polygon is None and drawn.width == 0 and drawn.height == 0):
        return (_tile_at(corners[0], on),)
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


def _check_inside(corners: Sequence[_Corner], on: TiledMap) -> None:
    for x, y in corners:
        if not (0 <= x <= on.width and 0 <= y <= on.height):
            raise NoRegion("lies outside the map")


def _tile_at(corner: _Corner, on: TiledMap) -> Tile:
    return (min(int(corner[0]), on.width - 1), min(int(corner[1]), on.height - 1))


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
