"""Places as they are offered to the model when it plans, with their norms in words (W2, W5).

Pure: what the person does not know is not among them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.planning.words import chosen

MINUTES_PER_DAY = 1_440


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedPlace:
    """A known place, or a known area of a place that has several.

    `path` is in words; `opens` and `closes` are minutes after midnight, None when it is
    always open; `areas` are the names of the known areas inside.
    """

    path: str
    opens: int | None = None
    closes: int | None = None
    keepers: tuple[str, ...] = ()
    residents: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(": ")[2]

    @property
    def root(self) -> str:
        """The place that the path begins with."""
        return self.path.partition(": ")[0]

    def lets_in(self, person: str, *, from_minute: int, to_minute: int) -> bool:
        """Say whether the person may be there all that time; a keeper always may (W5).

        Minutes count from midnight and may pass 1,440.
        """
        if self.opens is None or self.closes is None or person in self.keepers:
            return True
        start = from_minute % MINUTES_PER_DAY
        return self.opens <= start and start + (to_minute - from_minute) <= self.closes

    def in_words(self, person: str) -> str:
        """Return the place with its norms as the prompt tells them."""
        norms = []
        if self.opens is not None and self.closes is not None:
            hours = f"{spoken_minute(self.opens)} to {spoken_minute(self.closes)}"
            norms.append(f"open from {hours}, closed otherwise")
        if self.keepers:
            norms.append(f"kept by {_listed(_called(self.keepers, person))}")
        if self.residents:
            norms.append(f"home of {_listed(_called(self.residents, person))}")
        if self.areas:
            norms.append(f"with {_listed(self.areas)}")
        return f"{self.path} ({'; '.join(norms)})" if norms else self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedArea:
    """A known area with the names of the known objects in it; `holds` is None for many."""

    path: str
    objects: tuple[str, ...] = ()
    holds: int | None = None

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(": ")[2]

    @property
    def in_words(self) -> str:
        """The area, how many it holds and what is in it, as the prompt tells them."""
        holds = "" if self.holds is None else f" (holds {self.holds} at a time)"
        things = _listed([f"a {name}" for name in self.objects]) or "nothing of note"
        return f"{self.path}{holds}: there is {things}"


def place_chosen(answer: str, places: Sequence[OfferedPlace], *, default: str) -> str:
    """Return the path that the answer means, else the default: it never stops the run (W2)."""
    return chosen(answer, [place.path for place in places]) or default


def clock(minute: int) -> str:
    """Return minutes after midnight as answers give them: 1,500 is "01:00"."""
    return f"{minute % MINUTES_PER_DAY // 60:02d}:{minute % 60:02d}"


def spoken_minute(minute: int) -> str:
    """Return minutes after midnight as people say them: 1,500 is "1:00 am"."""
    hour = minute // 60 % 24
    half = "am" if hour < 12 else "pm"
    return f"{hour % 12 or 12}:{minute % 60:02d} {half}"


def _called(names: Sequence[str], person: str) -> tuple[str, ...]:
    return tuple(f"{name} (yourself)" if name == person else name for name in names)


def _listed(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
