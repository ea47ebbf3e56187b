"""Loads a world from its folder, or reports all problems of its files (W8)."""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from apps.kernel.language import use_language
from apps.world.folders import WORLD_FILE, WorldFolders
from apps.world.map_building import build_map, check_map
from apps.world.paths import Paths
from apps.world.people_loading import check_norms_name_people, check_people, load_people
from apps.world.problems import Findings, WorldBroken
from apps.world.reading import build_tree, read_json, read_yaml
from apps.world.shapes import people_shape, world_shape
from apps.world.tile_map import TileMap
from apps.world.tiled import Drawing, check_tilesets, read_drawing, tiled_map
from apps.world.world import Person, World, widest_shared

PEOPLE_FILE, MAP_FILE = "people.yaml", "map.json"
WORLDS_KEPT_MAX = 16


def load_world(directory: Path) -> World:
    """Return the world in the folder.

    :raises WorldBroken: with all problems of the files, if there are any.
    """
    in_world, in_people, in_map = map(Findings, (WORLD_FILE, PEOPLE_FILE, MAP_FILE))
    world_content = read_yaml(directory, in_world)
    people_content = read_yaml(directory, in_people)
    drawing = _read_drawing(directory, in_map)
    shape = world_shape(world_content, in_world)
    listed = people_shape(people_content, in_people)
    tree = None
    if shape is not None:
        with use_language(shape.language):
            tree = build_tree(shape, in_world)
    agents: tuple[Person, ...] = ()
    if tree is not None and listed is not None:
        check_norms_name_people(tree, listed.people, in_world)
        agents = load_people(listed, tree, in_people)
    tile_map: TileMap | None = None
    if tree is not None and drawing is not None:
        tile_map = build_map(tree, drawing, on_map=in_map, in_yaml=in_world)
        check_map(tree, tile_map, in_map)
    problems = [*in_world.problems, *in_people.problems, *in_map.problems]
    if tree is not None and tile_map is not None and not problems:
        problems = check_people(agents, tree, tile_map).problems
    if problems or shape is None or tree is None or tile_map is None:
        raise WorldBroken(directory.name, problems)
    return World(
        key=directory.name,
        name=shape.name,
        description=shape.description,
        language=shape.language,
        start=shape.start,
        tree=tree,
        map=tile_map,
        paths=Paths(tile_map),
        agents=agents,
        digest=_digest(world_content, people_content, drawing),
        widest_shared=widest_shared(tree, tile_map),
        directory=directory,
        phones=shape.phones,
    )


def world_named(name: str, worlds: WorldFolders) -> World:
    """Return the world of that name, loaded once per process.

    :raises UnknownWorld: if there is none; the message lists the existing ones.
    :raises WorldBroken: if it cannot be loaded.
    """
    return _loaded(worlds.find(name))


def map_document(directory: Path) -> Mapping[str, object]:
    """Return the Tiled map with its tilesets embedded.

    Images stay names of files in the folder. The world must be a loaded one.
    """
    document = _json_of(directory / MAP_FILE)
    tilesets = document.get("tilesets")
    listed = tilesets if isinstance(tilesets, list) else []
    document["tilesets"] = [_embedded(tileset, directory) for tileset in listed]
    return document


@lru_cache(maxsize=WORLDS_KEPT_MAX)
def _loaded(directory: Path) -> World:
    return load_world(directory)


def _read_drawing(directory: Path, findings: Findings) -> Drawing | None:
    content = read_json(directory, findings)
    found = None if content is None else tiled_map(content, findings)
    if found is None:
        return None
    check_tilesets(found, directory, findings)
    return read_drawing(found, findings)


def _embedded(tileset: dict[str, object], directory: Path) -> dict[str, object]:
    source = tileset.get("source")
    if not isinstance(source, str):
        return tileset
    return {**_json_of(directory / source), "firstgid": tileset.get("firstgid", 1)}


def _json_of(path: Path) -> dict[str, object]:
    document: dict[str, object] = json.loads(path.read_text("utf-8-sig"))
    return document


def _digest(world: object, agents: object, drawing: Drawing | None) -> str:
    """Return a sha256 over the content that the history of a simulation depends on.

    In YAML the order of names counts, which is the order of places and people; layout of the
    files and looks of the map do not count.
    """
    drawn: list[object] = []
    if drawing is not None:
        layers = (drawing.areas, drawing.objects, drawing.doors)
        named = [[(shape.path, shape.tiles) for shape in layer] for layer in layers]
        drawn = [drawing.width, drawing.height, drawing.free, named]
    content = json.dumps([world, agents, drawn], default=str)
    return hashlib.sha256(content.encode()).hexdigest()
