"""Writes a painted sheet as a Tiled 1.10 JSON map with its tileset and picture."""

import json
from collections.abc import Iterable
from pathlib import Path

import numpy

from worlds.drawing.atlas import BLOCKED, COLUMNS, Atlas
from worlds.drawing.canvas import TILE
from worlds.drawing.plan import Box
from worlds.drawing.png import write_png
from worlds.drawing.sheet import Numbers, Sheet

MAP_FILE, TILESET_FILE, PICTURE_FILE = "map.json", "tileset.json", "tileset.png"
_WRITTEN_AS = {"tiledversion": "1.10.2", "version": "1.10"}

Json = dict[str, object]


def write_tiled(sheet: Sheet, folder: Path) -> None:
    """Write the three files into the folder."""
    write_png(folder / PICTURE_FILE, sheet.atlas.picture())
    (folder / TILESET_FILE).write_text(_text(_tileset(sheet.atlas)), "utf-8")
    (folder / MAP_FILE).write_text(_text(_map(sheet)), "utf-8")


def _tileset(atlas: Atlas) -> Json:
    rows = atlas.count // COLUMNS
    return {
        "columns": COLUMNS,
        "image": PICTURE_FILE,
        "imageheight": rows * TILE,
        "imagewidth": COLUMNS * TILE,
        "margin": 0,
        "name": "tileset",
        "spacing": 0,
        **_WRITTEN_AS,
        "tilecount": atlas.count,
        "tileheight": TILE,
        "tilewidth": TILE,
        "type": "tileset",
    }


def _map(sheet: Sheet) -> Json:
    tiles = {
        "ground": sheet.ground,
        "walls": sheet.walls,
        "furniture": sheet.furniture,
        "collision": numpy.where(sheet.blocked, BLOCKED, 0).astype(numpy.int32),
    }
    named = {"areas": sheet.areas, "objects": sheet.objects, "doors": sheet.doors}
    layers: list[Json] = [
        _tile_layer(number, name, layer)
        for number, (name, layer) in enumerate(tiles.items(), 1)
    ]
    next_object = 1
    for name, boxes in named.items():
        layers.append(_object_layer(len(layers) + 1, name, boxes, next_object))
        next_object += len(boxes)
    return {
        "compressionlevel": -1,
        "height": sheet.height,
        "infinite": False,
        "layers": layers,
        "nextlayerid": len(layers) + 1,
        "nextobjectid": next_object,
        "orientation": "orthogonal",
        "renderorder": "right-down",
        **_WRITTEN_AS,
        "tileheight": TILE,
        "tilesets": [{"firstgid": 1, "source": TILESET_FILE}],
        "tilewidth": TILE,
        "type": "map",
        "width": sheet.width,
    }


def _tile_layer(number: int, name: str, layer: Numbers) -> Json:
    height, width = layer.shape
    return {
        "data": [int(tile) for tile in layer.ravel()],
        "height": height,
        "id": number,
        "name": name,
        "opacity": 1,
        "type": "tilelayer",
        "visible": name != "collision",
        "width": width,
        "x": 0,
        "y": 0,
    }


def _object_layer(number: int, name: str, boxes: Iterable[tuple[str, Box]], first: int) -> Json:
    return {
        "draworder": "topdown",
        "id": number,
        "name": name,
        "objects": [
            {
                "height": box.height * TILE,
                "id": identity,
                "name": path,
                "rotation": 0,
                "type": "",
                "visible": True,
                "width": box.width * TILE,
                "x": box.x * TILE,
                "y": box.y * TILE,
            }
            for identity, (path, box) in enumerate(boxes, first)
        ],
        "opacity": 1,
        "type": "objectgroup",
        "visible": False,
        "x": 0,
        "y": 0,
    }


def _text(document: Json) -> str:
    """Return the document with each layer and each object on a line of its own."""
    lines = [f" {json.dumps(key)}: {_value(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _value(value: object) -> str:
    if not isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    inner = [json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in value]
    return "[\n  " + ",\n  ".join(inner) + "\n ]"
