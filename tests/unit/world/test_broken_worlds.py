"""Broken worlds are refused with file, element and hint, all problems at once (W8)."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from apps.world.loading import load_world
from apps.world.problems import Problem, WorldBroken

TWO_ROOMS = Path(__file__).parents[2] / "worlds" / "two_rooms"
Break = Callable[[Path], object]


@dataclass(frozen=True)
class Broken:
    """A way to break the world, and what of the refusal must tell it."""

    by: Break
    file: str
    element: str
    what: str
    hint: str


def written(file: str, old: str, new: str) -> Break:
    """Break a file by writing something else in one place."""

    def break_it(world: Path) -> None:
        text = (world / file).read_text("utf-8")
        assert old in text
        (world / file).write_text(text.replace(old, new, 1), "utf-8")

    return break_it


def drawn(change: Callable[[dict[str, Any]], object]) -> Break:
    """Break the map by changing its JSON."""

    def break_it(world: Path) -> None:
        document = json.loads((world / "map.json").read_text("utf-8"))
        change(document)
        (world / "map.json").write_text(json.dumps(document), "utf-8")

    return break_it


def layer(document: dict[str, Any], name: str) -> dict[str, Any]:
    return next(layer for layer in document["layers"] if layer["name"] == name)


def thing(document: dict[str, Any], name: str, path: str) -> dict[str, Any]:
    return next(found for found in layer(document, name)["objects"] if found["name"] == path)


def blocked(*tiles: tuple[int, int]) -> Break:
    def change(document: dict[str, Any]) -> None:
        for x, y in tiles:
            layer(document, "collision")["data"][y * document["width"] + x] = 1

    return drawn(change)


def moved(within: str, path: str, /, **places: float | str) -> Break:
    return drawn(lambda document: thing(document, within, path).update(places))


def replaced(file: Path) -> Path:
    """Return a file that is deleted, so that something else can have its name."""
    file.unlink()
    return file


LAUGHS = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
)
KITCHEN, BEDROOM = "Mill Cottage: kitchen", "Mill Cottage: bedroom"

BROKEN = {
    "a missing file": Broken(
        lambda world: (world / "people.yaml").unlink(),
        "people.yaml",
        "the whole file",
        "is missing",
        "add people.yaml",
    ),
    "no JSON": Broken(
        lambda world: (world / "map.json").write_text('{"width": 3,', "utf-8"),
        "map.json",
        "line 1, column",
        "is not JSON",
        "export the map again",
    ),
    "a map with the ending of Tiled": Broken(
        lambda world: (world / "map.json").rename(world / "map.tmj"),
        "map.json",
        "the whole file",
        "is missing",
        "rename map.tmj to map.json",
    ),
    "a file without an end": Broken(
        lambda world: replaced(world / "people.yaml").symlink_to("/dev/zero"),
        "people.yaml",
        "the whole file",
        "is larger than 2,000,000 bytes",
        "make it smaller",
    ),
    "aliases of aliases": Broken(
        written("people.yaml", "Ada Finch:", f"{LAUGHS}\nAda Finch:"),
        "people.yaml",
        "the whole file",
        "letters with its aliases",
        "the guide",
    ),
    "a huge image": Broken(
        lambda world: os.truncate(world / "tileset.png", 20_000_001),
        "map.json",
        "tileset 1",
        "has an image of more than 20,000,000 bytes",
        "make the picture smaller",
    ),
    "a number of 5,000 digits": Broken(
        written("map.json", "{", '{"nextlayerid": ' + "9" * 5_000 + ", "),
        "map.json",
        "the whole file",
        "too many digits",
        "export the map again",
    ),
    "a year of 5,000 digits": Broken(
        written("people.yaml", "age: 38", "age: " + "9" * 5_000),
        "people.yaml",
        "the whole file",
        "is not YAML",
        "the guide",
    ),
    "a tab": Broken(
        written("people.yaml", "  age: 38", "\tage: 38"),
        "people.yaml",
        "line ",
        "is not YAML",
        "indent with spaces instead of tabs",
    ),
    "no YAML": Broken(
        written("world.yaml", "name: Millbrook", "name: Millbrook: the village"),
        "world.yaml",
        "line 1, column",
        "is not YAML",
        "double quotes",
    ),
    "an empty file": Broken(
        lambda world: (world / "world.yaml").write_text("", "utf-8"),
        "world.yaml",
        "the whole file",
        "is empty",
        "the guide",
    ),
    "another orientation": Broken(
        drawn(lambda document: document.update(orientation="isometric")),
        "map.json",
        "orientation",
        "should be 'orthogonal'",
        "Orientation to Orthogonal",
    ),
    "another format": Broken(
        drawn(lambda document: document.update(version="0.14")),
        "map.json",
        "version",
        "'0.14'",
        "Tiled 1.10",
    ),
    "an infinite map": Broken(
        drawn(lambda document: document.update(infinite=True)),
        "map.json",
        "infinite",
        "should be false",
        "clear Infinite",
    ),
    "a layer of another size": Broken(
        drawn(lambda document: layer(document, "walls").update(width=19)),
        "map.json",
        "layer 'walls'",
        "19 x 12 tiles, the map 20 x 12",
        "resize the map",
    ),
    "a layer that is not there": Broken(
        drawn(lambda document: layer(document, "collision").update(name="blocks")),
        "map.json",
        "layer 'collision'",
        "is missing",
        "add a tile layer",
    ),
    "a layer with a capital letter": Broken(
        drawn(lambda document: layer(document, "areas").update(name="Areas")),
        "map.json",
        "layer 'areas'",
        "is missing",
        "rename the layer 'Areas' to 'areas'",
    ),
    "a layer with a parallax factor": Broken(
        drawn(lambda document: layer(document, "areas").update(parallaxx=0.5)),
        "map.json",
        "layer 'areas'",
        "seen elsewhere than it lies",
        "Parallax Factor to 1",
    ),
    "a layer that begins at another tile": Broken(
        drawn(lambda document: layer(document, "collision").update(x=2)),
        "map.json",
        "layer 'collision'",
        "begins at tile (2, 0)",
        "Tiled 1.10",
    ),
    "walls that lie between tiles": Broken(
        drawn(lambda document: layer(document, "collision").update(offsetx=24)),
        "map.json",
        "layer 'collision'",
        "is moved by 24, 0 pixels, not by whole tiles",
        "set its Offset",
    ),
    "an object of a template": Broken(
        moved("objects", f"{KITCHEN}: stove", template="stove.tj"),
        "map.json",
        f"{KITCHEN}: stove",
        "instance of a template",
        "detach the template",
    ),
    "an object of a form of later versions": Broken(
        moved("objects", f"{KITCHEN}: stove", capsule="true"),
        "map.json",
        f"{KITCHEN}: stove",
        "has the field 'capsule'",
        "upright rectangle",
    ),
    "tiles packed with zstd": Broken(
        drawn(
            lambda document: layer(document, "ground").update(
                data="KLUv", encoding="base64", compression="zstd"
            )
        ),
        "map.json",
        "layer 'ground'",
        "'zstd'",
        "CSV, or base64 with zlib or gzip",
    ),
    "a tile that no tileset has": Broken(
        drawn(lambda document: layer(document, "ground")["data"].__setitem__(0, 9_999)),
        "map.json",
        "layer 'ground'",
        "has tile 9999",
        "add the missing tileset",
    ),
    "a tileset outside the folder": Broken(
        drawn(lambda document: document["tilesets"][0].update(source="../../x.json")),
        "map.json",
        "tileset 1",
        "outside the folder",
        "beside map.json",
    ),
    "an image that is not there": Broken(
        lambda world: (world / "tileset.png").unlink(),
        "map.json",
        "tileset 1",
        "no image 'tileset.png'",
        "beside map.json",
    ),
    "an area outside the map": Broken(
        moved("areas", KITCHEN, x=16 * 16),
        "map.json",
        KITCHEN,
        "lies outside the map",
        "upright rectangle",
    ),
    "areas that overlap": Broken(
        moved("areas", KITCHEN, x=8 * 16),
        "map.json",
        KITCHEN,
        f"overlaps '{BEDROOM}'",
        "no tile belongs to two areas",
    ),
    "an area that world.yaml does not have": Broken(
        moved("areas", KITCHEN, name="Mill Cottage: kitschen"),
        "map.json",
        "Mill Cottage: kitschen",
        "no such area",
        f"did you mean '{KITCHEN}'",
    ),
    "an area without a region": Broken(
        drawn(lambda document: layer(document, "areas")["objects"].pop(0)),
        "world.yaml",
        BEDROOM,
        "is nowhere on the map",
        "layer 'areas'",
    ),
    "an object that world.yaml does not have": Broken(
        moved("objects", f"{KITCHEN}: stove", name=f"{KITCHEN}: oven"),
        "map.json",
        f"{KITCHEN}: oven",
        "no such object",
        f"'{KITCHEN}: stove'",
    ),
    "an object that is not drawn": Broken(
        written("world.yaml", "stove: ,", "stove: , churn: ,"),
        "world.yaml",
        f"{KITCHEN}: churn",
        "is nowhere on the map",
        "layer 'objects'",
    ),
    "an object outside its area": Broken(
        moved("objects", f"{KITCHEN}: stove", x=4 * 16),
        "map.json",
        f"{KITCHEN}: stove",
        "outside its area",
        f"move it into '{KITCHEN}'",
    ),
    "an object that nobody can use": Broken(
        blocked(*((x, y) for x in range(11, 17) for y in (3, 4, 5))),
        "map.json",
        f"{KITCHEN}: table",
        "cannot be used",
        "empty on 'collision'",
    ),
    "an object without a name": Broken(
        moved("objects", f"{KITCHEN}: stove", name=""),
        "map.json",
        "layer 'objects', object",
        "has no name",
        "name it by its path",
    ),
    "an area that nobody can reach": Broken(
        blocked((9, 4)),
        "map.json",
        BEDROOM,
        "cannot be reached on foot",
        "such as its door",
    ),
    "a door in a wall": Broken(
        moved("doors", KITCHEN, y=3 * 16),
        "map.json",
        KITCHEN,
        "does not open at tile (9, 3)",
        "empty on 'collision'",
    ),
    "a home that is no area": Broken(
        written("people.yaml", 'home: "Mill Cottage: bedroom"', 'home: "Mill Cottage: bedrom"'),
        "people.yaml",
        "Ada Finch: home",
        "is no area",
        f"did you mean '{BEDROOM}'",
    ),
    "a workplace that is nowhere": Broken(
        written("people.yaml", f'workplace: "{KITCHEN}"', "workplace: The Moon"),
        "people.yaml",
        "Ben Marsh: workplace",
        "is no node",
        "write the whole path",
    ),
    "a known place that is nowhere": Broken(
        written("people.yaml", "knows: [Mill Cottage]", "knows: [Mill Cotage]"),
        "people.yaml",
        "Ada Finch: knows",
        "is no node",
        "did you mean 'Mill Cottage'",
    ),
    "no bed at home": Broken(
        written("people.yaml", '  bed: "Mill Cottage: bedroom: Ada\'s bed"\n', ""),
        "people.yaml",
        "Ada Finch: home",
        "no object named 'bed'",
        "name another with bed:",
    ),
    "a bed of two people that holds one": Broken(
        written("people.yaml", "bedroom: Ben's bed", "bedroom: Ada's bed"),
        "people.yaml",
        "Ben Marsh: bed",
        "Ada's bed\" holds 1, and it is the bed of Ada Finch",
        f"name a free bed and its room as bed and home: '{BEDROOM}: Ben's bed'",
    ),
    "a workplace of two people that holds one": Broken(
        lambda world: [
            written("people.yaml", old, f'workplace: "{KITCHEN}: stove"\n{more}')(world)
            for old, more in (
                (f'workplace: "{KITCHEN}"', ""),
                ("knows: [Mill Cottage]", "  knows: [Mill Cottage]"),
            )
        ],
        "people.yaml",
        "Ben Marsh: workplace",
        f"'{KITCHEN}: stove' holds 1, and it is the workplace of Ada Finch",
        "or the area or place around it",
    ),
    "a name that stands twice": Broken(
        written("people.yaml", "Ben Marsh:\n", "Ada Finch:\n"),
        "people.yaml",
        "'Ada Finch'",
        "is twice in",
        "rename or remove",
    ),
    "two names of one address": Broken(
        written("people.yaml", "Ben Marsh:\n", "ada finch:\n"),
        "people.yaml",
        "ada finch",
        "'ada-finch'",
        "another name",
    ),
    "a name with a digit": Broken(
        written("people.yaml", "Ben Marsh:\n", "Ben Marsh 2:\n"),
        "people.yaml",
        "'Ben Marsh 2'",
        "has '2' in it",
        "letters, single spaces, hyphens and apostrophes",
    ),
    "a name with an invisible character": Broken(
        written("people.yaml", "Ben Marsh:\n", "Ben\u200b Marsh:\n"),
        "people.yaml",
        r"'Ben\u200b Marsh'",
        "has U+200B (zero width space) in it",
        "at most 40 characters",
    ),
    "a reserved name": Broken(
        written("people.yaml", "Ben Marsh:\n", "Commands:\n"),
        "people.yaml",
        "Commands",
        "reserved name",
        "another name",
    ),
    "a resident whom nobody knows": Broken(
        written("world.yaml", "Ben Marsh]", "Bem Marsh]"),
        "world.yaml",
        "Mill Cottage: residents",
        "is not in people.yaml",
        "mean 'Ben Marsh'",
    ),
    "hours that are none": Broken(
        written("people.yaml", 'wake: "06:30"', 'wake: "half past six"'),
        "people.yaml",
        "Ada Finch: hours: wake",
        "no time of day",
        'write the time as "07:00"',
    ),
    "opening hours that are none": Broken(
        written("world.yaml", "    residents:", "    hours: 8-20\n    residents:"),
        "world.yaml",
        "places: Mill Cottage: hours",
        "no span of time",
        '"08:00-20:00"',
    ),
    "a field that there is not": Broken(
        written("people.yaml", "age: 38", "age: 38\n  hobby: kites"),
        "people.yaml",
        "Ben Marsh: hobby",
        "not permitted",
        "correct its spelling",
    ),
    "a field that is missing": Broken(
        written("people.yaml", "  age: 38\n", ""),
        "people.yaml",
        "Ben Marsh: age",
        "required",
        "add age",
    ),
    "a colon in a name": Broken(
        written("world.yaml", "stove: ,", '"stove: big": ,'),
        "world.yaml",
        f"{KITCHEN}: stove: big",
        "is a name with one of",
        "plain name",
    ),
    "siblings that differ in capitals only": Broken(
        written("world.yaml", "stove: ,", "stove: , Stove: ,"),
        "world.yaml",
        f"{KITCHEN}: Stove",
        "capital letters only",
        "another name",
    ),
    "a private area without residents": Broken(
        written("world.yaml", "      bedroom:\n", "      bedroom:\n        private: true\n"),
        "world.yaml",
        f"{BEDROOM}: private",
        "has no residents",
        "add residents to the area, by full name, or remove private",
    ),
    "a private area that is neither true nor false": Broken(
        written("world.yaml", "      bedroom:\n", '      bedroom:\n        private: "Ben"\n'),
        "world.yaml",
        "bedroom: private",
        "valid boolean",
        "write true or false",
    ),
    "a language without a catalogue": Broken(
        written("world.yaml", "start:", "language: tlh\nstart:"),
        "world.yaml",
        "language",
        "'tlh' is no supported language",
        "write one of en, de",
    ),
    "a number that is none": Broken(
        written("world.yaml", "holds: 2", "holds: few"),
        "world.yaml",
        "kitchen: objects: table: holds",
        "integer",
        "from 1 on, or any",
    ),
}


def problems_of(world: Path) -> tuple[Problem, ...]:
    with pytest.raises(WorldBroken) as refused:
        load_world(world)
    assert refused.value.code == "world-broken"
    for problem in refused.value.problems:
        assert str(problem) in refused.value.message
        assert all((problem.file, problem.element, problem.what, problem.hint))
    return refused.value.problems


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return shutil.copytree(TWO_ROOMS, tmp_path / "world")


class TestBrokenWorld:
    @pytest.mark.parametrize("name", BROKEN)
    def test_is_refused_with_file_element_and_hint(self, name: str, world: Path) -> None:
        broken = BROKEN[name]
        broken.by(world)
        found = problems_of(world)
        assert any(
            problem.file == broken.file
            and broken.element in problem.element
            and broken.what in problem.what
            and broken.hint in problem.hint
            for problem in found
        ), [str(problem) for problem in found]

    def test_is_refused_with_all_its_problems_at_once(self, world: Path) -> None:
        for name in (
            "an area without a region",
            "a reserved name",
            "an image that is not there",
        ):
            BROKEN[name].by(world)
        assert {problem.file for problem in problems_of(world)} == {
            "world.yaml",
            "people.yaml",
            "map.json",
        }

    def test_has_one_problem_for_a_layer_that_is_missing(self, world: Path) -> None:
        BROKEN["a layer with a capital letter"].by(world)
        assert len(problems_of(world)) == 1

    def test_is_refused_if_a_room_is_too_large_for_what_it_holds(self, tmp_path: Path) -> None:
        smallville = TWO_ROOMS.parents[2] / "worlds" / "smallville"
        world = shutil.copytree(smallville, tmp_path / "world")
        written("world.yaml", "      cafe:\n", "      cafe:\n        holds: 12\n")(world)
        [problem] = problems_of(world)
        assert problem.file == "map.json"
        assert "Hobbs Cafe: cafe" in problem.element
        assert "more than an agent sees" in problem.what

    def test_is_refused_if_the_folder_is_not_there(self, tmp_path: Path) -> None:
        assert len(problems_of(tmp_path / "nowhere")) == 3
