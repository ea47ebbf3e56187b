"""Builds the tree of a world from world.yaml and checks the names of its nodes."""

import unicodedata
from collections.abc import Iterable, Iterator

from apps.kernel.language import phrase_in
from apps.world.node import Node, NodeKind, Norms, path_of
from apps.world.problems import Findings
from apps.world.shapes import AreaShape, PlaceShape, WorldShape
from apps.world.tree import WorldTree

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
