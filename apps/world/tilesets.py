"""Checks that the tilesets and images of a map are in the world's folder (W8)."""

import re
from pathlib import Path

from pydantic import ValidationError

from apps.kernel.strict_yaml import read_at_most
from apps.world.problems import Findings
from apps.world.reading import read_json
from apps.world.tiled_shapes import TiledMap, TiledTileset, Undecodable, tile_numbers

_FILE_NAME = re.compile(r"[\w .()/-]{1,100}")
IMAGE_BYTES_MAX = 20_000_000
_BESIDE = "keep it in the world's folder, beside map.json"


def check_tilesets(found: TiledMap, directory: Path, findings: Findings) -> None:
    """Report missing tilesets and images, and tiles that no tileset has."""
    before = len(findings.problems)
    last = 0
    for number, tileset in enumerate(found.tilesets, start=1):
        whole = _whole(tileset, f"tileset {number}", directory, findings)
        if whole is not None:
            last = max(last, tileset.firstgid + whole.tilecount - 1)
            _check_image(whole, f"tileset {number}", directory, findings)
    if len(findings.problems) == before:
        _check_numbers(found, last, findings)


def read_image(directory: Path, name: str) -> bytes | None:
    """Return an image that a map names, None if it is larger than IMAGE_BYTES_MAX."""
    with (directory / name).open("rb") as file:
        return read_at_most(file, IMAGE_BYTES_MAX)


def _whole(
    tileset: TiledTileset, element: str, directory: Path, findings: Findings
) -> TiledTileset | None:
    """Return the tileset, read from its own file if it has one."""
    if tileset.source is None:
        return tileset
    if not tileset.source.endswith((".json", ".tsj")):
        findings.add(
            element,
            f"is in {tileset.source!r}, which is not JSON",
            hint="embed the tileset in the map, or export it as JSON",
        )
        return None
    if not _is_beside(tileset.source, directory):
        findings.add(element, f"is in {tileset.source!r}, outside the folder", hint=_BESIDE)
        return None
    own = Findings(tileset.source)
    content = read_json(directory, own)
    findings.problems.extend(own.problems)
    if own.problems:
        return None
    try:
        return TiledTileset.model_validate(content)
    except ValidationError:
        own.add("the whole file", "is no tileset", hint="export the tileset again from Tiled")
        findings.problems.extend(own.problems)
        return None


def _check_image(
    tileset: TiledTileset, element: str, directory: Path, findings: Findings
) -> None:
    if tileset.image is None:
        findings.add(element, "has no image", hint="use a tileset based on one image")
    elif not _is_beside(tileset.image, directory):
        findings.add(element, f"has its image {tileset.image!r} outside", hint=_BESIDE)
    elif not (directory / tileset.image).is_file():
        findings.add(element, f"has no image {tileset.image!r}", hint=_BESIDE)
    elif read_image(directory, tileset.image) is None:
        findings.add(
            element,
            f"has an image of more than {IMAGE_BYTES_MAX:,} bytes",
            hint="make the picture smaller",
        )


def _check_numbers(found: TiledMap, last: int, findings: Findings) -> None:
    for layer in found.layers_of("tilelayer"):
        try:
            highest = max(tile_numbers(layer, found.width * found.height))
        except Undecodable:
            continue  # reported when the layer is read
        if highest > last:
            findings.add(
                f"layer {layer.name!r}",
                f"has tile {highest}, but the tilesets end at {last}",
                hint="add the missing tileset to the map",
            )


def _is_beside(name: str, directory: Path) -> bool:
    is_plain = _FILE_NAME.fullmatch(name) is not None
    return is_plain and (directory / name).resolve().is_relative_to(directory.resolve())
