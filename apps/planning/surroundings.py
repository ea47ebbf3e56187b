"""The places, areas and objects for plans: known, and not private to others (W2, W3); pure."""

from collections.abc import Collection, Iterator

from apps.planning.options import AreaOption, PlaceOption
from apps.world.known import known_children, with_ancestors
from apps.world.norms import (
    hours_of,
    is_common_or_own,
    keepers_of,
    may_use_area,
    residents_of,
)
from apps.world.tree import Node, NodeKind, WorldTree


def known_places(
    tree: WorldTree,
    known: frozenset[str],
    *,
    person: str,
    home: str = "",
    invited: Collection[str] = (),
) -> tuple[PlaceOption, ...]:
    """Return the known places, and the known areas of places without residents.

    `person` is the full name of the agent, `home` the path of its home; `invited` are areas of
    other homes to which it will be admitted. They are offered too.
    """
    known |= with_ancestors(tree, invited)
    return tuple(
        offered
        for place in known_children(tree, known)
        if place.kind is NodeKind.PLACE
        for offered in _offered(tree, known, place, person, home, invited)
    )


def known_areas(
    tree: WorldTree,
    known: frozenset[str],
    *,
    place: str,
    person: str,
    home: str = "",
    invited: Collection[str] = (),
) -> tuple[AreaOption, ...]:
    """Return the known areas of a place with their objects, except those private to others.

    `invited` are as in `known_places`. Rooms that have residents come last for an agent that
    is none of them.
    """
    if place not in tree:
        return ()
    known |= with_ancestors(tree, invited)
    return tuple(
        AreaOption(
            path=area.path,
            objects=tuple(node.name for node in known_children(tree, known, area.path)),
            holds=area.norms.holds,
            residents=area.norms.residents,
        )
        for area in sorted(
            _areas(tree, known, place, person, home, invited),
            key=lambda area: not is_common_or_own(tree, area.path, name=person, home=home),
        )
    )


def _offered(
    tree: WorldTree,
    known: frozenset[str],
    place: Node,
    person: str,
    home: str,
    invited: Collection[str],
) -> Iterator[PlaceOption]:
    areas = _areas(tree, known, place.path, person, home, invited)
    residents = residents_of(tree, place.path)
    yield _offer(tree, place.path, residents, tuple(area.name for area in areas))
    for area in areas:
        if area.path in invited or (len(areas) > 1 and not residents):
            yield _offer(tree, area.path, (), ())


def _offer(
    tree: WorldTree, path: str, residents: tuple[str, ...], areas: tuple[str, ...]
) -> PlaceOption:
    opens, closes = hours_of(tree, path) or (None, None)
    return PlaceOption(
        path=path,
        opens=opens,
        closes=closes,
        keepers=tuple(keepers_of(tree, path)),
        residents=tuple(residents),
        areas=areas if len(areas) > 1 else (),
    )


def _areas(
    tree: WorldTree,
    known: frozenset[str],
    place: str,
    person: str,
    home: str,
    invited: Collection[str],
) -> tuple[Node, ...]:
    return tuple(
        area
        for area in known_children(tree, known, place)
        if area.kind is NodeKind.AREA
        and (area.path in invited or may_use_area(tree, area.path, name=person, home=home))
    )
