"""How walls look from above and in front, with their doors, windows and hedges."""

from functools import partial

from worlds.drawing.canvas import TILE, Canvas
from worlds.drawing.look import Look

_TOPS = {
    "brick": "#7a4a3c",
    "plaster": "#8c8273",
    "timber": "#6b4a32",
    "stone": "#70737c",
    "rose": "#9a5f62",
    "sage": "#5f7358",
    "sand": "#a5814f",
    "slate": "#465468",
}
_FACES = {
    "brick": ("#b3684f", "#96523d"),
    "plaster": ("#efe3cb", "#d9c8a6"),
    "timber": ("#b98a56", "#94683b"),
    "stone": ("#a7a9b1", "#8b8d96"),
    "rose": ("#e6b9b3", "#cd9a96"),
    "sage": ("#b9c7a4", "#9daf88"),
    "sand": ("#ecd09a", "#d6b475"),
    "slate": ("#8fa3bd", "#7388a5"),
}


def _top(canvas: Canvas, kind: str) -> None:
    canvas.fill(_TOPS[kind])
    canvas.speckle(f"top {kind}", 6, "#5a4a42")


def _face(canvas: Canvas, kind: str) -> None:
    light, dark = _FACES[kind]
    canvas.fill(light)
    for row, y in enumerate(range(0, TILE, 4)):
        canvas.box(0, y + 3, TILE, 1, dark)
        if kind != "timber":
            canvas.box(3 if row % 2 else 11, y, 1, 3, dark)
    canvas.box(0, 0, TILE, 3, _TOPS[kind])
    canvas.box(0, TILE - 2, TILE, 2, "#5a4a42")


def _window(canvas: Canvas, kind: str) -> None:
    _face(canvas, kind)
    canvas.block(2, 4, 12, 9, "#a8d5e8", "#f4efe2")
    canvas.box(7, 5, 1, 7, "#f4efe2")
    canvas.box(4, 6, 2, 1, "#e6f6fb")


def _side_window(canvas: Canvas, kind: str) -> None:
    _top(canvas, kind)
    canvas.box(4, 2, 8, 12, "#a8d5e8")
    canvas.box(7, 2, 2, 12, "#d5edf6")


def _door(canvas: Canvas) -> None:
    canvas.fill("#8a5a34")
    canvas.box(0, 0, 2, TILE, "#5b3a20")
    canvas.box(TILE - 2, 0, 2, TILE, "#5b3a20")
    canvas.box(3, 3, 10, 11, "#a9713f")
    canvas.box(4, 9, 8, 4, "#c3904f")
    canvas.box(11, 7, 1, 2, "#f0d060")


def _gate(canvas: Canvas) -> None:
    canvas.fill("#d9c596")
    canvas.speckle("path", 22, "#cbb583", "#e6d5ab", "#bfa873")
    canvas.box(0, 2, 2, 12, "#7b5530")
    canvas.box(TILE - 2, 2, 2, 12, "#7b5530")


def _hedge(canvas: Canvas) -> None:
    canvas.fill("#4f8a3c")
    canvas.speckle("hedge", 46, "#3f7330", "#62a04c", "#457c35")
    canvas.box(0, TILE - 2, TILE, 2, "#35622a")


WALL_LOOKS: dict[str, Look] = {
    "door": Look(_door, walkable=True, single=True),
    "gate": Look(_gate, walkable=True, single=True),
    "hedge": Look(_hedge, single=True),
    **{f"{kind} top": Look(partial(_top, kind=kind), single=True) for kind in _TOPS},
    **{f"{kind} face": Look(partial(_face, kind=kind), single=True) for kind in _FACES},
    **{f"{kind} window": Look(partial(_window, kind=kind), single=True) for kind in _FACES},
    **{
        f"{kind} side window": Look(partial(_side_window, kind=kind), single=True)
        for kind in _TOPS
    },
}
