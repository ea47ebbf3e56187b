"""Builds the tile map from the tree and the drawing, and reports where they differ (W8)."""

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches

from apps.world.problems import Findings
from apps.world.tile_map import BESIDE, Door, Tile, TileMap, extent
from apps.world.tiled import AREAS, OBJECTS, Drawing, DrawnShape
from apps.world.tree import Node, NodeKind, WorldTree


def build_map(
    tree: WorldTree, drawing: Drawing, *, on_map: Findings, in_yaml: Findings
) -> TileMap:
    """Return the tile map, as far as the drawing is valid; report the problems."""
    areas = _claimed(tree, drawing, on_map)
    footprints = _footprints(tree, drawing, areas, on_map)
    _check_all_drawn(tree, NodeKind.AREA, set(areas.values()), in_yaml)
    _check_all_drawn(tree, NodeKind.OBJECT, set(footprints), in_yaml)
    reached = town_piece(_free_tiles(drawing), areas)
    tiles = [(x, y) for y in range(drawing.height) for x in range(drawing.width)]
    return TileMap(
        width=drawing.width,
        height=drawing.height,
        walkable=[tile in reached for tile in tiles],
        areas=[areas.get(tile, "") for tile in tiles],
        footprints=footprints,
        doors=_doors(drawing, areas, reached, on_map),
        area_of_object={path: tree.area_of(path) for path in footprints},
    )


def town_piece(free: frozenset[Tile], areas: Mapping[Tile, str]) -> frozenset[Tile]:
    """Return the connected piece that reaches the most areas; of equal ones the largest.

    A map may have more free tiles around the town than in it.
    """
    left = dict.fromkeys(sorted(free, key=lambda tile: (tile[1], tile[0])))
    town: frozenset[Tile] = frozenset()
    size = (0, 0)
    while left:
        piece = _piece_around(next(iter(left)), free)
        own_size = (len({areas[tile] for tile in piece if tile in areas}), len(piece))
        if own_size > size:
            town, size = piece, own_size
        for tile in piece:
            del left[tile]
    return town


def _piece_around(start: Tile, free: frozenset[Tile]) -> frozenset[Tile]:
    piece, border = {start}, [start]
    while border:
        for beside in _neighbours(border.pop()):
            if beside in free and beside not in piece:
                piece.add(beside)
                border.append(beside)
    return frozenset(piece)


def _free_tiles(drawing: Drawing) -> frozenset[Tile]:
    return frozenset(
        (index % drawing.width, index // drawing.width)
        for index, is_free in enumerate(drawing.free)
        if is_free
    )


def _claimed(tree: WorldTree, drawing: Drawing, on_map: Findings) -> dict[Tile, str]:
    """Return the areas of tiles; a door belongs to the area that it opens into."""
    claimed: dict[Tile, str] = {}
    for drawn in (*drawing.areas, *drawing.doors):
        if not _is_known(drawn, NodeKind.AREA, tree, on_map):
            continue
        for tile in drawn.tiles:
            other = claimed.setdefault(tile, drawn.path)
            if other != drawn.path:
                on_map.add(
                    drawn.element,
                    f"overlaps {other!r} at tile {tile}",
                    hint="draw areas and doors so that no tile belongs to two areas",
                )
                break
    return claimed


def _footprints(
    tree: WorldTree, drawing: Drawing, areas: Mapping[Tile, str], on_map: Findings
) -> dict[str, list[Tile]]:
    """Return the tiles of each object; several shapes of one path are one object."""
    footprints: dict[str, list[Tile]] = {}
    drawn_areas = {drawn.path for drawn in drawing.areas}
    for drawn in drawing.objects:
        if not _is_known(drawn, NodeKind.OBJECT, tree, on_map):
            continue
        area = tree.area_of(drawn.path)
        astray = next((tile for tile in drawn.tiles if areas.get(tile) != area), None)
        # An area that is not drawn is reported once, and not for each of its objects.
        if astray is not None and area in drawn_areas:
            on_map.add(
                drawn.element,
                f"stands outside its area at tile {astray}",
                hint=f"move it into {area!r}, or draw that area larger",
            )
        taken = footprints.setdefault(drawn.path, [])
        taken.extend(tile for tile in drawn.tiles if tile not in taken)
    return footprints


def _is_known(drawn: DrawnShape, kind: NodeKind, tree: WorldTree, on_map: Findings) -> bool:
    if drawn.path in tree and tree.node(drawn.path).kind is kind:
        return True
    names = {node.path.casefold(): node.path for node in tree.nodes if node.kind is kind}
    near = [names[name] for name in get_close_matches(drawn.path.casefold(), names, n=1)]
    on_map.add(
        drawn.element,
        f"world.yaml has no such {kind}",
        hint=f"did you mean {near[0]!r}?" if near else f"add the {kind} to world.yaml",
    )
    return False


def _check_all_drawn(
    tree: WorldTree, kind: NodeKind, drawn: set[str], in_yaml: Findings
) -> None:
    layer = AREAS if kind is NodeKind.AREA else OBJECTS
    for node in tree.nodes:
        if node.kind is kind and node.path not in drawn:
            in_yaml.add(
                node.path,
                "is nowhere on the map",
                hint=f"draw it on the layer {layer!r} of map.json, named by its path",
            )


def _doors(
    drawing: Drawing,
    areas: Mapping[Tile, str],
    reached: frozenset[Tile],
    on_map: Findings,
) -> list[Door]:
    doors = []
    for drawn in drawing.doors:
        for tile in drawn.tiles:
            beyond = _beyond(tile, drawn.path, areas, reached)
            if tile in reached and beyond is not None:
                doors.append(Door(tile=tile, area=drawn.path, beyond=beyond))
            else:
                on_map.add(
                    drawn.element,
                    f"does not open at tile {tile}",
                    hint="leave it and a tile on both its sides empty on 'collision'",
                )
    return doors


def _beyond(
    door: Tile, area: str, areas: Mapping[Tile, str], reached: frozenset[Tile]
) -> str | None:
    """Return the area on the other side of a door, None if the door joins no two areas."""
    around = [areas.get(tile, "") for tile in _neighbours(door) if tile in reached]
    other = [beside for beside in around if beside != area]
    return other[0] if other and area in around else None


def _neighbours(tile: Tile) -> Iterable[Tile]:
    return ((tile[0] + across, tile[1] + down) for across, down in BESIDE)


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
