"""Begin a later hour or action at once, in the place of what comes before it; pure (X2)."""

from collections.abc import Sequence
from dataclasses import replace

from apps.planning.events import ActionsPlanned, HoursPlanned
from apps.planning.rules import PlanItem, planned_action, planned_hour


def begin_hours_now(
    hours: Sequence[PlanItem], *, now_tick: int, next_number: int
) -> HoursPlanned:
    """Return the planned hours, of which the first begins now; the others keep their times."""
    begun = _begun_now(hours, now_tick, next_number)
    return HoursPlanned(day=hours[0].day, items=tuple(map(planned_hour, begun)))


def begin_actions_now(
    actions: Sequence[PlanItem], *, now_tick: int, next_number: int
) -> ActionsPlanned:
    """Return the actions of an hour, of which the first begins now."""
    begun = _begun_now(actions, now_tick, next_number)
    return ActionsPlanned(parent=actions[0].parent, items=tuple(map(planned_action, begun)))


def _begun_now(items: Sequence[PlanItem], now_tick: int, next_number: int) -> list[PlanItem]:
    """Return the items with new numbers, the first from now on."""
    begun = (replace(items[0], from_tick=now_tick), *items[1:])
    return [replace(item, number=number) for number, item in enumerate(begun, next_number)]
