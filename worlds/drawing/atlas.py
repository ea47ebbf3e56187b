"""Collects the tiles that a map needs, each once, and lays them out as one tileset picture."""

from dataclasses import dataclass, field

import numpy

from worlds.drawing.canvas import TILE, Canvas
from worlds.drawing.looks import LOOKS
from worlds.drawing.png import Picture

COLUMNS = 16
BLOCKED = 1  # the number of the tile that marks what one cannot walk on


@dataclass(slots=True)
class Atlas:
    """The tiles drawn so far; numbers are those of a Tiled map, 0 is no tile."""

    _numbers: dict[tuple[str, int, int], int] = field(default_factory=dict)
    _tiles: list[Picture] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with the tile that marks what one cannot walk on."""
        mark = numpy.zeros((TILE, TILE, 4), numpy.uint8)
        mark[:, :] = (200, 30, 30, 110)
        self._tiles.append(mark)

    @property
    def count(self) -> int:
        """How many tiles the finished picture has room for."""
        return -(-len(self._tiles) // COLUMNS) * COLUMNS

    def numbers(self, look: str, columns: int = 1, rows: int = 1) -> list[list[int]]:
        """Return the tiles of a thing of that size, row by row; drawn if they are new."""
        key = (look, columns, rows)
        if key not in self._numbers:
            self._numbers[key] = len(self._tiles) + 1
            canvas = Canvas(columns, rows)
            LOOKS[look].draw(canvas)
            self._tiles.extend(_cut(canvas))
        first = self._numbers[key]
        return [
            [first + row * columns + column for column in range(columns)] for row in range(rows)
        ]

    def number(self, look: str) -> int:
        """Return the tile of a thing that is one tile large."""
        return self.numbers(look)[0][0]

    def picture(self) -> Picture:
        """Return all tiles side by side."""
        rows = self.count // COLUMNS
        whole = numpy.zeros((rows * TILE, COLUMNS * TILE, 4), numpy.uint8)
        for index, tile in enumerate(self._tiles):
            row, column = divmod(index, COLUMNS)
            top, left = row * TILE, column * TILE
            whole[top : top + TILE, left : left + TILE] = tile
        return whole


def _cut(canvas: Canvas) -> list[Picture]:
    return [
        canvas.picture[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
        for row in range(canvas.rows)
        for column in range(canvas.columns)
    ]
