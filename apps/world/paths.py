"""The way from tile to tile on foot: shortest, one step a tick, always the same one (W1)."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import networkx

from apps.world.errors import Unreachable
from apps.world.geometry import Tile
from apps.world.tile_map import TileMap

PATHS_KEPT_MAX = 4_096


class Paths:
    """Shortest paths over a map's walkable tiles; the latest are kept.

    The graph's order of edges follows from the map alone, so that of several shortest paths
    every process finds the same one (V2).
    """

    def __init__(self, tile_map: TileMap) -> None:
        self._map = tile_map
        self._graph: networkx.Graph[Tile] = networkx.Graph()
        for y in range(tile_map.height):
            for x in range(tile_map.width):
                if tile_map.is_walkable((x, y)):
                    self._graph.add_node((x, y))
                    self._graph.add_edges_from(
                        ((x, y), beside) for beside in tile_map.beside((x, y))
                    )
        self._found = lru_cache(maxsize=PATHS_KEPT_MAX)(self._find)

    def __reduce__(self) -> tuple[type["Paths"], tuple[TileMap]]:
        return (Paths, (self._map,))

    def path(self, start: Tile, goal: Tile) -> tuple[Tile, ...]:
        """Return the steps from start to goal, without start; none if one is there.

        :raises Unreachable: if no way leads there on foot.
        """
        return self._found(start, goal)

    def crossings(self, steps: Sequence[Tile], start: Tile) -> tuple[tuple[int, str], ...]:
        """Return where the steps enter another area: (index of the step, area entered).

        The area is "" where they enter the outdoors.
        """
        before = (start, *steps)
        areas = [self._map.area_at(tile) for tile in before]
        return tuple(
            (index, area) for index, (left, area) in enumerate(pairwise(areas)) if left != area
        )

    def _find(self, start: Tile, goal: Tile) -> tuple[Tile, ...]:
        try:
            found = networkx.shortest_path(self._graph, start, goal)
        except (networkx.NetworkXNoPath, networkx.NodeNotFound) as no_way:
            raise Unreachable(
                f"no way leads from {start} to {goal} on foot; choose a walkable tile"
            ) from no_way
        return tuple(found[1:])
