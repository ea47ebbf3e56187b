"""How the furniture of homes looks: beds, desks, kitchens, bathrooms."""

from functools import partial

from worlds.drawing.canvas import Canvas
from worlds.drawing.look import Look

_WOOD, _DARK_WOOD, _LIGHT_WOOD = "#a8743f", "#7d5128", "#c6935a"
_STEEL, _DARK_STEEL = "#c9ced4", "#8d949c"


def _bed(canvas: Canvas, blanket: str = "#c8596a") -> None:
    canvas.block(1, 0, canvas.width - 2, canvas.height, _DARK_WOOD)
    canvas.box(2, 2, canvas.width - 4, canvas.height - 4, "#f3eee4")
    canvas.box(2, 10, canvas.width - 4, canvas.height - 13, blanket)
    canvas.box(2, 10, canvas.width - 4, 2, "#fbf8f1")
    for x in range(4, canvas.width - 8, 13):
        canvas.block(x, 3, 9, 5, "#ffffff", "#d5d0c4")


def _desk(canvas: Canvas) -> None:
    canvas.block(0, 2, canvas.width, canvas.height - 4, _LIGHT_WOOD)
    canvas.box(1, canvas.height - 5, canvas.width - 2, 2, _DARK_WOOD)
    canvas.box(4, 4, 6, 5, "#fbf8f1")
    canvas.box(5, 5, 4, 1, "#9aa4b0")
    canvas.box(canvas.width - 5, 4, 3, 4, "#d9a441")


def _chair(canvas: Canvas) -> None:
    canvas.block(4, 4, 8, 8, _LIGHT_WOOD)
    canvas.box(4, 10, 8, 3, _DARK_WOOD)


def _stool(canvas: Canvas) -> None:
    canvas.disc(8, 8, 5, "#5d3d22")
    canvas.disc(8, 8, 4, "#b5473f")
    canvas.disc(7, 7, 1.5, "#cf6a5e")


def _closet(canvas: Canvas) -> None:
    canvas.block(0, 0, canvas.width, canvas.height, _WOOD)
    canvas.box(canvas.width // 2, 1, 1, canvas.height - 2, _DARK_WOOD)
    canvas.box(canvas.width // 2 - 2, canvas.height // 2, 1, 2, "#f0d060")
    canvas.box(canvas.width // 2 + 2, canvas.height // 2, 1, 2, "#f0d060")


def _shelf(canvas: Canvas) -> None:
    canvas.block(0, 0, canvas.width, canvas.height, _DARK_WOOD)
    covers = ("#b5473f", "#3f6fb5", "#4f8a3c", "#d9a441", "#7d5a9a", "#e6dcc3")
    for row, y in enumerate((2, 9)):
        for number, x in enumerate(range(2, canvas.width - 3, 2)):
            lower = (number * 7 + row) % 2
            canvas.box(x, y + lower, 2, 5 - lower, covers[(number * 5 + row * 2) % 6])


def _toolbox(canvas: Canvas) -> None:
    canvas.block(3, 6, 10, 7, "#c23b32")
    canvas.block(5, 4, 6, 3, "#c23b32")
    canvas.box(3, 9, 10, 1, "#7d231d")
    canvas.box(7, 9, 2, 2, "#f0d060")


def _stove(canvas: Canvas) -> None:
    canvas.block(0, 0, 16, 16, _STEEL)
    canvas.box(1, 11, 14, 4, _DARK_STEEL)
    for x, y in ((5, 4), (11, 4), (5, 8), (11, 8)):
        canvas.disc(x, y, 2, "#2f3238")
    for x in (3, 6, 9, 12):
        canvas.box(x, 12, 1, 1, "#f4f1ea")


def _sink(canvas: Canvas) -> None:
    canvas.block(0, 0, 16, 16, "#ddd3bd")
    canvas.block(3, 4, 10, 8, "#9fc3d1", _DARK_STEEL)
    canvas.box(7, 1, 2, 5, _DARK_STEEL)
    canvas.box(1, 14, 14, 1, "#b5a988")


def _refrigerator(canvas: Canvas) -> None:
    canvas.block(1, 0, 14, 16, "#eef2f4")
    canvas.box(2, 6, 12, 1, _DARK_STEEL)
    canvas.box(11, 2, 1, 3, _DARK_STEEL)
    canvas.box(11, 8, 1, 4, _DARK_STEEL)
    canvas.box(2, 14, 12, 1, "#c9ced4")


def _toaster(canvas: Canvas) -> None:
    canvas.block(0, 0, 16, 16, "#ddd3bd")
    canvas.box(1, 14, 14, 1, "#b5a988")
    canvas.block(4, 4, 8, 7, _STEEL)
    canvas.box(5, 5, 6, 1, "#4a3a2c")
    canvas.box(5, 7, 6, 1, "#4a3a2c")


def _shower(canvas: Canvas) -> None:
    canvas.block(0, 0, 16, 16, "#bfe0ea", "#7fa7b5")
    canvas.box(7, 1, 2, 4, _DARK_STEEL)
    canvas.disc(8, 5, 2, _STEEL)
    for x, y in ((6, 8), (8, 10), (10, 8), (7, 12), (9, 13)):
        canvas.box(x, y, 1, 1, "#5fa3c4")


def _toilet(canvas: Canvas) -> None:
    canvas.block(4, 1, 8, 4, "#ffffff", "#9aa4b0")
    canvas.disc(8, 10, 5, "#9aa4b0")
    canvas.disc(8, 10, 4, "#ffffff")
    canvas.disc(8, 10, 2, "#bfe0ea")


def _sofa(canvas: Canvas) -> None:
    canvas.block(0, 1, canvas.width, canvas.height - 2, "#4f7aa8")
    canvas.box(1, 2, canvas.width - 2, 4, "#3d628a")
    for x in range(2, canvas.width - 4, 15):
        canvas.box(x, 7, 13, 6, "#6f99c4")


def _rug(
    canvas: Canvas, rim: str = "#b5573f", edge: str = "#8a3c2a", middle: str = "#d98f5a"
) -> None:
    canvas.block(1, 1, canvas.width - 2, canvas.height - 2, rim, edge)
    canvas.block(4, 4, canvas.width - 8, canvas.height - 8, middle, "#f0d9a8")


def _plant(canvas: Canvas) -> None:
    canvas.block(5, 9, 6, 6, "#b5623f")
    for x, y, radius in ((8, 5, 4), (5, 7, 3), (11, 7, 3)):
        canvas.disc(x, y, radius, "#4f8a3c")
    canvas.disc(7, 5, 1.5, "#6fae56")


def _computer_desk(canvas: Canvas) -> None:
    _desk(canvas)
    canvas.block(canvas.width // 2 - 2, 0, 14, 9, "#5fa3c4", _DARK_STEEL)
    canvas.box(canvas.width // 2, 2, 6, 1, "#d5edf6")
    canvas.box(canvas.width // 2 + 1, 10, 9, 2, "#d5d8dc")


def _easel(canvas: Canvas) -> None:
    for x in (3, 12):
        canvas.box(x, 6, 1, 10, _DARK_WOOD)
    canvas.box(7, 12, 2, 4, _DARK_WOOD)
    canvas.block(2, 0, 12, 12, "#fbf8f1", _DARK_WOOD)
    canvas.box(3, 1, 10, 5, "#a8d5e8")
    canvas.box(3, 6, 10, 5, "#7cb65a")
    canvas.disc(10, 4, 1.5, "#f6e27a")
    canvas.box(5, 4, 2, 4, "#336b2e")


def _guitar(canvas: Canvas) -> None:
    canvas.box(7, 0, 2, 9, _DARK_WOOD)
    canvas.disc(8, 8, 3, "#d98f3f")
    canvas.disc(8, 12, 4, "#d98f3f")
    canvas.disc(8, 11, 1.5, "#3b2f2f")


HOME_LOOKS: dict[str, Look] = {
    "bed": Look(_bed, walkable=True),
    "blue bed": Look(partial(_bed, blanket="#4f7aa8"), walkable=True),
    "green bed": Look(partial(_bed, blanket="#5f9a62"), walkable=True),
    "violet bed": Look(partial(_bed, blanket="#8a6bb0"), walkable=True),
    "yellow bed": Look(partial(_bed, blanket="#d9a441"), walkable=True),
    "desk": Look(_desk),
    "computer desk": Look(_computer_desk),
    "easel": Look(_easel, single=True),
    "guitar": Look(_guitar, single=True),
    "chair": Look(_chair, walkable=True, single=True),
    "stool": Look(_stool, walkable=True, single=True),
    "closet": Look(_closet),
    "shelf": Look(_shelf),
    "bookshelf": Look(_shelf),
    "toolbox": Look(_toolbox, single=True),
    "stove": Look(_stove, single=True),
    "sink": Look(_sink, single=True),
    "refrigerator": Look(_refrigerator, single=True),
    "toaster": Look(_toaster, single=True),
    "shower": Look(_shower, walkable=True, single=True),
    "toilet": Look(_toilet, walkable=True, single=True),
    "sofa": Look(_sofa, walkable=True),
    "rug": Look(_rug, walkable=True),
    "blue rug": Look(
        partial(_rug, rim="#4f6f9e", edge="#39527a", middle="#86a5cf"), walkable=True
    ),
    "green rug": Look(
        partial(_rug, rim="#4f7f5a", edge="#3a5f43", middle="#8fb98a"), walkable=True
    ),
    "violet rug": Look(
        partial(_rug, rim="#7d5a9a", edge="#5d4274", middle="#b598cc"), walkable=True
    ),
    "plant": Look(_plant, single=True),
}
