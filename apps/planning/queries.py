"""Questions about plans, each answered as things stood at the end of a tick.

An item that a later plan replaced by then is there as far as it was carried out.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import cast, get_args
from uuid import UUID

from django.db.models import Max, Q, QuerySet

from apps.agents.status import PlannedTime
from apps.django_support.statements import rows_of
from apps.kernel.game_time import GameCalendar
from apps.memory.items import MemoryItem
from apps.planning.inputs import Yesterday
from apps.planning.models import PlanItemRow
from apps.planning.rules import Level, PlanItem


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanBranch:
    """A plan item with what it was divided into."""

    item: PlanItem
    parts: tuple["PlanBranch", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayTree:
    """A plan-day: chunks, their hours, the hours' actions."""

    day: str
    branches: tuple[PlanBranch, ...]


LEVELS = get_args(Level)
_COLUMNS = [field.attname for field in PlanItemRow._meta.concrete_fields]

# Asked at every turn; the columns stand in the order of the row's fields.
_ITEMS_AT = """
SELECT
    id, simulation_id, agent, number, parent, day, level, description, place, object,
    object_state, emoji, asleep, from_tick, to_tick, valid_from_tick, valid_to_tick,
    kept_to_tick, continues
FROM planning_planitemrow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND level = %(level)s
    AND from_tick <= %(tick)s AND to_tick > %(tick)s AND valid_from_tick <= %(as_of_tick)s
ORDER BY from_tick, number
"""


def item_at(
    simulation_id: UUID, agent: str, *, level: Level, tick: int, as_of_tick: int
) -> PlanItem | None:
    """Return the item of the level that holds the tick, None when nothing is planned then."""
    asked = {
        "simulation": simulation_id,
        "agent": agent,
        "level": level,
        "tick": tick,
        "as_of_tick": as_of_tick,
    }
    rows = [
        PlanItemRow(**dict(zip(_COLUMNS, row, strict=True)))
        for row in rows_of(_ITEMS_AT, asked)
    ]
    found = _as_of(rows, as_of_tick)
    there = [item for item in found if item.to_tick > tick]
    return there[-1] if there else None


def items_between(
    simulation_id: UUID,
    agent: str,
    *,
    level: Level,
    from_tick: int,
    to_tick: int,
    as_of_tick: int,
) -> list[PlanItem]:
    """Return the items of the level that overlap the span, in order."""
    rows = _written_by(simulation_id, agent, as_of_tick).filter(
        level=level, from_tick__lt=to_tick, to_tick__gt=from_tick
    )
    return [item for item in _as_of(rows, as_of_tick) if item.to_tick > from_tick]


def plan_of_day(
    simulation_id: UUID, agent: str, *, day: str | None, as_of_tick: int
) -> DayTree | None:
    """Return the plan of the day ("2023-02-13"), of the latest one if none is named.

    None when no such day was planned by then.
    """
    named = day or latest_day(simulation_id, agent, as_of_tick=as_of_tick)
    if named is None:
        return None
    written = _written_by(simulation_id, agent, as_of_tick)
    items = _as_of(written.filter(day=named), as_of_tick)
    if not items:
        return None
    hours = [item.number for item in items if item.level == "hour"]
    actions = _as_of(written.filter(level="action", parent__in=hours), as_of_tick)
    return DayTree(day=named, branches=_branches([*items, *actions]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan item, and the tick in which it was planned."""

    item: PlanItem
    planned_tick: int


def lineage_of(
    simulation_id: UUID, agent: str, number: int, *, as_of_tick: int
) -> tuple[Planned, ...]:
    """Return a plan item and what it is part of: action, hour, chunk of the day (P1)."""
    found: list[Planned] = []
    while number and len(found) < len(LEVELS):
        row = _written_by(simulation_id, agent, as_of_tick).filter(number=number).first()
        if row is None:
            break
        item = _plan_item(row, as_of_tick)
        found.append(Planned(item=item, planned_tick=row.valid_from_tick))
        number = row.parent
    return tuple(found)


def latest_day(simulation_id: UUID, agent: str, *, as_of_tick: int) -> str | None:
    """Return the date of the latest plan-day, None before the first."""
    outlined = _written_by(simulation_id, agent, as_of_tick).filter(level="outline")
    return outlined.order_by("-day").values_list("day", flat=True).first()


def next_number(simulation_id: UUID, agent: str, *, as_of_tick: int) -> int:
    """Return the number of the person's next plan item."""
    highest = PlanItemRow.objects.filter(
        simulation_id=simulation_id, agent=agent, valid_from_tick__lte=as_of_tick
    ).aggregate(highest=Max("number"))["highest"]
    return int(highest or 0) + 1


def actions_of_hour(
    simulation_id: UUID, agent: str, hour: int, *, as_of_tick: int
) -> frozenset[int]:
    """Return the numbers of the actions of an hour and of the hours that continue it."""
    written = _written_by(simulation_id, agent, as_of_tick)
    parts = written.filter(Q(number=hour) | Q(continues=hour), level="hour")
    actions = written.filter(level="action", parent__in=parts.values("number"))
    return frozenset(actions.values_list("number", flat=True))


def planned_times(items: Iterable[PlanItem], calendar: GameCalendar) -> tuple[PlannedTime, ...]:
    """Return plan items with their game times."""
    return tuple(
        PlannedTime(
            starts=calendar.time_at(item.from_tick),
            ends=calendar.time_at(item.to_tick),
            activity=item.description,
            place=item.place,
            is_asleep=item.asleep,
        )
        for item in items
    )


def yesterday_of(
    simulation_id: UUID,
    agent: str,
    *,
    today: str,
    calendar: GameCalendar,
    as_of_tick: int,
    memories: tuple[MemoryItem, ...] = (),
) -> Yesterday | None:
    """Return the latest plan-day before today, None on the first (P3).

    A chunk ends where a later plan replaced the rest of it. `memories` are of that day.
    """
    outlined = _written_by(simulation_id, agent, as_of_tick).filter(level="outline")
    before = outlined.filter(day__lt=today)
    day = before.order_by("-day").values_list("day", flat=True).first()
    if day is None:
        return None
    items = _as_of(before.filter(day=day), as_of_tick)
    return Yesterday(
        date=date.fromisoformat(day),
        planned=planned_times(items, calendar),
        memories=memories,
    )


def _written_by(simulation_id: UUID, agent: str, as_of_tick: int) -> QuerySet[PlanItemRow]:
    """Return the rows of what had been planned by the end of the tick, in order."""
    return PlanItemRow.objects.filter(
        simulation_id=simulation_id, agent=agent, valid_from_tick__lte=as_of_tick
    ).order_by("from_tick", "number")


def _as_of(rows: Iterable[PlanItemRow], as_of_tick: int) -> list[PlanItem]:
    """Return the items as they were known then; what was replaced unbegun is not there."""
    items = [_plan_item(row, as_of_tick) for row in rows]
    return [item for item in items if item.to_tick > item.from_tick]


def _branches(items: Iterable[PlanItem]) -> tuple[PlanBranch, ...]:
    below: dict[int, list[PlanItem]] = defaultdict(list)
    numbers = set()
    for item in items:
        below[item.parent].append(item)
        numbers.add(item.number)
    tops = [item for parent, found in below.items() if parent not in numbers for item in found]
    return tuple(_branch(item, below) for item in sorted(tops, key=_place_in_order))


def _branch(item: PlanItem, below: dict[int, list[PlanItem]]) -> PlanBranch:
    parts = sorted(below.get(item.number, ()), key=_place_in_order)
    return PlanBranch(item=item, parts=tuple(_branch(part, below) for part in parts))


def _place_in_order(item: PlanItem) -> tuple[int, int]:
    return item.from_tick, item.number


def _plan_item(row: PlanItemRow, as_of_tick: int) -> PlanItem:
    ends = row.to_tick
    closed = row.valid_to_tick is not None and row.valid_to_tick <= as_of_tick
    if closed and row.kept_to_tick is not None:
        ends = min(ends, row.kept_to_tick)
    return PlanItem(
        number=row.number,
        parent=row.parent,
        level=cast("Level", row.level),
        day=row.day,
        description=row.description,
        place=row.place,
        object=row.object,
        object_state=row.object_state,
        emoji=row.emoji,
        asleep=row.asleep,
        continues=row.continues,
        from_tick=row.from_tick,
        to_tick=ends,
    )
