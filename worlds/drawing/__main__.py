"""Draws the maps of worlds from their plans.

python -m worlds.drawing worlds/smallville
"""

import sys
from pathlib import Path

from worlds.drawing.indoors import draw_place
from worlds.drawing.outdoors import lay_front_paths, lay_streets, plant_trees, sow_grass
from worlds.drawing.plan import Plan
from worlds.drawing.sheet import Sheet
from worlds.drawing.tiled_file import write_tiled
from worlds.drawing.town import Town, read_world_snapshot

PLANS = "plans"


def paint(town: Town, plans: list[Plan]) -> Sheet:
    """Return the whole town, painted."""
    sheet = Sheet(*town.size)
    sow_grass(sheet)
    lay_streets(sheet, town)
    lay_front_paths(sheet, plans)
    for plan in plans:
        draw_place(sheet, plan)
    plant_trees(sheet, town)
    return sheet


def main(folders: list[str]) -> None:
    """Draw each of the worlds and write its map, tileset and picture into its folder."""
    for folder in folders:
        town, plans = read_world_snapshot(Path(folder) / PLANS)
        write_tiled(paint(town, plans), Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
