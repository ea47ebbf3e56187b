"""Worlds by name, as they travel, and with fewer people (W8)."""

import json
import pickle
import shutil
import unicodedata
from datetime import datetime
from itertools import chain
from pathlib import Path

import pytest

from apps.kernel.errors import DomainError
from apps.kernel.words import seed_phrases
from apps.world.folders import WorldFolders
from apps.world.loading import load_world, map_document, world_named
from apps.world.problems import AgentNotInWorld, UnknownWorld, WorldBroken

ROOT = Path(__file__).parents[2] / "worlds"
WORLDS = WorldFolders(ROOT)
TWO_ROOMS = ROOT / "two_rooms"
KITCHEN, TABLE = "Mill Cottage: kitchen", "Mill Cottage: kitchen: table"


class TestLoadWorld:
    def test_reads_a_small_world_whole(self) -> None:
        world = load_world(TWO_ROOMS)
        assert (world.key, world.name) == ("two_rooms", "Millbrook")
        assert world.start == datetime(2024, 6, 3)
        assert [person.slug for person in world.agents] == ["ada-finch", "ben-marsh"]
        assert world.tree.node(TABLE).idle_state == "bare"
        assert world.tree.node(TABLE).norms.holds == 2

    def test_reads_sleep_after_midnight_as_the_same_night(self) -> None:
        ada, ben = load_world(TWO_ROOMS).agents
        assert (ada.hours.wake, ada.hours.sleep, ada.hours.dinner) == (390, 1_320, None)
        assert (ben.hours.wake, ben.hours.sleep, ben.hours.dinner) == (540, 1_500, 1_140)

    def test_gives_a_door_to_the_area_that_it_opens_into(self) -> None:
        world = load_world(TWO_ROOMS)
        inner, outer = world.map.doors
        assert (inner.area, inner.beyond) == ("Mill Cottage: kitchen", "Mill Cottage: bedroom")
        assert (outer.area, outer.beyond) == ("Mill Cottage: kitchen", "")
        assert world.map.area_at(outer.tile) == "Mill Cottage: kitchen"
        assert outer.tile not in world.map.standing_tiles("Mill Cottage: kitchen")

    def test_has_an_object_used_from_itself_or_from_beside_it(self) -> None:
        tiles = load_world(TWO_ROOMS).map
        bed = "Mill Cottage: bedroom: Ada's bed"
        assert tiles.use_tiles(bed) == tiles.tiles_of(bed)
        stove = "Mill Cottage: kitchen: stove"
        assert not tiles.is_walkable(tiles.tiles_of(stove)[0])
        assert tiles.use_tiles(stove) == ((10, 3),)

    def test_tells_how_far_apart_rivals_can_be(self) -> None:
        assert load_world(TWO_ROOMS).widest_shared == 3

    def test_has_a_digest_of_what_is_said_not_of_how_it_is_written(
        self, tmp_path: Path
    ) -> None:
        copy = shutil.copytree(TWO_ROOMS, tmp_path / "copy")
        agents = (copy / "people.yaml").read_text("utf-8")
        (copy / "people.yaml").write_text(f"# a remark\n{agents}", "utf-8")
        drawing = (copy / "map.json").read_text("utf-8")
        (copy / "map.json").write_text(drawing.replace("1.10.2", "1.11.0"), "utf-8")
        assert load_world(copy).digest == load_world(TWO_ROOMS).digest
        (copy / "people.yaml").write_text(agents.replace("age: 41", "age: 42"), "utf-8")
        assert load_world(copy).digest != load_world(TWO_ROOMS).digest

    def test_takes_letters_and_their_accents_in_any_form(self, tmp_path: Path) -> None:
        copy = shutil.copytree(TWO_ROOMS, tmp_path / "copy")
        for file in ("world.yaml", "people.yaml", "map.json"):
            text = (copy / file).read_text("utf-8").replace("Mill Cottage", "Mühle")
            is_decomposed = file != "world.yaml"
            text = unicodedata.normalize("NFD", text) if is_decomposed else text
            (copy / file).write_text(text, "utf-8")
        world = load_world(copy)
        assert world.agents[0].home == "Mühle: bedroom"
        decomposed = unicodedata.normalize("NFD", "mühle: kitchen: table")
        assert world.tree.resolve(decomposed).path == "Mühle: kitchen: table"

    def test_takes_files_that_begin_with_a_byte_order_mark(self, tmp_path: Path) -> None:
        copy = shutil.copytree(TWO_ROOMS, tmp_path / "copy")
        for file in ("world.yaml", "people.yaml", "map.json"):
            (copy / file).write_text((copy / file).read_text("utf-8"), "utf-8-sig")
        assert load_world(copy).digest == load_world(TWO_ROOMS).digest
        assert map_document(copy)["width"] == 20

    def test_takes_the_piece_of_the_map_with_the_areas_for_the_town(
        self, tmp_path: Path
    ) -> None:
        """The town may be an island in free tiles that are more than its own."""
        copy = shutil.copytree(TWO_ROOMS, tmp_path / "copy")
        document = json.loads((copy / "map.json").read_text("utf-8"))
        width, height = document["width"], document["height"]
        for layer in document["layers"]:
            if layer["type"] == "tilelayer":
                edge = int(layer["name"] == "collision")
                rows = [layer["data"][row * width :][:width] for row in range(height)]
                rows = [[*row, edge, *[0] * 59] for row in rows]
                rows += [[edge] * (width + 1) + [0] * 59] + [[0] * (width + 60)] * 9
                layer |= {
                    "data": list(chain.from_iterable(rows)),
                    "width": width + 60,
                    "height": height + 10,
                }
        document |= {"width": width + 60, "height": height + 10}
        (copy / "map.json").write_text(json.dumps(document), "utf-8")
        town = load_world(copy).map
        assert town.area_tiles(KITCHEN) == load_world(TWO_ROOMS).map.area_tiles(KITCHEN)
        assert not town.is_walkable((width + 30, 5))

    def test_travels_between_processes(self) -> None:
        world = load_world(TWO_ROOMS)
        travelled = pickle.loads(pickle.dumps(world))  # noqa: S301 - our own bytes
        bed, table = world.map.use_tiles(world.agents[0].bed)[0], world.map.use_tiles(TABLE)[0]
        assert travelled.paths.path(bed, table) == world.paths.path(bed, table)
        assert travelled.digest == world.digest


class TestWorldNamed:
    def test_lists_the_folders_that_hold_a_world(self) -> None:
        assert WORLDS.names == ("muehlbach", "two_rooms")

    def test_reads_a_world_once(self) -> None:
        assert world_named("two_rooms", WORLDS) is world_named("two_rooms", WORLDS)

    @pytest.mark.parametrize("name", ["atlantis", "", "..", "../worlds/two_rooms", "/etc"])
    def test_refuses_a_world_that_is_not_there(self, name: str) -> None:
        with pytest.raises(UnknownWorld, match="there are muehlbach, two_rooms"):
            world_named(name, WORLDS)


class TestWorldFolders:
    @pytest.fixture
    def both(self, tmp_path: Path) -> WorldFolders:
        """Return the shipped worlds, and a folder of worlds with a copy of one of them."""
        shutil.copytree(TWO_ROOMS, tmp_path / "cottage")
        return WorldFolders(own=tmp_path, shipped=ROOT)

    def test_finds_the_worlds_of_users_beside_the_shipped_ones(
        self, both: WorldFolders
    ) -> None:
        assert both.names == ("cottage", "muehlbach", "two_rooms")
        named = [folder.name for folder in both.directories]
        assert named == ["muehlbach", "two_rooms", "cottage"], "the shipped ones first"
        assert world_named("cottage", both).directory == both.own / "cottage"
        assert world_named("muehlbach", both).directory == ROOT / "muehlbach"
        assert WorldFolders(own=both.own / "none", shipped=ROOT).names == WORLDS.names

    def test_refuses_a_folder_with_the_name_of_a_shipped_world(
        self, both: WorldFolders
    ) -> None:
        (both.own / "cottage").rename(both.own / "two_rooms")
        assert both.names == ("muehlbach", "two_rooms")
        with pytest.raises(WorldBroken, match="name of the folder: is that of a") as refused:
            both.find("two_rooms")
        assert str(both.own) not in refused.value.message, "a path of the server"

    def test_takes_the_same_folder_twice_for_one(self, both: WorldFolders) -> None:
        (both.own / "muehlbach").symlink_to(ROOT / "muehlbach")
        assert both.find("muehlbach") == ROOT / "muehlbach"

    def test_names_the_world_whose_name_is_misspelt(self, both: WorldFolders) -> None:
        with pytest.raises(UnknownWorld, match="did you mean 'cottage'"):
            both.find("cotage")

    def test_takes_the_path_of_a_folder_that_holds_a_world(
        self, both: WorldFolders, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        assert both.name_of("cottage") == "cottage"
        assert both.name_of(f"{both.own}/cottage/") == "cottage"
        elsewhere = tmp_path_factory.mktemp("elsewhere") / "cottage"
        shutil.copytree(TWO_ROOMS, elsewhere)
        with pytest.raises(UnknownWorld, match=f"move its folder to {both.own}"):
            both.name_of(str(elsewhere))


class TestWithPeople:
    def test_keeps_the_first_or_those_named(self) -> None:
        world = load_world(TWO_ROOMS)
        assert [person.name for person in world.with_agents(1).agents] == ["Ada Finch"]
        chosen = world.with_agents(["ben-marsh", "Ada Finch"])
        assert [person.name for person in chosen.agents] == ["Ada Finch", "Ben Marsh"]
        assert len(world.agents) == 2

    @pytest.mark.parametrize("chosen", [0, 3, -1, []])
    def test_refuses_a_number_of_people_that_cannot_be(self, chosen: int | list[str]) -> None:
        with pytest.raises(DomainError, match=r"ask for 1 to 2|name one"):
            load_world(TWO_ROOMS).with_agents(chosen)

    def test_refuses_who_is_not_there(self) -> None:
        with pytest.raises(AgentNotInWorld, match="Ada Finch"):
            load_world(TWO_ROOMS).with_agents(["Ada Fich"])


class TestSeedPhrases:
    def test_are_what_stands_between_semicolons(self) -> None:
        said = " Ada is\n  kind; ;Ada likes tea ;"
        assert seed_phrases(said) == ("Ada is kind", "Ada likes tea")


class TestMapDocument:
    def test_carries_its_tilesets_with_it(self) -> None:
        tilesets = map_document(TWO_ROOMS)["tilesets"]
        assert isinstance(tilesets, list)
        assert tilesets[0]["firstgid"] == 1
        assert tilesets[0]["image"] == "tileset.png"
