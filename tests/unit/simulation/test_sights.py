"""The process-wide table of objects in sight is shared by simulations, and bounded."""

from apps.simulation.snapshot.perception import SIGHTS_KEPT_MAX, _sights, objects_in_sight
from tests.support.worlds import two_rooms

WORLD = two_rooms()
TILE = WORLD.map.area_tiles("Mill Cottage: kitchen")[0]


class TestObjectsInSight:
    def test_are_those_within_the_vision_that_is_asked_for(self) -> None:
        for vision in (1, 8, 1):
            seen = objects_in_sight(WORLD, TILE, vision)
            assert seen
            assert all(distance <= vision for _path, distance in seen)
        assert len(objects_in_sight(WORLD, TILE, 1)) < len(objects_in_sight(WORLD, TILE, 8))

    def test_are_kept_for_a_bounded_number_of_worlds_and_visions(self) -> None:
        for vision in range(1, 3 * SIGHTS_KEPT_MAX):
            objects_in_sight(WORLD, TILE, vision)
        assert _sights.cache_info().currsize == SIGHTS_KEPT_MAX
