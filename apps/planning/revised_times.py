"""The changes of a revision, put into the planned times of the rest of a day; pure (X2).

What the answer does not change stays as it is planned. Times are split where a change begins
and ends.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.planning.answered_times import SLOT_MINUTES_MIN
from apps.planning.events import ActionsPlanned, HoursPlanned
from apps.planning.inputs import HourSlot, RevisedHoursInput
from apps.planning.llm_tasks.revised_hours import (
    HourChange,
    RevisedHours,
    bed_minute,
    requested_time,
)
from apps.planning.rules import PlanItem, planned_action, planned_hour


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisedTime:
    """A time of the revised day: a change, a dropped time, or a planned time or part of it.

    `slot` is the index of the planned time in which it begins; `change` is None without one.
    """

    start: int
    end: int
    slot: int
    change: HourChange | None = None
    dropped: bool = False

    @property
    def is_planned(self) -> bool:
        """Whether its activity is that of the plan."""
        return self.change is None and not self.dropped


def revised_times(inputs: RevisedHoursInput, fitted: RevisedHours) -> list[RevisedTime]:
    """Return the rest of the day with the fitted changes, without a gap.

    A rest of a planned time of less than SLOT_MINUTES_MIN is joined to the time before it.
    """
    begins, ends = inputs.slots[0].from_minute, bed_minute(inputs, fitted)
    changed = [
        RevisedTime(
            start=one.start, end=one.end, slot=_slot_at(inputs.slots, one.start), change=change
        )
        for index, change in enumerate(fitted.changes)
        for one in [requested_time(index, change, begins, ends)]
    ]
    whole = list(_planned(inputs.slots, fitted.dropped, ends))
    kept = [
        replace(one, start=start, end=end)
        for one in whole
        for start, end in _without(one, changed)
    ]
    joined: list[RevisedTime] = []
    for one in sorted([*changed, *kept], key=lambda time: time.start):
        is_short = one.change is None and one.end - one.start < SLOT_MINUTES_MIN
        if joined and is_short and one not in whole:
            joined[-1] = replace(joined[-1], end=one.end)
        else:
            joined.append(one)
    return joined


def _planned(
    slots: Sequence[HourSlot], dropped: Sequence[int], ends: int
) -> Iterator[RevisedTime]:
    """Yield the planned times until bedtime; what a later bedtime adds is free."""
    for index, slot in enumerate(slots):
        if slot.from_minute < ends:
            end = min(slot.to_minute, ends)
            yield RevisedTime(
                start=slot.from_minute, end=end, slot=index, dropped=index + 1 in dropped
            )
    if slots[-1].to_minute < ends:
        start = slots[-1].to_minute
        yield RevisedTime(start=start, end=ends, slot=len(slots) - 1, dropped=True)


def _slot_at(slots: Sequence[HourSlot], minute: int) -> int:
    inside = (index for index, slot in enumerate(slots) if minute < slot.to_minute)
    return next(inside, len(slots) - 1)


def _without(planned: RevisedTime, changed: Sequence[RevisedTime]) -> Iterator[tuple[int, int]]:
    """Yield what the changes leave of a planned time."""
    begun = planned.start
    for one in changed:
        if one.end <= begun or one.start >= planned.end:
            continue
        if one.start > begun:
            yield begun, one.start
        begun = one.end
    if begun < planned.end:
        yield begun, planned.end


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
