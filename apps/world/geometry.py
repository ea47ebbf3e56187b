"""Distances on the tile grid, and what lies in sight (W6); plain Python."""

from collections.abc import Iterable
from typing import TypeAlias

Tile: TypeAlias = tuple[int, int]  # (x, y), the origin is the top left corner


def chebyshev(a: Tile, b: Tile) -> int:
    """Return how many steps lie between the tiles if diagonals were allowed."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def extent(tiles: Iterable[Tile]) -> int:
    """Return the largest chebyshev distance between two of the tiles, 0 if there are none."""
    listed = tuple(tiles)
    if not listed:
        return 0
    across = [x for x, _ in listed]
    down = [y for _, y in listed]
    return max(max(across) - min(across), max(down) - min(down))


def in_sight(viewer: Tile, viewed: Iterable[Tile], *, vision: int, same_area: bool) -> bool:
    """Return whether somebody on `viewer` perceives what stands on the `viewed` tiles (W6).

    The nearest of the tiles counts. `vision` is in tiles; walls hide all other areas.
    """
    return same_area and any(chebyshev(viewer, tile) <= vision for tile in viewed)
