"""Revision of the rest of a planned day: what an answer does not change stays (X2)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date

from apps.kernel.language import noted, phrase
from apps.kernel.text import one_line
from apps.llm.calls.agent_llm import AgentLLM
from apps.planning.answered_times import SLOT_MINUTES_MIN
from apps.planning.commands import planned_item
from apps.planning.context import PlanningContext
from apps.planning.events import ActionsPlanned, HoursPlanned, PlannedItem
from apps.planning.inputs import (
    ActivitiesAgreed,
    AdoptedThought,
    HourSlot,
    LeaveTaken,
    ReactionReason,
    RevisedHoursInput,
    RevisionReason,
)
from apps.planning.llm_tasks.revised_hours import (
    REVISED_HOURS,
    HourChange,
    RevisedHours,
    bed_minute,
    requested_time,
)
from apps.planning.rules import PlanItem, hours_of, planned_action, planned_hour
from apps.planning.tiling import Span

FREE_TIME = noted("take some free time")


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
            start=one.start,
            end=one.end,
            # That of the first slot that ends later, or of the last one.
            slot=sum(slot.to_minute <= one.start for slot in inputs.slots[:-1]),
            change=change,
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
    first = actions[0]
    return ActionsPlanned(
        parent=first.parent,
        items=tuple(map(planned_action, begun)),
        reused_from=first.reused_from,
        planned_tick=first.planned_tick,
    )


def _begun_now(items: Sequence[PlanItem], now_tick: int, next_number: int) -> list[PlanItem]:
    """Return the items with new numbers, the first from now on."""
    begun = (replace(items[0], from_tick=now_tick), *items[1:])
    return [replace(item, number=number) for number, item in enumerate(begun, next_number)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImmediateActivity:
    """An immediate activity: an infinitive, the path of a place or area, and the length."""

    description: str
    place: str
    ticks: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """An item of the revised day without its number; `source` is the hour that it keeps."""

    item: PlannedItem
    source: PlanItem | None = None


def stored_hour(day: str, hour: PlannedItem) -> PlanItem:
    """Return a newly planned hour as a stored item."""
    return PlanItem(level="hour", day=day, **asdict(hour))


def subject_of(reason: RevisionReason) -> str:
    """Return what a revision is about, to retrieve memories of it."""
    match reason:
        case ReactionReason():
            return f"{reason.observation}: {reason.activity}"
        case AdoptedThought():
            return reason.deed or reason.thought
        case ActivitiesAgreed():
            return ", ".join(one.activity for one in reason.activities)
        case LeaveTaken():
            return reason.other
        case _:
            return ", ".join(reason.activities)


def revise_hours(
    llm: AgentLLM,
    context: PlanningContext,
    *,
    rest: Sequence[PlanItem],
    now_tick: int,
    reasons: tuple[RevisionReason, ...],
    first: ImmediateActivity | None,
    next_number: int,
) -> HoursPlanned | None:
    """Return the hours from the first change to the next waking, None without a change.

    `rest` are the planned hours that are not over, in order. Those before the first change
    are not planned again, so that their actions stay. Calls the model once, or never if only
    sleep is left. The rest of an interrupted hour continues that hour.

    :raises ValueError: if nothing is left of the day.
    """
    if not rest:
        raise ValueError(f"no planned hour is left at tick {now_tick}")
    begins = now_tick if first is None else _end_of(first, rest, now_tick, context)
    pieces = []
    if first is not None:
        span = Span(now_tick, begins)
        item = planned_item(span, first.description, first.place, parent=rest[0].parent)
        pieces.append(_Piece(item))
    left = [item for item in rest if item.to_tick > begins]
    awake = [
        replace(item, from_tick=max(item.from_tick, begins)) for item in left if not item.asleep
    ]
    night = next((item for item in left if item.asleep), None)
    bed = begins if night is None else max(night.from_tick, begins)
    if awake:
        revised, bed = _revised(
            llm, context, awake, night=night, now_tick=now_tick, reasons=reasons
        )
        pieces += revised
    if night is not None:
        asleep = _kept(night, Span(bed, night.to_tick))
        is_moved = bed != max(night.from_tick, begins)
        pieces.append(replace(asleep, source=None) if is_moved else asleep)
    changed = [at for at, piece in enumerate(pieces) if piece.source is None]
    if not changed:
        return None
    begun = {
        item.number: item.continues or item.number
        for item in (
            *(item for item in rest if item.from_tick < begins),
            *(piece.source for piece in pieces[: changed[0]] if piece.source is not None),
        )
    }
    return HoursPlanned(
        day=rest[0].day, items=_numbered(pieces[changed[0] :], begun, next_number)
    )


def _end_of(
    first: ImmediateActivity,
    rest: Sequence[PlanItem],
    now_tick: int,
    context: PlanningContext,
) -> int:
    """Return the tick at which the immediate activity ends.

    What is left of an hour after it is joined to it if that is less than SLOT_MINUTES_MIN.
    """
    end = min(now_tick + first.ticks, rest[-1].to_tick)
    ticks_min = context.calendar.ticks_of(minutes=SLOT_MINUTES_MIN)
    ends = [item.to_tick for item in rest if not item.asleep and item.from_tick < end]
    return next((tick for tick in ends if 0 <= tick - end < ticks_min), end)


def _revised(
    llm: AgentLLM,
    context: PlanningContext,
    awake: Sequence[PlanItem],
    *,
    night: PlanItem | None,
    now_tick: int,
    reasons: tuple[RevisionReason, ...],
) -> tuple[list[_Piece], int]:
    """Return the waking rest of the day with the changes, and the tick of its end.

    Calls the model once.
    """
    day = awake[0].day
    inputs = RevisedHoursInput(
        **context.inputs(date.fromisoformat(day)),
        now_minute=context.minute(now_tick, day),
        reasons=reasons,
        slots=tuple(
            context.slot(item.description, item.place, Span(item.from_tick, item.to_tick), day)
            for item in awake
        ),
        places=context.places(),
        here=context.here,
        status=context.status,
        wake_minute=None if night is None else context.minute(night.to_tick, day),
    )
    answer = llm.ask(REVISED_HOURS, inputs)
    # Ticks can be finer than minutes.
    exact = {
        context.minute(tick, day): tick
        for item in reversed(awake)
        for tick in (item.to_tick, item.from_tick)
    }

    def tick_of(minute: int) -> int:
        return exact.get(minute, context.tick(minute, day))

    pieces = [
        piece
        for time in revised_times(inputs, answer)
        for span in [Span(tick_of(time.start), tick_of(time.end))]
        if span.ticks > 0
        for piece in _pieces(time, span, awake[time.slot], context)
    ]
    return pieces, tick_of(bed_minute(inputs, answer))


def _pieces(
    time: RevisedTime,
    span: Span,
    source: PlanItem,
    context: PlanningContext,
) -> list[_Piece]:
    """Return a changed time by hours, and a planned one as it is."""
    if time.is_planned:
        return [_kept(source, span)]
    if time.change is None:
        activity, place = phrase(FREE_TIME), context.home_place
    else:
        activity, place = one_line(time.change.activity), time.change.place
    return [
        _Piece(
            replace(
                planned_item(hour, activity, place, parent=source.parent), free=time.dropped
            )
        )
        for hour in hours_of(span, context.calendar)
    ]


def _kept(source: PlanItem, span: Span) -> _Piece:
    item = planned_item(span, source.description, source.place, parent=source.parent)
    return _Piece(replace(item, asleep=source.asleep, free=source.free), source)


def _numbered(
    pieces: Sequence[_Piece], begun: dict[int, int], next_number: int
) -> tuple[PlannedItem, ...]:
    """Return the items with their numbers, and the hours that they continue.

    `begun` are the numbers to continue by the numbers of the hours that have begun.
    """
    begun = dict(begun)
    items = []
    for number, piece in enumerate(pieces, start=next_number):
        continues = 0
        if piece.source is not None:
            source = piece.source
            continues = begun.get(source.number, source.continues)
            begun.setdefault(source.number, source.continues or number)
        items.append(replace(piece.item, number=number, continues=continues))
    return tuple(items)
