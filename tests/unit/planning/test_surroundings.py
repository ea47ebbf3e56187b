"""The known places and areas that an agent can plan with (W2, W3)."""

from apps.planning.surroundings import known_areas, known_places
from tests.unit.planning.people import (
    ADA,
    ISABELLA,
    KLAUS,
    millbrook,
    planning_context_of,
    smallville,
)

DORM = "Oak Hill College Dorm"


class TestKnownAreas:
    def test_are_those_without_residents_and_the_own_ones(self) -> None:
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
        tree = millbrook().tree
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
