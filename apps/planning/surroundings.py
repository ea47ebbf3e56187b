"""The places, areas and objects for plans: known, and not private to others (W2, W3); pure."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from apps.agents.phrases import span_text
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.kernel.language import phrase
from apps.kernel.text import join_and
from apps.world.norms import (
    hours_of,
    is_common_or_own,
    keepers_of,
    known_children,
    may_use_area,
    residents_of,
    with_ancestors,
)
from apps.world.tree import Node, NodeKind, WorldTree


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceOption:
    """A known place, or a known area of a place with several areas.

    `path` is in words; `opens` and `closes` are minutes after midnight, None if it is always
    open; `areas` are the names of the known areas in it; `walk_minutes` is the duration of the
    walk from where the agent is, None if it is not known.
    """

    path: str
    opens: int | None = None
    closes: int | None = None
    keepers: tuple[str, ...] = ()
    residents: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    walk_minutes: int | None = None

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(": ")[2]

    @property
    def root(self) -> str:
        """The place at the beginning of the path."""
        return self.path.partition(": ")[0]

    def lets_in(self, agent_name: str, *, from_minute: int, to_minute: int) -> bool:
        """Return whether the agent may be there for the whole time; keepers always may (W5).

        Minutes count from midnight and may exceed 1,440.
        """
        if self.opens is None or self.closes is None or agent_name in self.keepers:
            return True
        start = from_minute % MINUTES_PER_DAY
        return self.opens <= start and start + (to_minute - from_minute) <= self.closes

    def text(self, agent_name: str) -> str:
        """Return the place with its norms, as printed in prompts of the agent of the name."""
        norms = []
        if self.opens is not None and self.closes is not None:
            hours = span_text(self.opens, self.closes)
            norms.append(phrase("open from {hours}, closed otherwise", hours=hours))
        if self.keepers:
            keepers = join_and(_called(self.keepers, agent_name))
            norms.append(phrase("kept by {names}", names=keepers))
        if self.residents:
            residents = join_and(_called(self.residents, agent_name))
            norms.append(phrase("home of {names}", names=residents))
        if self.areas:
            norms.append(phrase("with {areas}", areas=join_and(self.areas)))
        if self.walk_minutes:
            norms.append(phrase("{minutes} min on foot", minutes=self.walk_minutes))
        return f"{self.path} ({'; '.join(norms)})" if norms else self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaOption:
    """A known area with the names of its known objects; `holds` is None without a capacity.

    `residents` are the full names of those whose room it is.
    """

    path: str
    objects: tuple[str, ...] = ()
    holds: int | None = None
    residents: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(": ")[2]


def place_texts(places: Sequence[PlaceOption], agent_name: str) -> Iterator[str]:
    """Yield the lines of the places in a prompt.

    An area is its path alone where the line of its place has all that is said of it.
    """
    by_path = {place.path: place for place in places}
    with_areas = {
        place.path
        for place in places
        if all(f"{place.path}: {area}" in by_path for area in place.areas)
    }
    for place in places:
        around = by_path.get(place.root, place)
        if place is not around and (place.opens, place.closes) == (around.opens, around.closes):
            yield place.path
        else:
            areas = () if place.path in with_areas else place.areas
            yield replace(place, areas=areas).text(agent_name)


def _called(names: Sequence[str], agent_name: str) -> tuple[str, ...]:
    return tuple(
        phrase("{name} (yourself)", name=name) if name == agent_name else name for name in names
    )


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
