"""The map while it is painted: layers of tile numbers, what blocks, and what is named."""

from dataclasses import dataclass, field

import numpy
from numpy.typing import NDArray

from worlds.drawing.atlas import Atlas
from worlds.drawing.looks import LOOKS
from worlds.drawing.plan import Box, Spot

Numbers = NDArray[numpy.int32]


@dataclass(slots=True)
class Sheet:
    """Layers by [y, x]; `areas`, `objects` and `doors` are named rectangles."""

    width: int
    height: int
    atlas: Atlas = field(default_factory=Atlas)
    ground: Numbers = field(init=False)
    walls: Numbers = field(init=False)
    furniture: Numbers = field(init=False)
    blocked: NDArray[numpy.bool_] = field(init=False)
    kept_free: NDArray[numpy.bool_] = field(init=False)
    areas: list[tuple[str, Box]] = field(default_factory=list)
    objects: list[tuple[str, Box]] = field(default_factory=list)
    doors: list[tuple[str, Box]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make the layers, empty."""
        shape = (self.height, self.width)
        self.ground = numpy.zeros(shape, numpy.int32)
        self.walls = numpy.zeros(shape, numpy.int32)
        self.furniture = numpy.zeros(shape, numpy.int32)
        self.blocked = numpy.zeros(shape, numpy.bool_)
        self.kept_free = numpy.zeros(shape, numpy.bool_)

    def pave(self, spot: Spot, look: str) -> None:
        """Lay ground on a tile; no tree will grow there."""
        x, y = spot
        self.ground[y, x] = self.atlas.number(look)
        self.kept_free[y, x] = True

    def build(self, spot: Spot, look: str) -> None:
        """Put a wall, door or hedge on a tile."""
        x, y = spot
        self.walls[y, x] = self.atlas.number(look)
        self.blocked[y, x] = not LOOKS[look].walkable
        self.kept_free[y, x] = True

    def furnish(self, box: Box, look: str) -> None:
        """Put a thing on a rectangle of tiles."""
        single = LOOKS[look].single
        numbers = self.atlas.numbers(look, *((1, 1) if single else (box.width, box.height)))
        for row in range(box.height):
            for column in range(box.width):
                number = numbers[0][0] if single else numbers[row][column]
                x, y = box.x + column, box.y + row
                self.furniture[y, x] = number
                self.blocked[y, x] = not LOOKS[look].walkable
                self.kept_free[y, x] = True
