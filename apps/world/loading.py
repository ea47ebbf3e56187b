"""Loads a world from its folder, or tells everything that is wrong with it (W8)."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from apps.world.casting import cast, check_norms_name_people
from apps.world.errors import UnknownWorld
from apps.world.ground import lay_out
from apps.world.paths import Paths
from apps.world.people import Person
from apps.world.planting import plant
from apps.world.problems import Findings, Problem, WorldBroken
from apps.world.reach import check_reach
from apps.world.reading import read_json, read_yaml
from apps.world.shapes import PeopleShape, WorldShape, people_shape, world_shape
from apps.world.tile_map import TileMap
from apps.world.tiled import Drawing, drawing_of, tiled_map
from apps.world.tilesets import check_tilesets
from apps.world.tree import WorldTree
from apps.world.world import World, widest_shared

__all__ = ["Problem", "WorldBroken", "list_worlds", "load_world", "world_named"]

WORLD_FILE, PEOPLE_FILE, MAP_FILE = "world.yaml", "people.yaml", "map.json"
WORLDS_KEPT_MAX = 16


@dataclass(frozen=True, slots=True)
class _Findings:
    """The problems of the three files, apart."""

    world: Findings
    people: Findings
    map: Findings

    @property
    def problems(self) -> list[Problem]:
        return [*self.world.problems, *self.people.problems, *self.map.problems]


@dataclass(frozen=True, slots=True)
class _Contents:
    """What could be made of the three files; None where nothing could."""

    world: WorldShape | None
    people: PeopleShape | None
    drawing: Drawing | None
    digest: str


def load_world(directory: Path) -> World:
    """Return the world in the folder.

    :raises WorldBroken: with every problem that was found, if there is one.
    """
    findings = _Findings(Findings(WORLD_FILE), Findings(PEOPLE_FILE), Findings(MAP_FILE))
    contents = _read(directory, findings)
    tree = None if contents.world is None else plant(contents.world, findings.world)
    people = _cast(tree, contents.people, findings)
    ground = _lay_out(tree, contents.drawing, findings)
    if findings.problems or contents.world is None or tree is None or ground is None:
        raise WorldBroken(directory.name, findings.problems)
    return World(
        key=directory.name,
        name=contents.world.name,
        description=contents.world.description,
        start=contents.world.start,
        tree=tree,
        map=ground,
        paths=Paths(ground),
        people=people,
        digest=contents.digest,
        widest_shared=widest_shared(tree, ground),
        directory=directory,
    )


def list_worlds(root: Path) -> tuple[str, ...]:
    """Return the names of the folders below the root that hold a world, sorted."""
    return tuple(sorted(found.parent.name for found in root.glob(f"*/{WORLD_FILE}")))


def world_named(name: str, root: Path) -> World:
    """Return the world in the folder of that name below the root, read once a process.

    :raises UnknownWorld: if there is none; the message lists those that there are.
    :raises WorldBroken: if it cannot be loaded.
    """
    if name not in (there := list_worlds(root)):
        raise UnknownWorld(
            f"there is no world {name!r}; there are {', '.join(there) or 'none'}"
        )
    return _loaded(root.resolve() / name)


def map_document(directory: Path) -> Mapping[str, object]:
    """Return the Tiled map as it stands in the file, with its tilesets put into it.

    Images stay names of files in the folder. The world must have been loaded before.
    """
    document: dict[str, object] = json.loads((directory / MAP_FILE).read_text("utf-8"))
    tilesets = document.get("tilesets")
    listed = tilesets if isinstance(tilesets, list) else []
    document["tilesets"] = [_embedded(tileset, directory) for tileset in listed]
    return document


@lru_cache(maxsize=WORLDS_KEPT_MAX)
def _loaded(directory: Path) -> World:
    return load_world(directory)


def _read(directory: Path, findings: _Findings) -> _Contents:
    said = read_yaml(directory, findings.world)
    people = read_yaml(directory, findings.people)
    drawn = read_json(directory, findings.map)
    found = None if drawn is None else tiled_map(drawn, findings.map)
    if found is not None:
        check_tilesets(found, directory, findings.map)
    drawing = None if found is None else drawing_of(found, findings.map)
    return _Contents(
        world=None if said is None else world_shape(said, findings.world),
        people=None if people is None else people_shape(people, findings.people),
        drawing=drawing,
        digest=_digest(said, people, drawing),
    )


def _cast(
    tree: WorldTree | None, people: PeopleShape | None, findings: _Findings
) -> tuple[Person, ...]:
    if tree is None or people is None:
        return ()
    check_norms_name_people(tree, people.people, findings.world)
    return cast(people, tree, findings.people)


def _lay_out(
    tree: WorldTree | None, drawing: Drawing | None, findings: _Findings
) -> TileMap | None:
    if tree is None or drawing is None:
        return None
    ground = lay_out(tree, drawing, on_map=findings.map, in_yaml=findings.world)
    check_reach(tree, ground, findings.map)
    return ground


def _embedded(tileset: dict[str, object], directory: Path) -> dict[str, object]:
    source = tileset.get("source")
    if not isinstance(source, str):
        return tileset
    whole: dict[str, object] = json.loads((directory / source).read_text("utf-8"))
    return {**whole, "firstgid": tileset.get("firstgid", 1)}


def _digest(said: object, people: object, drawing: Drawing | None) -> str:
    """Return a sha256 over all of the files that a town's history depends on.

    The order of names counts in YAML, where it is the order of places and people; layout of
    the files and what the map looks like do not.
    """
    drawn: list[object] = []
    if drawing is not None:
        layers = (drawing.areas, drawing.objects, drawing.doors)
        named = [[(one.path, one.tiles) for one in layer] for layer in layers]
        drawn = [drawing.width, drawing.height, drawing.free, named]
    content = json.dumps([said, people, drawn], default=str)
    return hashlib.sha256(content.encode()).hexdigest()
