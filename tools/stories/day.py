"""An agent's day as plain values: plan, activities, perceptions, dialogues and thoughts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from apps.agents.summary import Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """An action from `begins` to `ends`; the description follows "<name> is".

    `area` is a path, "" outdoors and on the way. `plan_item` is the planned action that is
    carried out, 0 for none.
    """

    begins: datetime
    ends: datetime
    description: str
    area: str
    is_walk: bool
    plan_item: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A perceived action of another agent; `doing` follows "<who> is"."""

    time: datetime
    who: str
    doing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A sentence without its full stop: a reflection, or about a node of the world."""

    time: datetime
    text: str
    node: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """Nodes that the agent came to know."""

    time: datetime
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """A conversation of the agent: the others' names, and the lines as (speaker, text)."""

    time: datetime
    others: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedItem:
    """A chunk, an hour or an action of the plan, with its parts."""

    number: int
    begins: datetime
    ends: datetime
    description: str
    place: str
    parts: tuple["PlannedItem", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The world, the seed and the model of the simulation."""

    world: str
    seed: int
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A plan-day, from waking to the next waking, as far as it is committed (`until`).

    `left_at` is the time at which the agent left the simulation, None if it did not; `acts` is
    whether the act of a planned action was done, by the numbers of those that were tried.
    """

    agent: Identity
    source: Source
    chunks: tuple[PlannedItem, ...]
    until: datetime
    left_at: datetime | None
    activities: tuple[Activity, ...]
    sightings: tuple[Sighting, ...]
    notes: tuple[Note, ...]
    refusals: tuple[Note, ...]
    discoveries: tuple[Discovery, ...]
    dialogues: tuple[Dialogue, ...]
    thoughts: tuple[Note, ...]
    acts: Mapping[int, bool] = field(default_factory=dict)

    @property
    def begins(self) -> datetime:
        """The time of waking."""
        return self.chunks[0].begins

    @property
    def ends(self) -> datetime:
        """The planned time of the next waking."""
        return self.chunks[-1].ends
