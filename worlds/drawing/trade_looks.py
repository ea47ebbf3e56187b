"""How the furniture of the pub and the shops looks."""

from functools import partial

from worlds.drawing.canvas import Canvas
from worlds.drawing.look import Look

_WOOD, _DARK_WOOD, _LIGHT_WOOD = "#a8743f", "#7d5128", "#c6935a"
_BOTTLES = ("#3f7a4a", "#8a3a2f", "#d9a441", "#4f7aa8", "#6b4a32")
_GOODS = ("#d9a441", "#4f7aa8", "#b5473f", "#5f9a62", "#e6dcc3", "#7d5a9a")
_FRUIT = ("#d9473f", "#f09a4a", "#f6d85a", "#7cb65a", "#8a4f8f", "#a8743f")
_BOXES = ("#fbf8f1", "#bfe0ea", "#f3c9c4", "#cfe6c4")


def _bar_counter(canvas: Canvas) -> None:
    canvas.block(0, 1, canvas.width, canvas.height - 1, "#6b4226")
    canvas.box(1, 2, canvas.width - 2, 6, "#94602f")
    canvas.box(1, 3, canvas.width - 2, 1, "#b07a43")
    for x in range(7, canvas.width - 5, 19):
        canvas.box(x, 0, 3, 5, "#f0d060")
        canvas.box(x + 7, 1, 3, 4, "#e6f6fb")


def _runner(canvas: Canvas, colour: str, edge: str) -> None:
    canvas.box(0, 2, canvas.width, 9, colour)
    canvas.box(0, 2, canvas.width, 1, edge)
    canvas.box(0, 10, canvas.width, 1, edge)


def _pub_table(canvas: Canvas) -> None:
    canvas.block(0, 1, canvas.width, canvas.height - 2, "#7d4f2a")
    canvas.box(1, canvas.height - 4, canvas.width - 2, 2, "#5b3a20")
    canvas.box(3, 4, canvas.width - 6, 1, "#9a6a3c")
    for x in (6, canvas.width - 9):
        canvas.box(x, 6, 3, 4, "#e8b04a")
        canvas.box(x, 5, 3, 1, "#fbf8f1")


def _bottle_shelf(canvas: Canvas) -> None:
    canvas.block(0, 0, canvas.width, canvas.height, _DARK_WOOD)
    for row, y in enumerate((1, 8)):
        for number, x in enumerate(range(2, canvas.width - 2, 3)):
            colour = _BOTTLES[(number * 3 + row) % len(_BOTTLES)]
            canvas.box(x, y + 2, 2, 4, colour)
            canvas.box(x, y, 1, 2, colour)
        canvas.box(1, y + 6, canvas.width - 2, 1, _LIGHT_WOOD)


def _microphone(canvas: Canvas) -> None:
    _stage(canvas)
    canvas.box(7, 5, 1, 9, "#3c4048")
    canvas.box(4, 14, 7, 1, "#3c4048")
    canvas.disc(7.5, 4, 2.5, "#8d949c")
    canvas.disc(7, 3.5, 1, "#c9ced4")


def _stage(canvas: Canvas) -> None:
    canvas.block(0, 0, canvas.width, canvas.height, "#8d5f38", "#5b3a20")
    for y in range(4, canvas.height - 1, 5):
        canvas.box(1, y, canvas.width - 2, 1, "#7a4f2c")


def _fireplace(canvas: Canvas) -> None:
    canvas.block(0, 0, canvas.width, canvas.height, "#8b8d96")
    canvas.box(4, 4, canvas.width - 8, canvas.height - 4, "#2f2622")
    middle = canvas.width // 2
    for x, height, colour in ((-5, 5, "#d9743f"), (-1, 8, "#f09a4a"), (3, 5, "#f6d85a")):
        canvas.box(middle + x, canvas.height - height - 1, 3, height, colour)


def _stocked(canvas: Canvas, goods: tuple[str, ...], size: int) -> None:
    canvas.block(0, 0, canvas.width, canvas.height, _WOOD)
    for row, y in enumerate((2, 8)):
        for number, x in enumerate(range(2, canvas.width - size, size + 1)):
            lower = (number * 5 + row) % 2
            colour = goods[(number * 5 + row * 2) % len(goods)]
            canvas.box(x, y + lower, size, 5 - lower, colour)
        canvas.box(1, y + 5, canvas.width - 2, 1, _DARK_WOOD)


def _produce(canvas: Canvas) -> None:
    canvas.block(0, 1, canvas.width, canvas.height - 2, _LIGHT_WOOD)
    for number, x in enumerate(range(1, canvas.width - 7, 8)):
        colour = _FRUIT[number % len(_FRUIT)]
        canvas.box(x, 2, 7, 11, "#7d5128")
        for across, down in ((1, 3), (4, 3), (2, 6), (5, 6), (1, 9), (4, 9)):
            canvas.disc(x + across + 0.5, down + 1, 1.6, colour)


def _crate(canvas: Canvas) -> None:
    canvas.block(1, 3, 14, 12, _LIGHT_WOOD)
    for y in (6, 10):
        canvas.box(2, y, 12, 1, _DARK_WOOD)
    canvas.box(2, 4, 1, 10, _WOOD)
    canvas.box(13, 4, 1, 10, _WOOD)


def _barrel(canvas: Canvas) -> None:
    canvas.disc(8, 9, 6, "#5b3a20")
    canvas.disc(8, 9, 5, "#94602f")
    canvas.disc(8, 9, 3, "#a8743f")
    canvas.box(7, 8, 2, 2, "#5b3a20")


def _parasol(canvas: Canvas) -> None:
    middle = canvas.width / 2
    canvas.disc(middle, middle, middle - 1, "#b5473f")
    for radius, colour in ((middle - 4, "#f6efe2"), (middle - 8, "#b5473f"), (2, "#7d231d")):
        canvas.disc(middle, middle, radius, colour)


TRADE_LOOKS: dict[str, Look] = {
    "bar counter": Look(_bar_counter),
    "runner": Look(partial(_runner, colour="#b8a07a", edge="#d9c596"), walkable=True),
    "red runner": Look(partial(_runner, colour="#8f4036", edge="#c98a5a"), walkable=True),
    "pub table": Look(_pub_table),
    "bottle shelf": Look(_bottle_shelf),
    "microphone": Look(_microphone, walkable=True, single=True),
    "stage": Look(_stage, walkable=True),
    "fireplace": Look(_fireplace),
    "product shelf": Look(partial(_stocked, goods=_GOODS, size=4)),
    "medicine shelf": Look(partial(_stocked, goods=_BOXES, size=3)),
    "produce": Look(_produce),
    "crate": Look(_crate, single=True),
    "barrel": Look(_barrel, single=True),
    "parasol": Look(_parasol),
}
