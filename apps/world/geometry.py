"""Distances on the tile grid; plain Python."""

from collections.abc import Iterable
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
