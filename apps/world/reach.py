"""Checks that everything on a tile map can be reached on foot and seen from its door (W8)."""

from collections.abc import Collection

from apps.world.geometry import extent
from apps.world.node import Node
from apps.world.problems import Findings
from apps.world.tile_map import TileMap
from apps.world.tree import WorldTree

ROOM_EXTENT_MAX = 8  # tiles: who stands in the door must see who is in a room that holds few
_OPEN_A_WAY = "leave tiles of the layer 'collision' empty on the way there"


def check_reach(tree: WorldTree, tile_map: TileMap, on_map: Findings) -> None:
    """Note areas and objects that nobody can get to, and rooms too large for what they hold.

    What is not on the map at all has been noted before and is passed over.
    """
    drawn = [area for area in tree.areas if tile_map.has_area(area.path)]
    unreached = {area.path for area in drawn if not tile_map.area_tiles(area.path)}
    for area in drawn:
        if area.path in unreached:
            on_map.add(
                f"area {area.path!r}",
                "cannot be reached on foot from the rest of the town",
                mend=f"{_OPEN_A_WAY}, such as its door",
            )
        else:
            _check_size(area, tile_map, on_map)
    _check_objects(tree, tile_map, unreached, on_map)


def _check_size(area: Node, tile_map: TileMap, on_map: Findings) -> None:
    size = extent(tile_map.area_tiles(area.path))
    if area.norms.holds is not None and size > ROOM_EXTENT_MAX:
        on_map.add(
            f"area {area.path!r}",
            f"holds {area.norms.holds} but reaches over {size} tiles, more than one sees",
            mend=f"draw it within {ROOM_EXTENT_MAX + 1} x {ROOM_EXTENT_MAX + 1} tiles, "
            "or let it hold any number",
        )


def _check_objects(
    tree: WorldTree, tile_map: TileMap, unreached: Collection[str], on_map: Findings
) -> None:
    for thing in tree.objects:
        is_seen = tile_map.tiles_of(thing.path) and thing.parent not in unreached
        if is_seen and not tile_map.use_tiles(thing.path):
            on_map.add(
                f"object {thing.path!r}",
                "cannot be used from anywhere",
                mend="leave it or a tile beside it, in its area, empty on 'collision'",
            )
