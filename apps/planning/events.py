"""What happens to a person's plans: a day outlined, its hours planned, an hour divided.

Plan items are numbered 1, 2, 3… per person over all three levels; a tick span includes
`from_tick` and excludes `to_tick`.
"""

from dataclasses import dataclass
from typing import ClassVar

from apps.eventlog.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedItem:
    """A chunk of a day or an hour of it (P1).

    `parent` is the number of the chunk that an hour belongs to, 0 for a chunk; the
    description is an infinitive ("open Hobbs Cafe"); `place` is the path of a place or of
    an area in words. `continues` is the number of the hour that an interruption divided and
    whose rest this is, 0 for any other; it names the first of several such hours.
    """

    number: int
    parent: int
    description: str
    place: str
    from_tick: int
    to_tick: int
    asleep: bool
    continues: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAction:
    """A few minutes of an hour, with where, on what, and how it looks (P1, W2, W4, W7).

    The description follows "<name> is" ("turning on the coffee machine"); `area` and
    `object` are paths in words, `object` and `object_state` are "" when nothing is used.
    """

    number: int
    parent: int
    description: str
    area: str
    object: str
    object_state: str
    emoji: str
    from_tick: int
    to_tick: int
    asleep: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOutlined(Event):
    """A person planned a day in broad strokes, from now to the next waking.

    `day` is the date on which the plan-day began, "2023-02-13".
    """

    type: ClassVar[str] = "planning.day-outlined.v1"
    day: str
    items: tuple[PlannedItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HoursPlanned(Event):
    """A person planned the hours of a day that they had outlined."""

    type: ClassVar[str] = "planning.hours-planned.v1"
    day: str
    items: tuple[PlannedItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionsPlanned(Event):
    """A person divided one planned hour, whose number is `parent`, into actions."""

    type: ClassVar[str] = "planning.actions-planned.v1"
    parent: int
    items: tuple[PlannedAction, ...]


EVENTS = (DayOutlined, HoursPlanned, ActionsPlanned)
