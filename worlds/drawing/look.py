"""What a thing on the map looks like, and whether one can walk on it."""

from collections.abc import Callable
from dataclasses import dataclass

from worlds.drawing.canvas import Canvas


@dataclass(frozen=True, slots=True)
class Look:
    """A way to draw a thing of any number of tiles.

    `single` draws each tile by itself, whatever stands beside it; else the thing must be a
    full rectangle and is drawn as one.
    """

    draw: Callable[[Canvas], None]
    walkable: bool = False
    single: bool = False
