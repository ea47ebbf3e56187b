"""Candidate places and areas of LLM tasks, with their norms (W2, W5); pure.

They are among the nodes that the agent knows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.agents.phrases import span_text
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.kernel.language import phrase
from apps.kernel.text import join_and


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
