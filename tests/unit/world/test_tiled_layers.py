"""Tile data as Tiled packs it, and the tiles under what is drawn (W8)."""

import base64
import gzip
import struct
import zlib

import pytest

from apps.world.problems import Findings
from apps.world.tiled import Drawing, NoRegion, read_drawing, tiles_under
from apps.world.tiled_shapes import TiledLayer, TiledMap, TiledObject, Undecodable, tile_numbers

NUMBERS = (0, 1, 2, 0x8000_0003, 7, 300)
PLAIN = (0, 1, 2, 3, 7, 300)
RAW = struct.pack("<6I", *NUMBERS)


def layer(data: tuple[int, ...] | bytes, compression: str = "") -> TiledLayer:
    if isinstance(data, tuple):
        return TiledLayer(name="ground", type="tilelayer", data=data)
    text = base64.b64encode(data).decode()
    return TiledLayer(
        name="ground", type="tilelayer", data=text, encoding="base64", compression=compression
    )


class TestTileNumbers:
    @pytest.mark.parametrize(
        "packed",
        [
            layer(NUMBERS),
            layer(RAW),
            layer(zlib.compress(RAW), "zlib"),
            layer(gzip.compress(RAW), "gzip"),
        ],
    )
    def test_reads_every_packing_that_tiled_writes_by_default(self, packed: TiledLayer) -> None:
        assert tile_numbers(packed, 6) == PLAIN

    @pytest.mark.parametrize(
        ("packed", "why"),
        [
            (layer(RAW, "zstd"), "compressed with 'zstd'"),
            (layer(b"not deflated", "zlib"), "no whole zlib"),
            (layer(zlib.compress(RAW)[:-9], "zlib"), "instead of 6"),
            (layer(zlib.compress(b"\0" * 10_000_000), "zlib"), "instead of 6"),
            (layer((1, 2, 3)), "has 3 tiles instead of 6"),
            (TiledLayer(name="g", type="tilelayer", data="1,2"), "encoded as 'csv'"),
            (
                TiledLayer(name="g", type="tilelayer", data="?", encoding="base64"),
                "no whole base64",
            ),
        ],
    )
    def test_refuses_what_it_cannot_read(self, packed: TiledLayer, why: str) -> None:
        with pytest.raises(Undecodable, match=why):
            tile_numbers(packed, 6)


class TestDrawing:
    """The walls at (1, 0) and a room at (0, 0) of a map of 4 x 4 tiles of 16 pixels."""

    def drawing_of(self, **of_group: float) -> Drawing:
        walls = {"name": "collision", "type": "tilelayer", "width": 4, "height": 4}
        empty = [0] * 16
        layers = [
            {**walls, "data": [0, 1, *empty[2:]]},
            {"name": "areas", "type": "objectgroup", "objects": [room(1, "Mill: loft")]},
            {"name": "objects", "type": "objectgroup"},
            {"name": "doors", "type": "objectgroup"},
        ]
        group = {"name": "town", "type": "group", "layers": layers, **of_group}
        more = [
            {**walls, "data": [*empty[1:], 1]},
            {"name": "areas", "type": "objectgroup", "objects": [room(2, "Mill: yard")]},
        ]
        document = {**a_map().model_dump(exclude={"layers"}), "layers": [group, *more]}
        findings = Findings("map.json")
        drawing = read_drawing(TiledMap.model_validate(document), findings)
        assert drawing is not None
        assert findings.problems == []
        return drawing

    def test_has_layers_of_one_name_as_one(self) -> None:
        drawing = self.drawing_of()
        assert [shape.path for shape in drawing.areas] == ["Mill: loft", "Mill: yard"]
        blocked = [index for index, free in enumerate(drawing.free) if not free]
        assert blocked == [1, 15]

    def test_is_moved_with_its_layers_and_their_groups(self) -> None:
        drawing = self.drawing_of(offsetx=16, offsety=32)
        assert [shape.tiles for shape in drawing.areas] == [((1, 2),), ((0, 0),)]
        blocked = [index for index, free in enumerate(drawing.free) if not free]
        assert blocked == [10, 15]


class TestTilesUnder:
    def test_covers_the_tiles_whose_middle_a_rectangle_holds(self) -> None:
        drawn = TiledObject(id=1, x=17, y=5, width=30, height=10)
        assert tiles_under(drawn, a_map()) == ((1, 0), (2, 0))

    def test_covers_the_tiles_whose_middle_a_polygon_holds(self) -> None:
        corners = ({"x": 0, "y": 0}, {"x": 48, "y": 0}, {"x": 0, "y": 48})
        drawn = TiledObject.model_validate({"id": 1, "x": 0, "y": 0, "polygon": corners})
        assert (0, 0) in tiles_under(drawn, a_map())
        assert (2, 2) not in tiles_under(drawn, a_map())

    def test_covers_the_tile_under_a_point(self) -> None:
        drawn = TiledObject(id=1, x=33, y=17, point=True)
        assert tiles_under(drawn, a_map()) == ((2, 1),)

    @pytest.mark.parametrize(
        ("drawn", "why"),
        [
            (TiledObject(id=1, x=-1, y=0, width=16, height=16), "outside the map"),
            (TiledObject(id=1, x=0, y=0, width=1e12, height=16), "outside the map"),
            (TiledObject(id=1, x=0, y=0, width=3, height=3), "middle of no tile"),
            (TiledObject(id=1, x=0, y=0, width=16, height=16, ellipse=True), "neither"),
            (TiledObject(id=1, x=0, y=16, width=16, height=16, gid=3), "neither"),
            (TiledObject(id=1, x=0, y=0, width=16, height=16, rotation=45), "rotated"),
            (TiledObject(id=1, x=0, y=0, polygon=()), "fewer than three"),
            (TiledObject(id=1, x=0, y=0, point=True, template="t.tj"), "of a template"),
        ],
    )
    def test_refuses_what_stands_for_no_tiles(self, drawn: TiledObject, why: str) -> None:
        with pytest.raises(NoRegion, match=why):
            tiles_under(drawn, a_map())


def room(number: int, path: str) -> dict[str, object]:
    return {"id": number, "name": path, "x": 0, "y": 0, "width": 16, "height": 16}


def a_map() -> TiledMap:
    return TiledMap(
        version="1.10",
        orientation="orthogonal",
        width=4,
        height=4,
        tilewidth=16,
        tileheight=16,
        layers=(),
    )
