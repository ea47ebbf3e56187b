"""Distances and sight (W6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.world.geometry import chebyshev, extent, in_sight

TILES = st.tuples(st.integers(-50, 50), st.integers(-50, 50))


class TestExtent:
    @given(st.lists(TILES, min_size=1, max_size=12))
    def test_is_the_largest_distance_of_two_tiles(self, tiles: list[tuple[int, int]]) -> None:
        assert extent(tiles) == max(chebyshev(a, b) for a in tiles for b in tiles)

    def test_of_nothing_is_zero(self) -> None:
        assert extent([]) == 0


class TestInSight:
    @pytest.mark.parametrize(
        ("viewed", "same_area", "seen"),
        [
            ([(8, 8)], True, True),
            ([(9, 0)], True, False),
            ([(20, 20), (3, 8)], True, True),
            ([(1, 0)], False, False),
            ([], True, False),
        ],
    )
    def test_reaches_as_far_as_vision_within_an_area(
        self, viewed: list[tuple[int, int]], same_area: bool, seen: bool
    ) -> None:
        assert in_sight((0, 0), viewed, vision=8, same_area=same_area) is seen
