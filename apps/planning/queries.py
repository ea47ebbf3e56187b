"""Queries of plans, as of the end of a tick.

Of an item that a later plan replaced, the part before the replacement remains.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import get_args
from uuid import UUID

from django.db.models import Max, Q, QuerySet

from apps.agents import queries as agent_queries
from apps.agents.status import PlannedTime
from apps.kernel.game_time import GameCalendar
from apps.planning.models import PlanItemRow
from apps.planning.performed import performed_times, plan_items_of
from apps.planning.rules import Level, PlanItem, PlannedHour


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanBranch:
    """A plan item with its parts."""

    item: PlanItem
    parts: tuple["PlanBranch", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayTree:
    """A plan-day: chunks, their hours, the actions of the hours."""

    day: str
    branches: tuple[PlanBranch, ...]


LEVELS = get_args(Level)
_ITEM_FIELDS = [field.name for field in fields(PlanItem)]


def item_at(
    simulation_id: UUID, agent: str, *, level: Level, tick: int, as_of_tick: int
) -> PlanItem | None:
    """Return the item of the level at the tick, None without one."""
    items = items_between(
        simulation_id,
        agent,
        level=level,
        from_tick=tick,
        to_tick=tick + 1,
        as_of_tick=as_of_tick,
    )
    return items[-1] if items else None


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


def hours_since(
    simulation_id: UUID, *, from_tick: int, as_of_tick: int
) -> dict[str, list[PlanItem]]:
    """Return the planned hours that end after `from_tick`, by agent and in order.

    They are those of the plans as of the tick, without hours of sleep.
    """
    rows = PlanItemRow.objects.filter(
        simulation_id=simulation_id,
        level="hour",
        asleep=False,
        to_tick__gt=from_tick,
        valid_from_tick__lte=as_of_tick,
    ).order_by("agent", "from_tick", "number")
    hours: dict[str, list[PlanItem]] = defaultdict(list)
    for row in rows:
        hours[row.agent] += _as_of([row], as_of_tick)
    return hours


def plan_of_day(
    simulation_id: UUID, agent: str, *, day: str | None, as_of_tick: int
) -> DayTree | None:
    """Return the plan of the day ("2023-02-13"), by default of the latest one.

    None without a plan of the day.
    """
    day = day or latest_day(simulation_id, agent, as_of_tick=as_of_tick)
    rows = _rows(simulation_id, agent, as_of_tick)
    items = _as_of(rows.filter(day=day), as_of_tick) if day else []
    if not day or not items:
        return None
    hours = [item.number for item in items if item.level == "hour"]
    actions = _as_of(rows.filter(level="action", parent__in=hours), as_of_tick)
    return DayTree(day=day, branches=_branches([*items, *actions]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan item and the tick in which it was planned."""

    item: PlanItem
    planned_tick: int


def lineage_of(
    simulation_id: UUID, agent: str, number: int, *, as_of_tick: int
) -> tuple[Planned, ...]:
    """Return a plan item and its ancestors: action, hour, chunk of the day (P1)."""
    rows = _rows(simulation_id, agent, as_of_tick)
    wanted, numbers = Q(number=number), rows.filter(number=number).values("parent")
    for _ in LEVELS[1:]:
        wanted |= Q(number__in=numbers)
        numbers = rows.filter(number__in=numbers).values("parent")
    found = {row.number: row for row in rows.filter(wanted)} if number else {}
    lineage: list[Planned] = []
    while number in found and len(lineage) < len(LEVELS):
        row = found[number]
        item = plan_item(row, as_of_tick)
        lineage.append(Planned(item=item, planned_tick=row.valid_from_tick))
        number = row.parent
    return tuple(lineage)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanVersion:
    """A plan item as it was planned, and what a later plan left of it.

    `replaced_tick` is None while it is current. Of a replaced item, the part before
    `kept_to_tick` remains, the whole item without one.
    """

    item: PlanItem
    planned_tick: int
    replaced_tick: int | None
    kept_to_tick: int | None


def plan_versions(
    simulation_id: UUID,
    *,
    levels: Iterable[Level],
    from_tick: int,
    to_tick: int,
    as_of_tick: int,
) -> dict[str, list[PlanVersion]]:
    """Return the items of the levels that overlap the span, by agent and in order.

    Those that a later plan has replaced are among them, so that the plan as of any tick of the
    span can be read from them.
    """
    rows = PlanItemRow.objects.filter(
        simulation_id=simulation_id,
        level__in=list(levels),
        valid_from_tick__lte=as_of_tick,
        from_tick__lt=to_tick,
        to_tick__gt=from_tick,
    )
    found: dict[str, list[PlanVersion]] = defaultdict(list)
    for row in rows.order_by("agent", "from_tick", "number"):
        found[row.agent].append(
            PlanVersion(
                item=PlanItem(**{name: getattr(row, name) for name in _ITEM_FIELDS}),
                planned_tick=row.valid_from_tick,
                replaced_tick=row.valid_to_tick,
                kept_to_tick=row.kept_to_tick,
            )
        )
    return dict(found)


def latest_day(simulation_id: UUID, agent: str, *, as_of_tick: int) -> str | None:
    """Return the date of the latest plan-day, None before the first."""
    return _latest_day(_outlines(simulation_id, agent, as_of_tick))


def next_number(simulation_id: UUID, agent: str, *, as_of_tick: int) -> int:
    """Return the number of the agent's next plan item."""
    rows = _rows(simulation_id, agent, as_of_tick)
    return int(rows.aggregate(highest=Max("number"))["highest"] or 0) + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HourCounts:
    """How many hours have planned actions, and how many of these repeat a known hour."""

    planned: int
    reused: int
    """Of these, the hours that repeat a known hour without a call of the model; see the
    setting `reuse_hours`.
    """


def hour_counts(simulation_id: UUID, *, as_of_tick: int | None = None) -> HourCounts:
    """Return the counts of hours over all agents of a simulation, sleep not counted.

    `as_of_tick`: only hours that were planned by the end of this tick.
    """
    rows = PlanItemRow.objects.filter(simulation_id=simulation_id, level="action", asleep=False)
    if as_of_tick is not None:
        rows = rows.filter(valid_from_tick__lte=as_of_tick)
    hours = rows.values("agent", "parent").distinct()
    return HourCounts(planned=hours.count(), reused=hours.exclude(reused_from="").count())


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
    earlier = _outlines(simulation_id, agent, as_of_tick).filter(day__lt=today)
    return earlier.order_by("-day", "from_tick").values_list("day", "from_tick").first()


def performed_between(
    simulation_id: UUID, agent: str, *, calendar: GameCalendar, from_tick: int, to_tick: int
) -> tuple[PlannedTime, ...]:
    """Return what the agent did of its plans in the ticks, from its actions (P3)."""
    actions = agent_queries.actions_between(
        simulation_id, agent, from_tick=from_tick, to_tick=to_tick
    )
    rows = _rows(simulation_id, agent, to_tick)
    parents = dict(
        rows.filter(number__in=plan_items_of(actions)).values_list("number", "parent")
    )
    hours = {
        row.number: plan_item(row, to_tick) for row in rows.filter(number__in=parents.values())
    }
    return performed_times(
        actions,
        {number: hours[parent] for number, parent in parents.items() if parent in hours},
        calendar=calendar,
        to_tick=to_tick,
    )


def plan_item(row: PlanItemRow, as_of_tick: int) -> PlanItem:
    """Return the item of the row as of the tick."""
    values = {name: getattr(row, name) for name in _ITEM_FIELDS}
    return PlanItem(**values | {"to_tick": row.ends_at(as_of_tick)})


def _rows(simulation_id: UUID, agent: str, as_of_tick: int) -> QuerySet[PlanItemRow]:
    """Return the rows that were planned by the end of the tick, in order."""
    return PlanItemRow.objects.filter(
        simulation_id=simulation_id, agent=agent, valid_from_tick__lte=as_of_tick
    ).order_by("from_tick", "number")


def _outlines(simulation_id: UUID, agent: str, as_of_tick: int) -> QuerySet[PlanItemRow]:
    return _rows(simulation_id, agent, as_of_tick).filter(level="outline")


def _latest_day(outlines: QuerySet[PlanItemRow]) -> str | None:
    return outlines.order_by("-day").values_list("day", flat=True).first()


def _as_of(rows: Iterable[PlanItemRow], as_of_tick: int) -> list[PlanItem]:
    """Return the items as of the tick, without those that were replaced before they began."""
    items = [plan_item(row, as_of_tick) for row in rows]
    return [item for item in items if item.to_tick > item.from_tick]


def _branches(items: Iterable[PlanItem]) -> tuple[PlanBranch, ...]:
    below: dict[int, list[PlanItem]] = defaultdict(list)
    numbers = set()
    for item in items:
        below[item.parent].append(item)
        numbers.add(item.number)
    tops = [item for parent, parts in below.items() if parent not in numbers for item in parts]
    return tuple(_branch(item, below) for item in sorted(tops, key=_order))


def _branch(item: PlanItem, below: dict[int, list[PlanItem]]) -> PlanBranch:
    parts = sorted(below.get(item.number, ()), key=_order)
    return PlanBranch(item=item, parts=tuple(_branch(part, below) for part in parts))


def _order(item: PlanItem) -> tuple[int, int]:
    return item.from_tick, item.number
