"""Ways on foot and what lies on them (W1)."""

import pickle
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.world.paths import Paths
from apps.world.problems import Unreachable
from apps.world.tile_map import Tile, TileMap


def map_of(*rows: str) -> TileMap:
    """Return a map of rows: # blocks, a small letter is an area, . the outdoors."""
    signs = "".join(rows)
    return TileMap(
        width=len(rows[0]),
        height=len(rows),
        walkable=[sign != "#" for sign in signs],
        areas=["" if sign in "#." else f"Place: {sign}" for sign in signs],
        footprints={},
        doors=(),
        area_of_object={},
    )


class TestStepsToAreas:
    def test_counts_the_steps_to_the_nearest_tile_of_each_area(self) -> None:
        paths = Paths(map_of("aa..bb", "###.##", "...cc."))
        assert paths.steps_to_areas((0, 0)) == {
            "Place: a": 0,
            "Place: b": 4,
            "Place: c": 5,
        }

    def test_counts_from_where_the_agent_stands_outdoors(self) -> None:
        paths = Paths(map_of("aa..bb", "###.##", "...cc."))
        assert paths.steps_to_areas((3, 0))["Place: b"] == 1

    def test_leaves_out_what_cannot_be_reached(self) -> None:
        assert Paths(map_of("a#b")).steps_to_areas((0, 0)) == {"Place: a": 0}


def steps_by_breadth(tile_map: TileMap, start: Tile, goal: Tile) -> int | None:
    """Return how many steps the shortest way has, by the plainest search there is."""
    steps, border = {start: 0}, deque([start])
    while border:
        tile = border.popleft()
        x, y = tile
        for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if tile_map.is_walkable(beside) and beside not in steps:
                steps[beside] = steps[tile] + 1
                border.append(beside)
    return steps.get(goal)


@st.composite
def maps_and_ends(draw: st.DrawFn) -> tuple[TileMap, Tile, Tile]:
    width, height = draw(st.integers(2, 12)), draw(st.integers(2, 12))
    row = st.text(alphabet="##...ab", min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=height, max_size=height))
    tiles = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    return map_of(*rows), draw(tiles), draw(tiles)


class TestPath:
    @settings(max_examples=200, deadline=None)
    @given(maps_and_ends())
    def test_is_contiguous_free_of_walls_and_as_short_as_can_be(
        self, drawn: tuple[TileMap, Tile, Tile]
    ) -> None:
        tile_map, start, goal = drawn
        paths = Paths(tile_map)
        shortest = (
            steps_by_breadth(tile_map, start, goal) if tile_map.is_walkable(start) else None
        )
        if shortest is None:
            with pytest.raises(Unreachable):
                paths.path(start, goal)
            return
        way = paths.path(start, goal)
        assert len(way) == shortest
        assert all(tile_map.is_walkable(tile) for tile in way)
        for (x, y), (next_x, next_y) in zip((start, *way), way, strict=False):
            assert abs(x - next_x) + abs(y - next_y) == 1
        assert not way or way[-1] == goal

    def test_is_empty_for_who_is_there_already(self) -> None:
        assert Paths(map_of("..", "..")).path((1, 1), (1, 1)) == ()

    def test_is_the_same_in_another_process(self) -> None:
        paths = Paths(map_of(*["." * 9] * 9))
        ways = [paths.path((0, 0), (x, y)) for x in range(9) for y in range(9)]
        travelled = pickle.loads(pickle.dumps(paths))  # noqa: S301 - our own bytes
        assert ways == [travelled.path((0, 0), (x, y)) for x in range(9) for y in range(9)]

    def test_is_refused_out_of_the_map_and_in_walls(self) -> None:
        paths = Paths(map_of(".#", "#."))
        for goal in ((1, 1), (1, 0), (5, 5), (-1, 0)):
            with pytest.raises(Unreachable, match="choose a walkable tile"):
                paths.path((0, 0), goal)


class TestCrossings:
    def test_lists_where_a_way_enters_another_area(self) -> None:
        paths = Paths(map_of("aab.b"))
        way = paths.path((0, 0), (4, 0))
        assert paths.crossings(way, (0, 0)) == (
            (1, "Place: b"),
            (2, ""),
            (3, "Place: b"),
        )

    def test_lists_nothing_within_one_area(self) -> None:
        paths = Paths(map_of("aaa"))
        assert paths.crossings(paths.path((0, 0), (2, 0)), (0, 0)) == ()
        assert paths.crossings((), (0, 0)) == ()
