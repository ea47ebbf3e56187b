"""The tile map: walkable tiles, the areas of tiles, and the positions of objects (W1).

It is immutable. `area_at` and `is_walkable` are called so often that each is one access to a
flat tuple.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Tile: TypeAlias = tuple[int, int]  # (x, y), the origin is the top left corner


def chebyshev(a: Tile, b: Tile) -> int:
    """Return the number of steps between the tiles with diagonals."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def extent(tiles: Iterable[Tile]) -> int:
    """Return the largest chebyshev distance between two of the tiles, 0 if there are none."""
    listed = tuple(tiles)
    if not listed:
        return 0
    across = [x for x, _ in listed]
    down = [y for _, y in listed]
    return max(max(across) - min(across), max(down) - min(down))


BESIDE = ((0, -1), (-1, 0), (1, 0), (0, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """A door's tile, which belongs to the area that it opens into.

    `beyond` is the area on the other side, "" for the outdoors.
    """

    tile: Tile
    area: str
    beyond: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """An area with walls, which is entered through doors only, and the box around its tiles."""

    area: str
    left: int
    top: int
    right: int
    bottom: int

    def steps_to(self, tile: Tile) -> int:
        """Return the least number of steps from the tile into the box, 0 inside."""
        x, y = tile
        return max(self.left - x, x - self.right, self.top - y, y - self.bottom, 0)


class TileMap:
    """The tiles of a world, row by row; areas are paths, "" outdoors."""

    def __init__(
        self,
        *,
        width: int,
        height: int,
        walkable: Iterable[bool],
        areas: Iterable[str],
        footprints: Mapping[str, Iterable[Tile]],
        doors: Iterable[Door],
        area_of_object: Mapping[str, str],
    ) -> None:
        self.width = width
        self.height = height
        self._walkable = tuple(walkable)
        self._areas = tuple(areas)
        self._drawn_areas = frozenset(self._areas) - {""}
        self.doors = tuple(doors)
        self._footprints = {
            path: tuple(sorted(tiles, key=_reading_order)) for path, tiles in footprints.items()
        }
        self._use_tiles = {
            path: self._find_use_tiles(tiles, area_of_object[path])
            for path, tiles in self._footprints.items()
        }
        self._area_tiles = self._collect_area_tiles()
        self._standing_tiles = self._collect_standing_tiles()
        self._rooms = self._find_rooms()

    def is_walkable(self, tile: Tile) -> bool:
        """Return whether an agent can reach the tile; False outside the map."""
        x, y = tile
        inside = 0 <= x < self.width and 0 <= y < self.height
        return inside and self._walkable[y * self.width + x]

    def area_at(self, tile: Tile) -> str:
        """Return the path of the area of a tile of the map, "" outdoors."""
        return self._areas[tile[1] * self.width + tile[0]]

    def room_at(self, tile: Tile) -> Room | None:
        """Return the room of a tile of the map, None outdoors and in an open area."""
        return self._rooms.get(self.area_at(tile))

    def tiles_of(self, object_path: str) -> tuple[Tile, ...]:
        """Return the object's footprint, row by row; () if it is not on the map."""
        return self._footprints.get(object_path, ())

    def use_tiles(self, object_path: str) -> tuple[Tile, ...]:
        """Return the tiles from which the object is used, row by row.

        Its own tiles if they are walkable, else those beside it in its area.
        """
        return self._use_tiles.get(object_path, ())

    def area_tiles(self, area_path: str) -> tuple[Tile, ...]:
        """Return the walkable tiles of the area, row by row; () for the outdoors."""
        return self._area_tiles.get(area_path, ())

    def standing_tiles(self, area_path: str) -> tuple[Tile, ...]:
        """Return the tiles of the area without objects and doors, or all if none are left."""
        return self._standing_tiles.get(area_path, ())

    def spots(self, path: str) -> tuple[Tile, ...]:
        """Return the tiles from which an object is used, or those of an area to stand on."""
        return self.use_tiles(path) or self.standing_tiles(path)

    def has_area(self, area_path: str) -> bool:
        """Return whether the area is on the map, reachable or not."""
        return area_path in self._drawn_areas

    def beside(self, tile: Tile) -> tuple[Tile, ...]:
        """Return the walkable tiles one step away, in a fixed order: up, left, right, down."""
        x, y = tile
        around = ((x + across, y + down) for across, down in BESIDE)
        return tuple(other for other in around if self.is_walkable(other))

    def _find_use_tiles(self, footprint: tuple[Tile, ...], area: str) -> tuple[Tile, ...]:
        own = tuple(tile for tile in footprint if self.is_walkable(tile))
        if own:
            return own
        around = {
            other
            for tile in footprint
            for other in self.beside(tile)
            if self.area_at(other) == area
        }
        return tuple(sorted(around, key=_reading_order))

    def _collect_area_tiles(self) -> dict[str, tuple[Tile, ...]]:
        found: dict[str, list[Tile]] = {}
        for index, area in enumerate(self._areas):
            if area and self._walkable[index]:
                found.setdefault(area, []).append((index % self.width, index // self.width))
        return {area: tuple(tiles) for area, tiles in found.items()}

    def _find_rooms(self) -> dict[str, Room]:
        doors = {door.tile for door in self.doors}
        found = {}
        for area, tiles in self._area_tiles.items():
            is_open = any(
                self.area_at(other) != area and doors.isdisjoint((tile, other))
                for tile in tiles
                for other in self.beside(tile)
            )
            if not is_open:
                across, down = [x for x, _ in tiles], [y for _, y in tiles]
                found[area] = Room(
                    area=area,
                    left=min(across),
                    top=min(down),
                    right=max(across),
                    bottom=max(down),
                )
        return found

    def _collect_standing_tiles(self) -> dict[str, tuple[Tile, ...]]:
        taken = {tile for tiles in self._footprints.values() for tile in tiles}
        taken.update(door.tile for door in self.doors)
        return {
            area: tuple(tile for tile in tiles if tile not in taken) or tiles
            for area, tiles in self._area_tiles.items()
        }


def _reading_order(tile: Tile) -> tuple[int, int]:
    return (tile[1], tile[0])
