"""Begin what is planned for later at once, in the place of what comes before it; pure (X2)."""

from collections.abc import Sequence

from apps.planning.events import ActionsPlanned, HoursPlanned, PlannedAction, PlannedItem
from apps.planning.rules import PlanItem


def begin_hours_now(
    hours: Sequence[PlanItem], *, now_tick: int, next_number: int
) -> HoursPlanned:
    """Return the planned hours, of which the first begins now; the others keep their times."""
    return HoursPlanned(
        day=hours[0].day,
        items=tuple(
            PlannedItem(
                number=number,
                parent=hour.parent,
                description=hour.description,
                place=hour.place,
                from_tick=hour.from_tick if hour is not hours[0] else now_tick,
                to_tick=hour.to_tick,
                asleep=hour.asleep,
                continues=hour.continues,
                free=hour.free,
            )
            for number, hour in enumerate(hours, start=next_number)
        ),
    )


def begin_actions_now(
    actions: Sequence[PlanItem], *, now_tick: int, next_number: int
) -> ActionsPlanned:
    """Return the actions of an hour, of which the first begins now."""
    return ActionsPlanned(
        parent=actions[0].parent,
        items=tuple(
            PlannedAction(
                number=number,
                parent=action.parent,
                description=action.description,
                area=action.place,
                object=action.object,
                object_state=action.object_state,
                emoji=action.emoji,
                from_tick=action.from_tick if action is not actions[0] else now_tick,
                to_tick=action.to_tick,
                asleep=action.asleep,
                importance=action.importance,
                act=action.act,
                other=action.other,
                about=action.about,
                with_agents=action.with_agents,
            )
            for number, action in enumerate(actions, start=next_number)
        ),
    )
