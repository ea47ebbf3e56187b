"""Drawn maps are what their plans say, to the byte, and plans keep to their plots."""

from pathlib import Path

import pytest

from worlds.drawing.__main__ import main, paint
from worlds.drawing.picture import picture_of
from worlds.drawing.png import read_png, write_png
from worlds.drawing.town import read_world_snapshot

HERE = Path(__file__).parents[3]
DRAWN = [
    HERE / "worlds" / "smallville",
    *(HERE / "tests" / "worlds" / name for name in ("two_rooms", "muehlbach")),
]
FILES = ("map.json", "tileset.json", "tileset.png")


class TestDrawing:
    @pytest.mark.parametrize("folder", DRAWN, ids=lambda folder: folder.name)
    def test_gives_the_files_that_are_kept(self, folder: Path, tmp_path: Path) -> None:
        copy = tmp_path / folder.name
        (copy / "plans").mkdir(parents=True)
        for plan in (folder / "plans").iterdir():
            (copy / "plans" / plan.name).write_bytes(plan.read_bytes())
        main([str(copy)])
        for name in FILES[:2]:
            assert (copy / name).read_bytes() == (folder / name).read_bytes()
        drawn, kept = read_png(copy / FILES[2]), read_png(folder / FILES[2])
        assert (drawn == kept).all()

    @pytest.mark.parametrize("folder", DRAWN, ids=lambda folder: folder.name)
    def test_covers_every_tile_of_the_picture(self, folder: Path) -> None:
        assert picture_of(folder)[:, :, 3].all()

    def test_reads_back_the_picture_that_it_wrote(self, tmp_path: Path) -> None:
        picture = paint(*read_world_snapshot(DRAWN[1] / "plans")).atlas.picture()
        write_png(tmp_path / "a.png", picture)
        assert (read_png(tmp_path / "a.png") == picture).all()


class TestPlots:
    def test_do_not_touch_streets_or_one_another(self) -> None:
        town, _ = read_world_snapshot(DRAWN[0] / "plans")
        taken: dict[tuple[int, int], str] = {}
        strips = [("a street", street) for street in town.streets]
        crossings = len(strips)
        for number, (name, (x, y, width, height)) in enumerate((*strips, *town.plots.items())):
            for tile in ((x + a, y + d) for a in range(width) for d in range(height)):
                assert number < crossings or tile not in taken, (name, tile, taken.get(tile))
                taken[tile] = name

    def test_hold_the_plans_of_their_places(self) -> None:
        town, plans = read_world_snapshot(DRAWN[0] / "plans")
        for plan in plans:
            x, y, width, height = town.plots[plan.place]
            for across, down in plan.signs:
                assert x <= plan.at[0] + across < x + width
                assert y <= plan.at[1] + down < y + height
