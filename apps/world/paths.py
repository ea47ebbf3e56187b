"""Shortest walkable paths between tiles, deterministic (W1)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import networkx

from apps.world.problems import Unreachable
from apps.world.tile_map import Tile, TileMap

PATHS_KEPT_MAX = 4_096
DISTANCES_KEPT_MAX = 512


class Paths:
    """Shortest paths over a map's walkable tiles, each joined to its four neighbours; cached.

    The order of the graph's edges depends on the map alone, so that every process finds the
    same one of several shortest paths (V2).
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
        self._measured = lru_cache(maxsize=DISTANCES_KEPT_MAX)(self._measure)

    def __reduce__(self) -> tuple[type["Paths"], tuple[TileMap]]:
        return (Paths, (self._map,))

    def path(self, start: Tile, goal: Tile) -> tuple[Tile, ...]:
        """Return the steps from start to goal, without start; none if they are equal.

        :raises Unreachable: if there is no walkable path.
        """
        return self._found(start, goal)

    def steps_to_areas(self, start: Tile) -> Mapping[str, int]:
        """Return the number of steps from a tile to each area that can be reached.

        Within an area it is counted from one of its tiles, so that agents in one room share
        the answer.
        """
        area = self._map.area_at(start)
        standing = self._map.standing_tiles(area)
        return self._measured(standing[0] if standing else start)

    def crossings(self, steps: Sequence[Tile], start: Tile) -> tuple[tuple[int, str], ...]:
        """Return the steps that enter another area: (index of the step, area entered).

        The area is "" for the outdoors.
        """
        before = (start, *steps)
        areas = [self._map.area_at(tile) for tile in before]
        return tuple(
            (index, area) for index, (left, area) in enumerate(pairwise(areas)) if left != area
        )

    def _measure(self, start: Tile) -> Mapping[str, int]:
        steps: dict[str, int] = {}
        lengths = networkx.single_source_shortest_path_length(self._graph, start)
        for tile, length in lengths.items():
            area = self._map.area_at(tile)
            if area:
                steps[area] = min(length, steps.get(area, length))
        return steps

    def _find(self, start: Tile, goal: Tile) -> tuple[Tile, ...]:
        try:
            found = networkx.shortest_path(self._graph, start, goal)
        except (networkx.NetworkXNoPath, networkx.NodeNotFound) as no_way:
            raise Unreachable(
                f"there is no walkable path from {start} to {goal}; choose a walkable tile"
            ) from no_way
        return tuple(found[1:])
