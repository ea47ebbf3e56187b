"""Queries of plans, as of the end of a tick.

Of an item that a later plan replaced, the part before the replacement remains.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from itertools import zip_longest
from typing import get_args
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.agents import queries as agent_queries
from apps.agents.events import ActionKind
from apps.agents.status import PlannedTime
from apps.agents.track import Action
from apps.kernel.game_time import GameCalendar
from apps.planning.models import PlanItemRow
from apps.planning.rules import Level, PlanItem, PlannedHour

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


def performed_between(
    simulation_id: UUID, agent: str, *, calendar: GameCalendar, from_tick: int, to_tick: int
) -> tuple[PlannedTime, ...]:
    """Return what the agent did of its plans in the ticks, from its actions (P3)."""
    actions = agent_queries.actions_between(
        simulation_id, agent, from_tick=from_tick, to_tick=to_tick
    )
    rows = _rows(simulation_id, agent, to_tick)
    planned = {one.plan_item for one in actions if one.plan_item}
    parents = dict(rows.filter(number__in=planned).values_list("number", "parent"))
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


def _as_of(rows: Iterable[PlanItemRow], as_of_tick: int) -> list[PlanItem]:
    """Return the items as of the tick, without those that were replaced before they began."""
    items = [plan_item(row, as_of_tick) for row in rows]
    return [item for item in items if item.to_tick > item.from_tick]


# Shorter activities are left out.
PERFORMED_MINUTES_MIN = 5
_OF_PLAN = frozenset({ActionKind.PLANNED, ActionKind.SLEEPING})
_BETWEEN = frozenset(ActionKind) - _OF_PLAN - {ActionKind.USER_CONTROLLED}


def performed_times(
    actions: Sequence[Action],
    hours: Mapping[int, PlanItem],
    *,
    calendar: GameCalendar,
    to_tick: int,
) -> tuple[PlannedTime, ...]:
    """Return the performed hours in order, each with its actual times.

    `actions` are in order; `hours` are the hours of planned actions by the numbers of the
    actions. An action that a user requested stands by itself. Neighbours with the same
    activity and place are joined.
    """
    performed: list[PlannedTime] = []
    for action, after in zip_longest(actions, actions[1:]):
        end = min(action.until_tick, to_tick if after is None else after.from_tick)
        time = _time_of(action, hours, calendar, end)
        if time is None:
            continue
        last = performed[-1] if performed else None
        if last is not None and (last.activity, last.place) == (time.activity, time.place):
            performed[-1] = replace(last, ends=time.ends)
        else:
            performed.append(time)
    least = timedelta(minutes=PERFORMED_MINUTES_MIN)
    return tuple(one for one in performed if one.ends - one.starts >= least)


def _time_of(
    action: Action, hours: Mapping[int, PlanItem], calendar: GameCalendar, end: int
) -> PlannedTime | None:
    """Return the time of the action with the activity of its hour, None for one between."""
    if action.kind in _BETWEEN:
        return None
    hour = hours.get(action.plan_item)
    return PlannedTime(
        starts=calendar.time_at(action.from_tick),
        ends=calendar.time_at(max(end, action.from_tick)),
        activity=action.description if hour is None else hour.description,
        place=action.area if hour is None else hour.place,
        is_asleep=action.asleep,
    )
