"""What an agent did of its plan, from its actions on the log; pure (P3).

Plans are intentions. An hour counts as performed where a planned action of it was begun, from
that action to the end of the last one; walking and waiting alone perform nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from apps.agents.events import ActionKind
from apps.agents.status import PlannedTime
from apps.agents.track import Action
from apps.kernel.game_time import GameCalendar
from apps.planning.rules import PlanItem

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
    return tuple(one for one in performed if _is_long(one))


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


def _is_long(time: PlannedTime) -> bool:
    return (time.ends - time.starts).total_seconds() >= 60 * PERFORMED_MINUTES_MIN


def plan_items_of(actions: Iterable[Action]) -> frozenset[int]:
    """Return the numbers of the planned actions among the actions."""
    return frozenset(one.plan_item for one in actions if one.plan_item)
