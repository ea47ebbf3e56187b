"""Events of plans: a day is outlined, its hours are planned, an hour is divided into actions.

Plan items are numbered from 1 for each agent over all three levels; spans are
[from_tick, to_tick).
"""

from dataclasses import dataclass
from typing import ClassVar

from apps.agents.acts import ActKind
from apps.eventlog.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedItem:
    """A chunk of a day or an hour of it (P1).

    `parent` is the number of the chunk of an hour, 0 for a chunk; the description is an
    infinitive ("open Hobbs Cafe"); `place` is the path of a place or area in words.
    `continues` is the number of the interrupted hour of which this is the rest, the first
    one after several interruptions, 0 for others. `free` marks time that a revision of the day
    has given up, or that a later bedtime adds.
    """

    number: int
    parent: int
    description: str
    place: str
    from_tick: int
    to_tick: int
    asleep: bool
    continues: int = 0
    free: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAction:
    """An action of a few minutes, with area, object, object state and emoji (P1, W2, W4, W7).

    The description follows "<name> is" ("turning on the coffee machine"); `area` and
    `object` are paths in words; `object` and `object_state` are "" without an object.
    `importance` is that of the memory of the action. `act` is the kind of its act, `other` the
    slug of the agent that the act names, "" for none, and `about` what is said, given or left.
    `with_agents` are the slugs of the other participants.
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
    importance: int = 0
    act: ActKind = ActKind.NONE
    other: str = ""
    about: str = ""
    with_agents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOutlined(Event):
    """An agent outlined a day until the next waking.

    `day` is the date of the beginning of the plan-day, "2023-02-13".
    """

    type: ClassVar[str] = "planning.day-outlined.v1"
    day: str
    items: tuple[PlannedItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HoursPlanned(Event):
    """An agent planned the hours of an outlined day."""

    type: ClassVar[str] = "planning.hours-planned.v1"
    day: str
    items: tuple[PlannedItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionsPlanned(Event):
    """An agent divided the planned hour of the number `parent` into actions.

    `reused_from` is the id of the event that has planned them for an earlier hour, "" where
    the model has planned them for this one; `planned_tick` is the tick in which actions that
    only begin earlier were planned, None for new ones.
    """

    type: ClassVar[str] = "planning.actions-planned.v1"
    parent: int
    items: tuple[PlannedAction, ...]
    reused_from: str = ""
    planned_tick: int | None = None


EVENTS = (DayOutlined, HoursPlanned, ActionsPlanned)
