"""A small canvas for pixel art: rectangles, discs, speckles; colours as "#rrggbb"."""

from dataclasses import dataclass, field
from hashlib import blake2b

import numpy

from worlds.drawing.png import Picture

TILE = 16  # pixels


@dataclass(slots=True)
class Canvas:
    """A picture of whole tiles that is drawn on; it starts out transparent."""

    columns: int
    rows: int
    picture: Picture = field(init=False)

    def __post_init__(self) -> None:
        """Make the picture."""
        shape = (self.rows * TILE, self.columns * TILE, 4)
        self.picture = numpy.zeros(shape, numpy.uint8)

    @property
    def width(self) -> int:
        """In pixels."""
        return self.columns * TILE

    @property
    def height(self) -> int:
        """In pixels."""
        return self.rows * TILE

    def box(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        """Fill a rectangle; what lies outside is cut off."""
        left, top = max(x, 0), max(y, 0)
        self.picture[top : max(y + height, 0), left : max(x + width, 0)] = _rgba(colour)

    def block(
        self, x: int, y: int, width: int, height: int, colour: str, edge: str = "#3b2f2f"
    ) -> None:
        """Fill a rectangle with an outline."""
        self.box(x, y, width, height, edge)
        self.box(x + 1, y + 1, width - 2, height - 2, colour)

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        """Fill a disc around a point."""
        down, across = numpy.ogrid[: self.height, : self.width]
        inside = (across + 0.5 - x) ** 2 + (down + 0.5 - y) ** 2 <= radius**2
        self.picture[inside] = _rgba(colour)

    def fill(self, colour: str) -> None:
        """Fill all of it."""
        self.box(0, 0, self.width, self.height, colour)

    def speckle(self, name: str, count: int, *colours: str) -> None:
        """Scatter single pixels; the same name gives the same ones."""
        for number in range(count):
            place = chance(name, number)
            colour = colours[chance(name, number, 1) % len(colours)]
            self.box(place % self.width, (place // self.width) % self.height, 1, 1, colour)

    def rounded(self, inset: int, radius: int, colour: str) -> None:
        """Fill a rectangle with round corners, `inset` pixels from the edges."""
        right, bottom = self.width - inset, self.height - inset
        self.box(inset + radius, inset, right - inset - 2 * radius, bottom - inset, colour)
        self.box(inset, inset + radius, right - inset, bottom - inset - 2 * radius, colour)
        for x in (inset + radius, right - radius):
            for y in (inset + radius, bottom - radius):
                self.disc(x, y, radius, colour)


def chance(*what: object) -> int:
    """Return a large number that depends on nothing but what is asked."""
    question = "\x1f".join(str(part) for part in what).encode()
    return int.from_bytes(blake2b(question, digest_size=6).digest(), "big")


def _rgba(colour: str) -> tuple[int, int, int, int]:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue, 255
