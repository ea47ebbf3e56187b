"""Distances on the tile grid."""

from hypothesis import given
from hypothesis import strategies as st

from apps.world.tile_map import chebyshev, extent

TILES = st.tuples(st.integers(-50, 50), st.integers(-50, 50))


class TestExtent:
    @given(st.lists(TILES, min_size=1, max_size=12))
    def test_is_the_largest_distance_of_two_tiles(self, tiles: list[tuple[int, int]]) -> None:
        assert extent(tiles) == max(chebyshev(a, b) for a in tiles for b in tiles)

    def test_of_nothing_is_zero(self) -> None:
        assert extent([]) == 0
