"""Queries of plans, as of the end of a tick.

Of an item that a later plan replaced, the part before the replacement remains.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from typing import get_args
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.agents.status import PlannedTime
from apps.kernel.game_time import GameCalendar
from apps.planning.models import PlanItemRow
from apps.planning.rules import Level, PlanItem, PlannedHour

LEVELS = get_args(Level)
_ITEM_FIELDS = [field.name for field in fields(PlanItem)]


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
    rows = _rows(simulation_id, agent, as_of_tick).filter(
        level=level, from_tick__lt=to_tick, to_tick__gt=from_tick
    )
    return [item for item in _as_of(rows, as_of_tick) if item.to_tick > from_tick]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan item and the tick in which it was planned."""

    item: PlanItem
    planned_tick: int


def lineage_at(
    simulation_id: UUID, agent: str, *, tick: int, number: int = 0
) -> tuple[Planned, ...]:
    """Return a plan item as of a tick and its ancestors: action, hour, chunk of the day (P1).

    Without a number it is the action for the tick, or the hour whose actions are not planned
    yet; there may be none.
    """
    rows = _rows(simulation_id, agent, tick)
    at_tick = Q(level__in=("action", "hour"), from_tick__lte=tick, to_tick__gt=tick)
    wanted = Q(number=number) if number else at_tick
    numbers = rows.filter(wanted).values("parent")
    for _ in LEVELS[1:]:
        wanted |= Q(number__in=numbers)
        numbers = rows.filter(number__in=numbers).values("parent")
    found = {row.number: row for row in rows.filter(wanted)}
    if not number:
        due = [
            one for one in _as_of(found.values(), tick) if one.from_tick <= tick < one.to_tick
        ]
        number = next(
            (one.number for level in ("action", "hour") for one in due if one.level == level), 0
        )
    lineage: list[Planned] = []
    while number in found and len(lineage) < len(LEVELS):
        row = found[number]
        item = plan_item(row, tick)
        lineage.append(Planned(item=item, planned_tick=row.valid_from_tick))
        number = row.parent
    return tuple(lineage)


def planned_times(
    items: Iterable[PlannedHour], calendar: GameCalendar
) -> tuple[PlannedTime, ...]:
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


def day_before(
    simulation_id: UUID, agent: str, *, today: str, as_of_tick: int
) -> tuple[str, int] | None:
    """Return the latest plan-day before today and its first tick, None on the first day."""
    rows = _rows(simulation_id, agent, as_of_tick)
    earlier = rows.filter(level="outline", day__lt=today)
    return earlier.order_by("-day", "from_tick").values_list("day", "from_tick").first()


def items_with_hours(
    simulation_id: UUID, agent: str, numbers: Collection[int], *, as_of_tick: int
) -> tuple[dict[int, PlanItem], dict[int, PlanItem]]:
    """Return the planned actions of the numbers, and their hours, each by its number."""
    rows = _rows(simulation_id, agent, as_of_tick)
    items = {row.number: plan_item(row, as_of_tick) for row in rows.filter(number__in=numbers)}
    parents = {item.parent for item in items.values()}
    hours = {row.number: plan_item(row, as_of_tick) for row in rows.filter(number__in=parents)}
    return items, hours


def plan_item(row: PlanItemRow, as_of_tick: int) -> PlanItem:
    """Return the item of the row as of the tick."""
    values = {name: getattr(row, name) for name in _ITEM_FIELDS}
    return PlanItem(**values | {"to_tick": row.ends_at(as_of_tick)})


def _rows(simulation_id: UUID, agent: str, as_of_tick: int) -> QuerySet[PlanItemRow]:
    """Return the rows that were planned by the end of the tick, in order."""
    return PlanItemRow.objects.filter(
        simulation_id=simulation_id, agent=agent, valid_from_tick__lte=as_of_tick
    ).order_by("from_tick", "number")


def _as_of(rows: Iterable[PlanItemRow], as_of_tick: int) -> list[PlanItem]:
    """Return the items as of the tick, without those that were replaced before they began."""
    items = [plan_item(row, as_of_tick) for row in rows]
    return [item for item in items if item.to_tick > item.from_tick]
