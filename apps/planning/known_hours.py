"""Hours whose actions are known, for later ones with the same words and place (ADR 38).

Plans are read as of the end of the tick before: later ones belong to the same days.
"""

from collections import defaultdict
from collections.abc import Iterator
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.agents.acts import ActKind
from apps.agents.models import TurnedAwayRow
from apps.eventlog.queries import event_id_of_row, events_of_turn
from apps.planning.events import ActionsPlanned
from apps.planning.models import PlanItemRow
from apps.planning.queries import plan_item
from apps.planning.reuse import KnownHour
from apps.planning.rules import PlanItem, planned_action

# The latest hours with the same words and place that are looked at.
HOURS_MAX = 5


def known_hours(
    simulation_id: UUID, agent: str, hour: PlanItem, *, as_of_tick: int, same_day: bool
) -> tuple[KnownHour, ...]:
    """Return the past hours whose actions the agent can do again in this hour, latest first.

    The model planned them for the same activity at the same place, once and for all of the
    hour, alone and without an act with another agent; nothing refused the agent then, and no
    other hour of the day of `hour` repeats them. Hours of that day count if `same_day`.
    """
    rows = PlanItemRow.objects.filter(
        simulation_id=simulation_id, agent=agent, valid_from_tick__lte=as_of_tick
    ).order_by("number")
    past = _hours(rows, hour, as_of_tick=as_of_tick, same_day=same_day)
    actions = defaultdict(list)
    for row in rows.filter(level="action", parent__in=[row.number for row in past]):
        actions[row.parent].append(row)
    repeated = _repeated_on(rows, hour.day) if past else set()
    known = (
        one for row in past for one in _known(row, actions[row.number], as_of_tick=as_of_tick)
    )
    return tuple(one for one in known if one.event not in repeated)


def _repeated_on(rows: QuerySet[PlanItemRow], day: str) -> set[str]:
    """Return the events whose actions an hour of the day repeats."""
    hours = rows.filter(level="hour", day=day).values("number")
    repeating = rows.filter(level="action", parent__in=hours).exclude(reused_from="")
    return set(repeating.values_list("reused_from", flat=True))


def _hours(
    rows: QuerySet[PlanItemRow], hour: PlanItem, *, as_of_tick: int, same_day: bool
) -> list[PlanItemRow]:
    past = rows.filter(
        Q(valid_to_tick=None) | Q(valid_to_tick__gt=as_of_tick),
        level="hour",
        description=hour.description,
        place=hour.place,
        asleep=False,
        continues=0,
        to_tick__lte=as_of_tick + 1,
    )
    if not same_day:
        past = past.exclude(day=hour.day)
    return list(past.reverse()[:HOURS_MAX])


def _known(
    hour: PlanItemRow, actions: list[PlanItemRow], *, as_of_tick: int
) -> Iterator[KnownHour]:
    """Yield the hour if its actions can be done again."""
    is_whole = (
        len({row.valid_from_tick for row in actions}) == 1
        and not any(row.is_replaced_at(as_of_tick) for row in actions)
        and actions[-1].to_tick == hour.to_tick
    )
    is_own = not any(
        row.reused_from or row.act != ActKind.NONE or row.with_agents for row in actions
    )
    if not is_whole or not is_own or _was_refused(hour):
        return
    tick = actions[0].valid_from_tick
    for event in events_of_turn(hour.simulation_id, hour.agent, tick, types=[ActionsPlanned]):
        yield KnownHour(
            event=str(event_id_of_row(event)),
            planned_tick=tick,
            actions=tuple(planned_action(plan_item(row, tick)) for row in actions),
        )


def _was_refused(hour: PlanItemRow) -> bool:
    """Return whether the agent could not enter or use something in the hour."""
    return TurnedAwayRow.objects.filter(
        simulation_id=hour.simulation_id,
        agent=hour.agent,
        tick__gte=hour.from_tick,
        tick__lt=hour.to_tick,
    ).exists()
