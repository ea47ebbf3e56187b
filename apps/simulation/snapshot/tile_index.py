"""Finds the agents near a tile without asking all of them."""

from collections import defaultdict
from collections.abc import Iterable

from apps.world.tile_map import Tile, chebyshev

CELL_TILES = 16


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

    def near(self, tile: Tile | None, distance: int) -> list[str]:
        """Return the agents at most `distance` tiles from the tile, in the order of slugs."""
        if tile is None:
            return sorted(self._tiles)
        found = list(self._cells[None])
        for cell in self._cells_around(tile, distance):
            for agent in self._cells.get(cell, ()):
                placed = self._tiles[agent]
                if placed is not None and chebyshev(tile, placed) <= distance:
                    found.append(agent)
        return sorted(found)

    def _cells_around(self, tile: Tile, distance: int) -> Iterable[Tile]:
        left, right = _span(tile[0], distance)
        top, bottom = _span(tile[1], distance)
        if (right - left + 1) * (bottom - top + 1) > len(self._cells):
            return [cell for cell in self._cells if cell is not None]
        return [(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]


def _cell_of(tile: Tile | None) -> Tile | None:
    return None if tile is None else (tile[0] // CELL_TILES, tile[1] // CELL_TILES)


def _span(coordinate: int, distance: int) -> tuple[int, int]:
    return (coordinate - distance) // CELL_TILES, (coordinate + distance) // CELL_TILES
