"""Smallville's own data: all of it loads, can be reached and keeps to the facts (W8)."""

import re

from apps.world.tree import Node
from tests.support.worlds import smallville

WORLD = smallville()
FEW = {
    "counter": 3,
    "bar counter": 3,
    "grocery counter": 3,
    "pharmacy counter": 3,
    "sofa": 3,
    "bench": 3,
    "benches": 3,
    "table": 6,
    "tables": 6,
    "dining table": 6,
    "pool table": 6,
}
MANY = {"student seating": 20, "customer seating": 16}
ANY_NUMBER = {
    "shelf",
    "bookshelf",
    "bookshelves",
    "product shelves",
    "grocery shelves",
    "pharmacy shelves",
    "garden bed",
    "garden",
    "path",
}
COUPLES_BEDS = {
    "Moore family's house: main room: bed",
    "Moreno family's house: Tom and Jane Moreno's bedroom: bed",
    "Lin family's house: Mei and John Lin's bedroom: bed",
}


def areas(ending: str) -> list[Node]:
    return [area for area in WORLD.tree.areas if area.name.endswith(ending)]


class TestSmallville:
    def test_has_nineteen_places_and_twenty_five_people(self) -> None:
        assert len(WORLD.tree.places) == 19
        assert len(WORLD.agents) == 25

    def test_lets_everybody_reach_everything_from_their_bed(self) -> None:
        for person in WORLD.agents:
            bed = WORLD.map.use_tiles(person.bed)[0]
            for area in WORLD.tree.areas:
                assert WORLD.paths.path(bed, WORLD.map.standing_tiles(area.path)[0])

    def test_has_objects_that_are_all_reached_within_their_room(self) -> None:
        for thing in WORLD.tree.objects:
            assert thing.parent is not None
            start = WORLD.map.standing_tiles(thing.parent)[0]
            for tile in WORLD.map.use_tiles(thing.path):
                steps = WORLD.paths.path(start, tile)
                assert {WORLD.map.area_at(step) for step in steps} <= {thing.parent}

    def test_has_a_door_to_every_room_but_the_park(self) -> None:
        with_doors = {door.area for door in WORLD.map.doors}
        rooms = {area.path for area in WORLD.tree.areas}
        assert rooms - with_doors == {"Johnson Park: park"}

    def test_is_entered_by_doors_only(self) -> None:
        doors = {door.tile for door in WORLD.map.doors}
        for area in WORLD.tree.areas:
            if area.name == "park":
                continue
            for tile in WORLD.map.area_tiles(area.path):
                for beside in WORLD.map.beside(tile):
                    crosses = WORLD.map.area_at(beside) != area.path
                    assert not crosses or tile in doors or beside in doors

    def test_has_bathrooms_for_one(self) -> None:
        assert len(areas("bathroom")) == 18
        assert all(area.norms.holds == 1 for area in areas("bathroom"))

    def test_has_objects_that_serve_as_many_as_the_facts_say(self) -> None:
        for thing in WORLD.tree.objects:
            expected = None if thing.name in ANY_NUMBER else {**FEW, **MANY}.get(thing.name, 1)
            expected = 2 if thing.path in COUPLES_BEDS else expected
            assert thing.norms.holds == expected, thing.path

    def test_has_as_many_seats_as_its_seating_holds(self) -> None:
        for thing in WORLD.tree.objects:
            if thing.name in {**FEW, **MANY}:
                assert len(WORLD.map.use_tiles(thing.path)) >= (thing.norms.holds or 0)

    def test_has_a_toolbox_in_every_home(self) -> None:
        homes = [place for place in WORLD.tree.places if place.norms.residents]
        assert len(homes) == 13
        for home in homes:
            assert any(node.name == "toolbox" for node in WORLD.tree.below(home.path))

    def test_keeps_its_objects_small_enough_to_see(self) -> None:
        assert WORLD.widest_shared <= 6

    def test_has_people_who_know_their_home_and_work(self) -> None:
        for person in WORLD.agents:
            assert {person.home, person.bed} <= set(person.knows)
            assert person.workplace is None or person.workplace in person.knows
            assert all(path in WORLD.tree for path in person.knows)

    def test_has_people_whose_phrases_are_sentences_about_them(self) -> None:
        for person in WORLD.agents:
            assert len(person.seeds) >= 12
            assert all(phrase.startswith(person.name) for phrase in person.seeds)

    def test_lets_a_secret_be_known_to_those_alone_who_keep_it(self) -> None:
        told = {person.name: person.description.lower() for person in WORLD.agents}
        assert [name for name, text in told.items() if "party" in text] == [
            "Isabella Rodriguez"
        ]
        assert {name for name, text in told.items() if "for mayor" in text} >= {"Sam Moore"}
        candidacy = re.compile(r"(?:will|wants to|is) run(?:ning)? for mayor")
        knowing = {
            name
            for name, text in told.items()
            if candidacy.search(text.replace("who will run for mayor", ""))
        }
        assert knowing == {"Sam Moore", "Jennifer Moore"}

    def test_keeps_rooms_private_where_people_share_a_house_without_being_a_family(
        self,
    ) -> None:
        private = {area.path for area in WORLD.tree.areas if area.norms.private}
        own = {area.path for area in WORLD.tree.areas if area.norms.residents}
        families = ("Lin family's house", "Moreno family's house")
        assert private == {path for path in own if not path.startswith(families)}

    def test_has_its_pub_next_door_to_its_cafe(self) -> None:
        cafe = WORLD.map.area_tiles("Hobbs Cafe: cafe")
        pub = WORLD.map.area_tiles("The Rose and Crown Pub: pub")
        assert min(x for x, _ in pub) - max(x for x, _ in cafe) <= 4

    def test_keeps_the_others_rooms_from_newcomers(self) -> None:
        klaus = WORLD.person("Klaus Mueller")
        assert "Oak Hill College Dorm: Maria Lopez's room" not in klaus.knows
        assert "Oak Hill College Dorm: women's bathroom" not in klaus.knows
        assert "Oak Hill College Dorm: kitchen: stove" in klaus.knows
