"""A person's plan-day as it was: what was planned, done, noticed, learnt; plain values."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What a person did from `begins` to `ends`; the description follows "<name> is".

    `area` is a path in words, "" outdoors and on the way; `is_walk` says that it is a walk.
    `plan_item` is the planned action acted out, 0 for none.
    """

    begins: datetime
    ends: datetime
    description: str
    area: str
    is_walk: bool
    plan_item: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Somebody noticed; `doing` follows "<who> is"."""

    time: datetime
    who: str
    doing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something about a node of the world, in a sentence without its full stop."""

    time: datetime
    node: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """Nodes that a person came to know."""

    time: datetime
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A conversation that the person was in: with whom (a name), and who said what."""

    time: datetime
    other: str
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """A reflection, in a sentence without its full stop."""

    time: datetime
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A chunk of the plan, an hour of it or an action, with what it was divided into."""

    number: int
    begins: datetime
    ends: datetime
    description: str
    place: str
    parts: tuple["Planned", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who the day is told of."""

    name: str
    age: int
    traits: tuple[str, ...]
    home: str
    workplace: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What the log is one of: a run of this world with this seed, thinking with this model."""

    world: str
    seed: int
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A plan-day, from waking to the next waking, as far as it is settled (`told_to`).

    `left_at` is when the person left town, None if they did not by then.
    """

    person: Person
    source: Source
    chunks: tuple[Planned, ...]
    told_to: datetime
    left_at: datetime | None
    deeds: tuple[Deed, ...]
    sights: tuple[Sight, ...]
    remarks: tuple[Remark, ...]
    turned_away: tuple[Remark, ...]
    learnt: tuple[Learnt, ...]
    words: tuple[Words, ...]
    thoughts: tuple[Thought, ...]

    @property
    def begins(self) -> datetime:
        """When the person woke."""
        return self.chunks[0].begins

    @property
    def ends(self) -> datetime:
        """When the person meant to wake again."""
        return self.chunks[-1].ends
