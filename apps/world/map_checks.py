"""Checks that areas and objects on a tile map are reachable, and rooms small enough (W8)."""

from collections.abc import Collection

from apps.world.geometry import extent
from apps.world.node import Node
from apps.world.problems import Findings
from apps.world.tile_map import TileMap
from apps.world.tree import WorldTree

ROOM_EXTENT_MAX = 8  # tiles; an agent in the door must see all agents in a room with capacity
_OPEN_A_WAY = "leave tiles of the layer 'collision' empty on the way there"


def check_map(tree: WorldTree, tile_map: TileMap, on_map: Findings) -> None:
    """Report unreachable areas and objects, and rooms with a capacity that are too large.

    Nodes that are missing on the map were reported before and are skipped.
    """
    drawn = [area for area in tree.areas if tile_map.has_area(area.path)]
    unreached = {area.path for area in drawn if not tile_map.area_tiles(area.path)}
    for area in drawn:
        if area.path in unreached:
            on_map.add(
                f"area {area.path!r}",
                "cannot be reached on foot from the rest of the map",
                hint=f"{_OPEN_A_WAY}, such as its door",
            )
        else:
            _check_size(area, tile_map, on_map)
    _check_objects(tree, tile_map, unreached, on_map)


def _check_size(area: Node, tile_map: TileMap, on_map: Findings) -> None:
    size = extent(tile_map.area_tiles(area.path))
    if area.norms.holds is not None and size > ROOM_EXTENT_MAX:
        on_map.add(
            f"area {area.path!r}",
            f"holds {area.norms.holds} but is {size} tiles wide, more than an agent sees",
            hint=f"draw it within {ROOM_EXTENT_MAX + 1} x {ROOM_EXTENT_MAX + 1} tiles, "
            "or let it hold any number",
        )


def _check_objects(
    tree: WorldTree, tile_map: TileMap, unreached: Collection[str], on_map: Findings
) -> None:
    for thing in tree.objects:
        is_drawn = tile_map.tiles_of(thing.path) and thing.parent not in unreached
        if is_drawn and not tile_map.use_tiles(thing.path):
            on_map.add(
                f"object {thing.path!r}",
                "cannot be used from anywhere",
                hint="leave it or a tile beside it, in its area, empty on 'collision'",
            )
