"""How the ground looks: lawns, streets, paths and floors."""

from functools import partial

from worlds.drawing.canvas import TILE, Canvas
from worlds.drawing.look import Look

GRASS_KINDS = 6


def _grass(canvas: Canvas, kind: int) -> None:
    canvas.fill("#7cb65a")
    canvas.speckle(f"grass {kind}", 10, "#6fa84e", "#8ac468")
    if kind >= 3:
        for blade in range(kind - 1):
            x, y = 2 + (blade * 5 + kind * 3) % 12, 3 + (blade * 7 + kind) % 10
            canvas.box(x, y, 1, 3, "#5f9a42")
            canvas.box(x + 2, y + 1, 1, 2, "#5f9a42")
    if kind == GRASS_KINDS - 1:
        canvas.box(4, 5, 2, 2, "#f6e27a")
        canvas.box(11, 10, 2, 2, "#f4f1ea")


def _road(canvas: Canvas) -> None:
    canvas.fill("#6d6f76")
    canvas.speckle("road", 14, "#63656b", "#787a81")


def _lined(canvas: Canvas, *, upright: bool) -> None:
    _road(canvas)
    if upright:
        canvas.box(0, 3, 1, 9, "#d9d3b4")
    else:
        canvas.box(3, 0, 9, 1, "#d9d3b4")


def _crossing(canvas: Canvas, *, upright: bool) -> None:
    _road(canvas)
    for start in (1, 9):
        if upright:
            canvas.box(start, 1, 5, TILE - 2, "#e4e1d6")
        else:
            canvas.box(1, start, TILE - 2, 5, "#e4e1d6")


def _pavement(canvas: Canvas) -> None:
    canvas.fill("#c3bfb4")
    for y in range(0, TILE, 8):
        canvas.box(0, y, TILE, 1, "#aeaa9f")
        canvas.box(4 if y else 12, y, 1, 8, "#aeaa9f")


def _path(canvas: Canvas) -> None:
    canvas.fill("#d9c596")
    canvas.speckle("path", 22, "#cbb583", "#e6d5ab", "#bfa873")


def _boards(canvas: Canvas, wood: str, joint: str) -> None:
    canvas.fill(wood)
    for row, y in enumerate(range(0, TILE, 4)):
        canvas.box(0, y + 3, TILE, 1, joint)
        canvas.box((5, 12, 2, 9)[row], y, 1, 3, joint)


def _squares(canvas: Canvas, size: int, light: str, dark: str) -> None:
    canvas.fill(light)
    for y in range(0, TILE, size):
        for x in range(0, TILE, size):
            if (x + y) // size % 2:
                canvas.box(x, y, size, size, dark)


def _carpet(canvas: Canvas, colour: str, dots: str) -> None:
    canvas.fill(colour)
    for y in range(2, TILE, 4):
        for x in range(2 + y % 8 // 2, TILE, 6):
            canvas.box(x, y, 1, 1, dots)


def _stone(canvas: Canvas) -> None:
    canvas.fill("#b9b2a6")
    canvas.box(0, 7, TILE, 1, "#a29b8f")
    canvas.box(0, 15, TILE, 1, "#a29b8f")
    canvas.box(10, 0, 1, 7, "#a29b8f")
    canvas.box(4, 8, 1, 7, "#a29b8f")


def _floor(draw: partial[None]) -> Look:
    return Look(draw, walkable=True, single=True)


GROUND_LOOKS: dict[str, Look] = {
    **{f"grass {kind}": _floor(partial(_grass, kind=kind)) for kind in range(GRASS_KINDS)},
    "road": _floor(partial(_road)),
    "road lined across": _floor(partial(_lined, upright=False)),
    "road lined down": _floor(partial(_lined, upright=True)),
    "crossing across": _floor(partial(_crossing, upright=False)),
    "crossing down": _floor(partial(_crossing, upright=True)),
    "pavement": _floor(partial(_pavement)),
    "path": _floor(partial(_path)),
    "boards": _floor(partial(_boards, wood="#c99e68", joint="#b0854f")),
    "dark boards": _floor(partial(_boards, wood="#a9764a", joint="#8d5f38")),
    "kitchen tiles": _floor(partial(_squares, size=8, light="#eadfc8", dark="#d8c7a6")),
    "bathroom tiles": _floor(partial(_squares, size=4, light="#e6f0f2", dark="#c3dbe2")),
    "cafe tiles": _floor(partial(_squares, size=8, light="#f0dcc0", dark="#cf9f74")),
    "blue carpet": _floor(partial(_carpet, colour="#7f93b5", dots="#93a6c6")),
    "green carpet": _floor(partial(_carpet, colour="#7fa08a", dots="#94b39e")),
    "red carpet": _floor(partial(_carpet, colour="#b0695f", dots="#c27f74")),
    "pub boards": _floor(partial(_boards, wood="#8f6238", joint="#74502d")),
    "pale boards": _floor(partial(_boards, wood="#dcc097", joint="#c4a678")),
    "shop tiles": _floor(partial(_squares, size=8, light="#e9e6dc", dark="#cfd8cf")),
    "stone": _floor(partial(_stone)),
}
