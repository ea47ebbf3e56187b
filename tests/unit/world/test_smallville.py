"""Smallville's own data: all of it loads, can be reached and keeps to the facts (W8)."""

from pathlib import Path

from apps.world.loading import world_named
from apps.world.node import Node

WORLD = world_named("smallville", Path(__file__).parents[3] / "worlds")
FEW = {"sofa": 3, "benches": 3, "table": 6, "tables": 6, "pool table": 6}
MANY = {"student seating": 20, "customer seating": 16}
ANY_NUMBER = {"shelf", "bookshelves", "garden bed", "garden", "path"}
HOMES = ("Isabella Rodriguez's apartment", "Oak Hill College Dorm")


def areas(ending: str) -> list[Node]:
    return [area for area in WORLD.tree.areas if area.name.endswith(ending)]


class TestSmallville:
    def test_lets_everybody_reach_everything_from_their_bed(self) -> None:
        for person in WORLD.people:
            bed = WORLD.map.use_tiles(person.bed)[0]
            for thing in WORLD.tree.objects:
                for tile in WORLD.map.use_tiles(thing.path):
                    assert WORLD.paths.path(bed, tile) or tile == bed
            for area in WORLD.tree.areas:
                assert WORLD.paths.path(bed, WORLD.map.standing_tiles(area.path)[0])

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
        assert len(areas("bathroom")) == 3
        assert all(area.norms.holds == 1 for area in areas("bathroom"))

    def test_has_objects_that_serve_as_many_as_the_facts_say(self) -> None:
        for thing in WORLD.tree.objects:
            expected = None if thing.name in ANY_NUMBER else {**FEW, **MANY}.get(thing.name, 1)
            assert thing.norms.holds == expected, thing.path

    def test_has_as_many_seats_as_its_seating_holds(self) -> None:
        for thing in WORLD.tree.objects:
            if thing.name in {**FEW, **MANY}:
                assert len(WORLD.map.use_tiles(thing.path)) >= (thing.norms.holds or 0)

    def test_has_a_toolbox_in_every_home(self) -> None:
        for home in HOMES:
            assert any(node.name == "toolbox" for node in WORLD.tree.below(home))

    def test_keeps_its_objects_small_enough_to_see(self) -> None:
        assert WORLD.widest_shared <= 6

    def test_has_people_who_know_their_home_and_work(self) -> None:
        for person in WORLD.people:
            assert {person.home, person.bed, person.workplace} <= set(person.knows)
            assert all(path in WORLD.tree for path in person.knows)

    def test_has_people_whose_phrases_are_sentences_about_them(self) -> None:
        for person in WORLD.people:
            assert len(person.seeds) >= 12
            assert all(phrase.startswith(person.name) for phrase in person.seeds)

    def test_keeps_the_others_rooms_from_newcomers(self) -> None:
        klaus = WORLD.person("Klaus Mueller")
        assert "Oak Hill College Dorm: Maria Lopez's room" not in klaus.knows
        assert "Oak Hill College Dorm: women's bathroom" not in klaus.knows
        assert "Oak Hill College Dorm: kitchen: stove" in klaus.knows
