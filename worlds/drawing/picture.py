"""Renders a drawn map as a picture, all of it or x, y, width, height in tiles.

python -m worlds.drawing.picture worlds/smallville out.png [47 29 24 20]
"""

import json
import sys
from pathlib import Path

import numpy

from worlds.drawing.atlas import COLUMNS
from worlds.drawing.canvas import TILE
from worlds.drawing.png import Picture, read_png, write_png
from worlds.drawing.tiled_file import MAP_FILE, PICTURE_FILE


def picture_of(folder: Path) -> Picture:
    """Return the visible tile layers of the map, one over the other."""
    tiles = read_png(folder / PICTURE_FILE)
    found = json.loads((folder / MAP_FILE).read_text("utf-8"))
    whole = numpy.zeros((found["height"] * TILE, found["width"] * TILE, 4), numpy.uint8)
    for layer in found["layers"]:
        if layer["type"] == "tilelayer" and layer["visible"]:
            numbers = numpy.array(layer["data"]).reshape(found["height"], found["width"])
            for y, x in zip(*numpy.nonzero(numbers), strict=True):
                _stamp(whole, _tile(tiles, int(numbers[y, x])), int(x) * TILE, int(y) * TILE)
    return whole


def _tile(tiles: Picture, number: int) -> Picture:
    row, column = divmod(number - 1, COLUMNS)
    return tiles[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]


def _stamp(whole: Picture, tile: Picture, left: int, top: int) -> None:
    there = whole[top : top + TILE, left : left + TILE]
    opaque = tile[:, :, 3] > 0
    there[opaque] = tile[opaque]


def main(arguments: list[str]) -> None:
    """Write the picture, or a part of it."""
    whole = picture_of(Path(arguments[0]))
    if part := [int(number) * TILE for number in arguments[2:]]:
        x, y, width, height = part
        whole = whole[y : y + height, x : x + width]
    write_png(Path(arguments[1]), whole)


if __name__ == "__main__":
    main(sys.argv[1:])
