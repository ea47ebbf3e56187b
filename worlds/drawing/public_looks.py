"""How the furniture of the cafe, the college and the common rooms looks."""

from worlds.drawing.canvas import Canvas
from worlds.drawing.look import Look

_WOOD, _DARK_WOOD, _LIGHT_WOOD = "#a8743f", "#7d5128", "#c6935a"
_DARK = "#2f3238"


def _counter(canvas: Canvas) -> None:
    canvas.block(0, 1, canvas.width, canvas.height - 1, _WOOD)
    canvas.box(1, 2, canvas.width - 2, 6, _LIGHT_WOOD)
    for x in range(5, canvas.width - 1, 8):
        canvas.box(x, 9, 1, 6, _DARK_WOOD)


def _mat(canvas: Canvas) -> None:
    canvas.box(0, 4, canvas.width, 8, "#8a8f78")
    canvas.box(0, 5, canvas.width, 1, "#a1a78c")
    canvas.box(0, 10, canvas.width, 1, "#a1a78c")


def _coffee_machine(canvas: Canvas) -> None:
    canvas.block(0, 0, 16, 16, _WOOD)
    canvas.block(2, 1, 12, 11, "#b9262c", _DARK)
    canvas.box(4, 3, 8, 2, "#e8e3d8")
    canvas.box(5, 7, 6, 4, _DARK)
    canvas.box(7, 8, 2, 3, "#fbf8f1")


def _table(canvas: Canvas) -> None:
    canvas.block(0, 1, canvas.width, canvas.height - 2, _LIGHT_WOOD)
    canvas.box(1, canvas.height - 4, canvas.width - 2, 2, _DARK_WOOD)
    canvas.box(3, 4, canvas.width - 6, 1, "#d9ac74")


def _cloth_table(canvas: Canvas) -> None:
    _table(canvas)
    canvas.box(3, 3, canvas.width - 6, canvas.height - 8, "#f6efe2")
    for x in range(7, canvas.width - 5, 9):
        canvas.disc(x, 7, 2, "#d5cdbb")
        canvas.box(x - 1, 6, 2, 2, "#8a5a34")


def _piano(canvas: Canvas) -> None:
    canvas.block(0, 1, canvas.width, canvas.height - 1, "#3a2b26")
    canvas.box(2, 3, canvas.width - 4, 3, "#54403a")
    canvas.box(2, 9, canvas.width - 4, 5, "#fbf8f1")
    for x in range(4, canvas.width - 3, 3):
        canvas.box(x, 9, 1, 3, _DARK)


def _pool_table(canvas: Canvas) -> None:
    canvas.block(0, 1, canvas.width, canvas.height - 2, _DARK_WOOD)
    canvas.box(3, 4, canvas.width - 6, canvas.height - 8, "#2f8a55")
    for number, colour in enumerate(("#f6f2e6", "#d9a441", "#b5473f", "#3f6fb5", "#222222")):
        x, y = 8 + number * 7 % (canvas.width - 16), 8 + number * 5 % (canvas.height - 16)
        canvas.box(x, y, 2, 2, colour)


def _blackboard(canvas: Canvas) -> None:
    canvas.block(0, 1, canvas.width, 13, "#2f5a4a", _DARK_WOOD)
    canvas.box(4, 4, canvas.width // 2, 1, "#d5e3dc")
    canvas.box(4, 7, canvas.width // 3, 1, "#d5e3dc")
    canvas.box(canvas.width - 12, 9, 6, 1, "#d5e3dc")
    canvas.box(2, 14, canvas.width - 4, 1, _LIGHT_WOOD)


def _podium(canvas: Canvas) -> None:
    canvas.block(2, 2, 12, 13, _WOOD)
    canvas.box(3, 3, 10, 4, _LIGHT_WOOD)
    canvas.box(5, 4, 6, 2, "#fbf8f1")


def _school_seat(canvas: Canvas) -> None:
    canvas.block(1, 2, 14, 6, _LIGHT_WOOD)
    canvas.box(4, 3, 5, 3, "#fbf8f1")
    canvas.block(4, 9, 8, 6, "#4f7aa8")


def _computer(canvas: Canvas) -> None:
    canvas.block(0, 3, canvas.width, canvas.height - 4, _LIGHT_WOOD)
    for x in range(2, canvas.width, 16):
        canvas.block(x, 1, 12, 9, "#5fa3c4", _DARK)
        canvas.box(x + 2, 3, 5, 1, "#d5edf6")
        canvas.box(x + 2, 11, 8, 2, "#d5d8dc")


def _game_console(canvas: Canvas) -> None:
    canvas.block(0, 4, 16, 11, _DARK_WOOD)
    canvas.block(1, 0, 14, 10, "#7d5a9a", "#1f1f24")
    canvas.box(4, 3, 3, 3, "#f0d060")
    canvas.box(10, 4, 2, 4, "#5fd08a")
    canvas.box(4, 11, 8, 2, "#1f1f24")


def _beanbag(canvas: Canvas) -> None:
    canvas.disc(8, 9, 6, "#a34f2c")
    canvas.disc(8, 8, 5, "#d9743f")
    canvas.disc(7, 7, 2, "#e89a68")


def _weights(canvas: Canvas) -> None:
    canvas.box(2, 7, 12, 2, "#8d949c")
    for x in (1, 12):
        canvas.block(x, 3, 3, 10, _DARK, "#16181c")


def _bench(canvas: Canvas) -> None:
    canvas.block(0, 3, canvas.width, 10, _WOOD)
    for y in (5, 8):
        canvas.box(1, y, canvas.width - 2, 1, _DARK_WOOD)
    canvas.box(1, 3, canvas.width - 2, 1, _LIGHT_WOOD)


PUBLIC_LOOKS: dict[str, Look] = {
    "counter": Look(_counter),
    "mat": Look(_mat, walkable=True),
    "coffee machine": Look(_coffee_machine, single=True),
    "table": Look(_table),
    "laid table": Look(_cloth_table),
    "piano": Look(_piano),
    "pool table": Look(_pool_table),
    "blackboard": Look(_blackboard),
    "podium": Look(_podium, single=True),
    "school seat": Look(_school_seat, walkable=True, single=True),
    "computer": Look(_computer),
    "game console": Look(_game_console, single=True),
    "beanbag": Look(_beanbag, walkable=True, single=True),
    "weights": Look(_weights, walkable=True, single=True),
    "bench": Look(_bench, walkable=True),
}
