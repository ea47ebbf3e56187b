"""Finds the agents near a tile without asking all of them."""

from collections import defaultdict
from collections.abc import Iterable

from apps.world.tile_map import Room, Tile

CELL_TILES = 16
Box = tuple[int, int, int, int]
"""The sides of a rectangle of tiles: left, top, right, bottom, all inside."""


class TileIndex:
    """The tile on which each agent was last, by cells of CELL_TILES x CELL_TILES tiles.

    Agents whose tile is not known are near everywhere.
    """

    def __init__(self) -> None:
        self._tiles: dict[str, Tile | None] = {}
        self._cells: dict[Tile | None, set[str]] = defaultdict(set)

    def place(self, agent: str, tile: Tile | None) -> None:
        """Note the tile of the agent."""
        if agent in self._tiles:
            before = _cell_of(self._tiles[agent])
            if before != _cell_of(tile):
                self._cells[before].discard(agent)
        self._tiles[agent] = tile
        self._cells[_cell_of(tile)].add(agent)

    def tile_of(self, agent: str) -> Tile | None:
        """Return the tile of the agent, None if it is not known."""
        return self._tiles.get(agent)

    def within(self, box: Box | None) -> list[str]:
        """Return the agents in the box, all without one, in the order of slugs."""
        if box is None:
            return sorted(self._tiles)
        left, top, right, bottom = box
        found = list(self._cells[None])
        for cell in self._cells_of(box):
            for agent in self._cells.get(cell, ()):
                placed = self._tiles[agent]
                if placed and left <= placed[0] <= right and top <= placed[1] <= bottom:
                    found.append(agent)
        return sorted(found)

    def _cells_of(self, box: Box) -> Iterable[Tile]:
        left, top, right, bottom = (side // CELL_TILES for side in box)
        if (right - left + 1) * (bottom - top + 1) > len(self._cells):
            return [cell for cell in self._cells if cell is not None]
        return [(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]


def box_around(tile: Tile, distance: int, room: Room | None = None, beyond: int = 0) -> Box:
    """Return a box with all within the distance, and within `beyond` tiles of the room."""
    x, y = tile
    if room is None:
        return x - distance, y - distance, x + distance, y + distance
    return (
        min(x - distance, room.left - beyond),
        min(y - distance, room.top - beyond),
        max(x + distance, room.right + beyond),
        max(y + distance, room.bottom + beyond),
    )


def _cell_of(tile: Tile | None) -> Tile | None:
    return None if tile is None else (tile[0] // CELL_TILES, tile[1] // CELL_TILES)
