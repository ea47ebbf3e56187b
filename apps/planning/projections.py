"""The projection of plans.

A later plan replaces items from its own span on and leaves the past (X2): an outline replaces
chunks, hours and actions; hours replace hours and actions; actions replace actions. Rows of
earlier plan-days end before any later span.
"""

from collections.abc import Sequence

from django.db.models import F, Value
from django.db.models.functions import Greatest

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection, agent_rows, row_of
from apps.planning.events import (
    ActionsPlanned,
    DayOutlined,
    HoursPlanned,
    PlannedAction,
    PlannedItem,
)
from apps.planning.models import PlanItemRow
from apps.planning.rules import Level


def _day_outlined(event: DayOutlined, recorded: Recorded) -> None:
    _close(recorded, event.items, levels=("outline", "hour", "action"))
    PlanItemRow.objects.bulk_create(
        [_item_row(recorded, item, event.day, "outline") for item in event.items]
    )


def _hours_planned(event: HoursPlanned, recorded: Recorded) -> None:
    _close(recorded, event.items, levels=("hour", "action"))
    PlanItemRow.objects.bulk_create(
        [_item_row(recorded, item, event.day, "hour") for item in event.items]
    )


def _actions_planned(event: ActionsPlanned, recorded: Recorded) -> None:
    _close(recorded, event.items, levels=("action",))
    PlanItemRow.objects.bulk_create(
        [_action_row(recorded, action, event) for action in event.items]
    )


def _close(
    recorded: Recorded,
    items: Sequence[PlannedItem] | Sequence[PlannedAction],
    *,
    levels: tuple[Level, ...],
) -> None:
    """End the validity of the rows that the items replace."""
    start, end = items[0].from_tick, items[-1].to_tick
    agent_rows(
        PlanItemRow,
        recorded,
        level__in=levels,
        valid_to_tick=None,
        from_tick__lt=end,
        to_tick__gt=start,
    ).update(
        valid_to_tick=recorded.tick,
        kept_to_tick=Greatest(F("from_tick"), Value(start)),
    )


def _item_row(recorded: Recorded, item: PlannedItem, day: str, level: Level) -> PlanItemRow:
    of_actions = {"object": "", "object_state": "", "emoji": ""}
    return row_of(
        PlanItemRow, recorded, item, day=day, level=level, planned_tick=recorded.tick,
        valid_from_tick=recorded.tick, **of_actions,
    )  # fmt: skip


def _action_row(
    recorded: Recorded, action: PlannedAction, event: ActionsPlanned
) -> PlanItemRow:
    planned = recorded.tick if event.planned_tick is None else event.planned_tick
    return row_of(
        PlanItemRow,
        recorded,
        action,
        day="",
        level="action",
        place=action.area,
        reused_from=event.reused_from,
        planned_tick=planned,
        valid_from_tick=recorded.tick,
    )


DAY_PLANS = Projection(
    models=(PlanItemRow,),
    handlers={
        DayOutlined: _day_outlined,
        HoursPlanned: _hours_planned,
        ActionsPlanned: _actions_planned,
    },
)
PROJECTIONS = (DAY_PLANS,)
