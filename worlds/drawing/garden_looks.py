"""How gardens and the park look: trees, flowers, water."""

from functools import partial

from worlds.drawing.canvas import TILE, Canvas, chance
from worlds.drawing.look import Look

_PETALS = ("#e0566a", "#f6e27a", "#f4f1ea", "#c58ad9", "#f09a4a")


def _tree(canvas: Canvas) -> None:
    middle = canvas.width / 2
    reach = canvas.width / 2 - 1
    canvas.disc(middle + 1, canvas.height - 4, reach * 0.7, "#5f9442")
    canvas.box(int(middle) - 2, canvas.height - 10, 4, 8, "#7b5530")
    canvas.disc(middle, reach + 1, reach, "#336b2e")
    canvas.disc(middle, reach, reach - 2, "#43853a")
    canvas.disc(middle - reach / 4, reach - 3, reach / 2, "#5aa04b")
    canvas.disc(middle - reach / 3, reach - 5, reach / 5, "#79bb62")


def _pine(canvas: Canvas) -> None:
    canvas.box(7, 12, 2, 4, "#6b4a2c")
    for row, y in enumerate((0, 4, 8)):
        for line in range(5):
            half = 1 + line + row
            canvas.box(8 - half, y + line, 2 * half, 1, "#2f6b4a" if line < 4 else "#275a3e")


def _bush(canvas: Canvas) -> None:
    for x, y, radius in ((5, 10, 4), (11, 10, 4), (8, 7, 5)):
        canvas.disc(x, y, radius, "#3f7a34")
    canvas.disc(7, 6, 2.5, "#5a9c48")
    canvas.disc(11, 9, 1.5, "#5a9c48")


def _flowers(canvas: Canvas) -> None:
    for number, (x, y) in enumerate(((3, 4), (9, 3), (12, 9), (5, 11), (8, 7))):
        canvas.box(x, y + 2, 1, 3, "#4f8a3c")
        canvas.box(x - 1, y, 3, 2, _PETALS[number])


def _garden_bed(canvas: Canvas) -> None:
    canvas.block(0, 0, canvas.width, canvas.height, "#7a5636", "#9a8f7d")
    for y in range(3, canvas.height - 4, 6):
        for number, x in enumerate(range(3, canvas.width - 4, 6)):
            canvas.box(x, y + 2, 3, 3, "#4f8a3c")
            canvas.box(x, y, 3, 3, _PETALS[(number + y) % len(_PETALS)])


def _pond(canvas: Canvas) -> None:
    canvas.rounded(0, 14, "#b8a878")
    canvas.rounded(3, 12, "#4f97bd")
    canvas.rounded(6, 10, "#62abcf")
    for x, y in ((16, 14), (34, 26), (52, 18), (26, 42), (60, 44)):
        canvas.box(x, y, 7, 1, "#a9d6ea")
    for x, y in ((22, 30), (50, 36)):
        canvas.disc(x, y, 4, "#4f8a3c")
        canvas.box(x - 1, y - 1, 2, 2, "#f3b6c8")


def _lake(canvas: Canvas) -> None:
    canvas.rounded(0, 30, "#b8a878")
    canvas.rounded(3, 28, "#4f97bd")
    canvas.rounded(8, 24, "#62abcf")
    for number in range(canvas.width * canvas.height // 1_400):
        x = 26 + chance("wave", number) % (canvas.width - 60)
        y = 14 + chance("wave", number, 1) % (canvas.height - 28)
        canvas.box(x, y, 7, 1, "#a9d6ea")
    for number in range(canvas.width // 40):
        x = 30 + chance("lily", number) % (canvas.width - 60)
        y = 20 + chance("lily", number, 1) % (canvas.height - 40)
        canvas.disc(x, y, 4, "#4f8a3c")
        canvas.box(x - 1, y - 1, 2, 2, "#f3b6c8")


def _jetty(canvas: Canvas) -> None:
    canvas.box(0, 0, canvas.width, canvas.height, "#a8743f")
    for y in range(3, canvas.height, 4):
        canvas.box(0, y, canvas.width, 1, "#7d5128")
    for x in (0, canvas.width - 2):
        canvas.box(x, 0, 2, canvas.height, "#5b3a20")


def _vegetables(canvas: Canvas) -> None:
    canvas.box(0, 0, canvas.width, canvas.height, "#8a6440")
    for y in range(2, canvas.height - 4, 7):
        canvas.box(0, y + 4, canvas.width, 2, "#6f4e30")
        for number, x in enumerate(range(2, canvas.width - 3, 6)):
            canvas.disc(x + 2, y + 2, 2.2, ("#5a9c48", "#7cb65a")[number % 2])


def _blossom_tree(canvas: Canvas) -> None:
    middle, reach = canvas.width / 2, canvas.width / 2 - 1
    canvas.disc(middle + 1, canvas.height - 4, reach * 0.7, "#5f9442")
    canvas.box(int(middle) - 2, canvas.height - 10, 4, 8, "#7b5530")
    canvas.disc(middle, reach, reach, "#c9788f")
    canvas.disc(middle, reach - 1, reach - 2, "#e6a3b5")
    for x, y in ((-5, -3), (3, -5), (-2, 4), (6, 2), (-7, 3), (1, 0)):
        canvas.disc(middle + x, reach + y, 2, "#f6d5dd")


def _fence(canvas: Canvas) -> None:
    for y in (4, 9):
        canvas.box(0, y, TILE, 2, "#d9d3c4")
    for x in (2, 10):
        canvas.box(x, 1, 3, 13, "#f4f1ea")
        canvas.box(x + 2, 1, 1, 13, "#c9c2b0")


def _fountain(canvas: Canvas) -> None:
    middle = canvas.width / 2
    canvas.disc(middle, middle, middle - 1, "#8b8d96")
    canvas.disc(middle, middle, middle - 4, "#62abcf")
    canvas.disc(middle, middle, 5, "#a7a9b1")
    canvas.disc(middle, middle, 3, "#d5edf6")
    for x, y in ((-9, 0), (8, -4), (2, 9), (-4, -9)):
        canvas.box(int(middle) + x, int(middle) + y, 3, 1, "#d5edf6")


def _walk(canvas: Canvas) -> None:
    canvas.box(0, 0, TILE, TILE, "#d9c596")
    canvas.speckle("path", 22, "#cbb583", "#e6d5ab", "#bfa873")


def _garden_chair(canvas: Canvas) -> None:
    canvas.block(3, 3, 10, 10, "#f4f1ea", "#8d949c")
    for x in (5, 8, 11):
        canvas.box(x, 4, 1, 8, "#c9ced4")


def _lamp(canvas: Canvas) -> None:
    canvas.box(7, 5, 2, 10, "#3c4048")
    canvas.box(5, 14, 6, 1, "#3c4048")
    canvas.disc(8, 4, 3, "#f9e9a8")
    canvas.disc(8, 4, 1.5, "#fffbe6")


GARDEN_LOOKS: dict[str, Look] = {
    "tree": Look(_tree),
    "pine": Look(_pine, single=True),
    "bush": Look(_bush, single=True),
    "flowers": Look(_flowers, walkable=True, single=True),
    "garden bed": Look(_garden_bed, walkable=True),
    "pond": Look(_pond),
    "lake": Look(_lake),
    "jetty": Look(_jetty, walkable=True),
    "vegetables": Look(_vegetables, walkable=True),
    "blossom tree": Look(_blossom_tree),
    "fence": Look(_fence, single=True),
    "fountain": Look(_fountain),
    "walk": Look(partial(_walk), walkable=True, single=True),
    "garden chair": Look(_garden_chair, walkable=True, single=True),
    "lamp": Look(_lamp, single=True),
}
