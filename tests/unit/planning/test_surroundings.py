"""The known places and areas that an agent can plan with (W2, W3)."""

import pytest

from apps.planning.surroundings import known_areas, known_places
from tests.support.worlds import smallville, two_rooms
from tests.unit.planning.people import (
    ADA,
    ISABELLA,
    KLAUS,
    planning_context_of,
)

DORM = "Oak Hill College Dorm"


LINS = "Lin family's house"
EDDYS_BEDROOM = f"{LINS}: Eddy Lin's bedroom"


class TestKnownAreas:
    @pytest.mark.parametrize("name", ["John Lin", "Mei Lin", "Eddy Lin"])
    def test_are_all_rooms_of_the_home_for_each_of_a_family(self, name: str) -> None:
        offered = {area.path for area in planning_context_of(name).areas(LINS)}
        assert offered == {area.path for area in smallville().tree.children(LINS)}

    def test_say_whose_room_each_is(self) -> None:
        of_john = planning_context_of("John Lin").areas(LINS)
        [room] = [area for area in of_john if area.path == EDDYS_BEDROOM]
        assert room.residents == ("Eddy Lin",)

    def test_have_the_private_room_of_an_agent_that_came_to_live_there(self) -> None:
        tree, room = smallville().tree, f"{DORM}: Ayesha Khan's room"
        known = frozenset({DORM, room})
        at_home = known_areas(tree, known, place=DORM, person=ADA, home=room)
        assert [area.path for area in at_home] == [room]
        assert known_areas(tree, known, place=DORM, person=ADA, home="") == ()

    def test_are_those_that_are_not_private_and_the_own_ones(self) -> None:
        tree = smallville().tree
        known = frozenset(node.path for node in tree.below(DORM)) | {DORM}
        of_klaus = known_areas(tree, known, place=DORM, person=KLAUS)
        names = {area.name for area in of_klaus}
        assert "Klaus Mueller's room" in names
        assert "Maria Lopez's room" not in names
        assert {"men's bathroom", "women's bathroom"} <= names

    def test_do_not_depend_on_the_spelling_of_a_name(self) -> None:
        tree = smallville().tree
        known = frozenset(node.path for node in tree.below(DORM)) | {DORM}
        of_a_namesake = known_areas(tree, known, place=DORM, person="Klaus Other")
        assert "Klaus Mueller's room" not in {area.name for area in of_a_namesake}

    def test_are_none_of_a_place_that_is_not(self) -> None:
        tree = two_rooms().tree
        assert known_areas(tree, frozenset(), place="nowhere", person=ADA) == ()


class TestKnownPlaces:
    def test_have_their_norms(self) -> None:
        of = planning_context_of(ISABELLA)
        cafe = next(place for place in of.places() if place.path == "Hobbs Cafe")
        assert (cafe.opens, cafe.closes, cafe.keepers) == (480, 1_200, (ISABELLA,))

    def test_offer_the_areas_of_a_home_as_its_parts_only(self) -> None:
        of = planning_context_of(ADA)
        [cottage] = known_places(of.tree, of.known, person=ADA)
        assert cottage.areas == ("bedroom", "kitchen")
        assert cottage.residents == ("Ada Finch", "Ben Marsh")
