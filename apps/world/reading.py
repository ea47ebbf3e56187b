"""Reads a world's JSON and YAML files, and reports their problems."""

import json
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml

from apps.kernel import strict_yaml
from apps.kernel.language import phrase_in
from apps.kernel.strict_yaml import read_at_most
from apps.kernel.text import compose
from apps.world.problems import Findings
from apps.world.shapes import AreaShape, PlaceShape, WorldShape
from apps.world.tree import Node, NodeKind, Norms, WorldTree, path_of

FILE_BYTES_MAX = 20_000_000
"""Of map.json and a tileset; `strict_yaml` has the bound of the other files."""
_WHOLE = "the whole file"


def read_json(directory: Path, findings: Findings) -> object:
    """Return the content of the JSON file, None if it is invalid, with a problem reported."""
    text = _text(directory, findings, FILE_BYTES_MAX)
    if text is None:
        return None
    try:
        return _not_empty(compose(json.loads(text)), findings)
    except json.JSONDecodeError as error:
        findings.add(
            f"line {error.lineno}, column {error.colno}",
            f"is not JSON ({error.msg})",
            hint="export the map again with Tiled, as a JSON map file",
        )
    except (ValueError, RecursionError) as error:
        is_number = isinstance(error, ValueError)
        what = "has a number of too many digits" if is_number else "is nested too deeply"
        findings.add(_WHOLE, what, hint="export the map again with Tiled")
    return None


def read_yaml(directory: Path, findings: Findings) -> object:
    """Return the content of the YAML file, None if it is invalid, with a problem reported."""
    text = _text(directory, findings, strict_yaml.FILE_BYTES_MAX)
    if text is None:
        return None
    try:
        content, repeated = strict_yaml.load_yaml(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else _WHOLE
        fault = error.problem or error.context or ""
        lines = text.splitlines()[mark.line : mark.line + 1] if mark else []
        is_of_tab = "any token" in fault and "\t" in "".join(lines)
        findings.add(
            where,
            f"is not YAML ({fault})",
            hint="indent with spaces instead of tabs"
            if is_of_tab
            else "put texts that hold a colon in double quotes",
        )
        return None
    except yaml.YAMLError as error:
        hint = "write it as the guide's example shows"
        findings.add(_WHOLE, f"is not YAML ({error})", hint=hint)
        return None
    for key, line in repeated:
        findings.add(
            f"line {line}, {key!r}",
            "is twice in the same list of names",
            hint="rename or remove one of the two",
        )
    return _not_empty(content, findings)


def _not_empty(content: object, findings: Findings) -> object:
    if content is None:
        findings.add(_WHOLE, "is empty", hint="write it as the guide's example shows")
    return content


def _text(directory: Path, findings: Findings, bytes_max: int) -> str | None:
    path = directory / findings.file
    try:
        with path.open("rb") as file:
            content = read_at_most(file, bytes_max)
        if content is not None:
            return content.decode("utf-8-sig")
        findings.add(
            _WHOLE,
            f"is larger than {bytes_max:,} bytes",
            hint="make it smaller; tile layers of a map can be compressed with zlib",
        )
    except FileNotFoundError:
        findings.add(_WHOLE, "is missing", hint=_hint_for_missing(path))
    except UnicodeDecodeError:
        findings.add(_WHOLE, "is not UTF-8 text", hint="save it as UTF-8")
    except OSError as error:
        findings.add(
            _WHOLE, f"cannot be read ({error.strerror})", hint="make it a readable file"
        )
    return None


def _hint_for_missing(path: Path) -> str:
    """Return what to do about a file that is missing, if it is there with another ending."""
    if path.with_suffix(".tmj").is_file():
        return f"rename {path.stem}.tmj to {path.name}"
    if path.with_suffix(".tmx").is_file():
        return f"save {path.stem}.tmx with Tiled as the JSON map file {path.name}"
    return f"add {path.name} to the world's folder"


NAME_CHARACTERS_MAX = 80
_FORBIDDEN = ":;<>"
_UNPRINTABLE = {"Cc", "Cs"}


def build_tree(shape: WorldShape, findings: Findings) -> WorldTree:
    """Return the tree of the file; invalid names are reported and stay as they are."""
    root = Node(path="", name=shape.name, kind=NodeKind.TOWN, parent=None)
    _check_siblings(shape.places, "", findings)
    places = (
        node for name, place in shape.places.items() for node in _place(name, place, findings)
    )
    return WorldTree((root, *places))


def name_fault(name: str) -> str | None:
    """Return the fault of a node's name, None if it is valid."""
    if not name.strip():
        return "is an empty name"
    if name != " ".join(name.split()):
        return "has spaces at its ends or two in a row"
    if len(name) > NAME_CHARACTERS_MAX:
        return f"is a name of more than {NAME_CHARACTERS_MAX} characters"
    if any(
        letter in _FORBIDDEN or unicodedata.category(letter) in _UNPRINTABLE for letter in name
    ):
        return f"is a name with one of {' '.join(_FORBIDDEN)} or a control character in it"
    return None


def _place(name: str, place: PlaceShape, findings: Findings) -> Iterator[Node]:
    norms = Norms(hours=place.hours, keepers=place.keepers, residents=place.residents)
    yield Node(path=name, name=name, kind=NodeKind.PLACE, parent="", norms=norms)
    _check_siblings(place.areas, name, findings)
    for area_name, area in place.areas.items():
        yield from _area(name, area_name, area, findings)


def _area(parent: str, name: str, area: AreaShape, findings: Findings) -> Iterator[Node]:
    path = path_of(parent, name)
    norms = Norms(
        hours=area.hours,
        holds=area.holds,
        keepers=area.keepers,
        residents=area.residents,
        private=area.private,
    )
    if area.private and not area.residents:
        findings.add(
            f"{path}: private",
            "is private, and the area has no residents",
            hint="add residents to the area, by full name, or remove private",
        )
    yield Node(path=path, name=name, kind=NodeKind.AREA, parent=parent, norms=norms)
    _check_siblings(area.objects, path, findings)
    for object_name, shape in area.objects.items():
        yield Node(
            path=path_of(path, object_name),
            name=object_name,
            kind=NodeKind.OBJECT,
            parent=path,
            norms=Norms(holds=shape.holds),
            idle_state=shape.idle or phrase_in("state of an object", "idle"),
        )


def _check_siblings(names: Iterable[str], parent: str, findings: Findings) -> None:
    taken: dict[str, str] = {}
    for name in names:
        element = path_of(parent, name)
        fault = name_fault(name)
        if fault is not None:
            findings.add(element, fault, hint="give it a short plain name")
        other = taken.setdefault(name.casefold(), name)
        if other != name:
            findings.add(
                element,
                f"differs from its sibling {other!r} in capital letters only",
                hint="give one of the two another name",
            )
