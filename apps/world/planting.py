"""From the shape of world.yaml to the nodes of the tree, checking their names."""

import unicodedata
from collections.abc import Iterable, Iterator

from apps.world.node import Node, NodeKind, Norms, path_of
from apps.world.problems import Findings
from apps.world.shapes import AreaShape, PlaceShape, WorldShape
from apps.world.tree import WorldTree

NAME_CHARACTERS_MAX = 80
_FORBIDDEN = ":;<>"
_UNPRINTABLE = {"Cc", "Cs"}


def plant(shape: WorldShape, findings: Findings) -> WorldTree:
    """Return the tree that the file describes; bad names are noted and left as they are."""
    town = Node(path="", name=shape.name, kind=NodeKind.TOWN, parent=None)
    _check_siblings(shape.places, "", findings)
    places = (
        node for name, place in shape.places.items() for node in _place(name, place, findings)
    )
    return WorldTree((town, *places))


def name_fault(name: str) -> str | None:
    """Return what is wrong with the name of a node, None if nothing is."""
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
        hours=area.hours, holds=area.holds, keepers=area.keepers, residents=area.residents
    )
    yield Node(path=path, name=name, kind=NodeKind.AREA, parent=parent, norms=norms)
    _check_siblings(area.objects, path, findings)
    for object_name, thing in area.objects.items():
        yield Node(
            path=path_of(path, object_name),
            name=object_name,
            kind=NodeKind.OBJECT,
            parent=path,
            norms=Norms(holds=thing.holds),
            idle_state=thing.idle,
        )


def _check_siblings(names: Iterable[str], parent: str, findings: Findings) -> None:
    taken: dict[str, str] = {}
    for name in names:
        element = path_of(parent, name)
        fault = name_fault(name)
        if fault is not None:
            findings.add(element, fault, mend="give it a short plain name")
        other = taken.setdefault(name.casefold(), name)
        if other != name:
            findings.add(
                element,
                f"differs from its sibling {other!r} in capital letters only",
                mend="give one of the two another name",
            )
