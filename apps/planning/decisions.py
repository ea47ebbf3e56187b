"""The conversion of answers into plan items that tile their span; pure.

Activities are stored as given, on one line; places are among the candidates.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.kernel.game_time import parse_clock
from apps.kernel.text import one_line
from apps.planning.context import PlanningContext
from apps.planning.events import PlannedItem
from apps.planning.llm_tasks.day_outline import DayOutline
from apps.planning.llm_tasks.hourly_plan import HourlyPlan
from apps.planning.rules import (
    OUTLINE_CHUNK_MINUTES_MIN,
    PlanDay,
    hours_of,
    tick_of_clock,
)
from apps.planning.tiling import Span, tile_by_starts

SLEEP = "sleep"
FREE_TIME = "take some free time"
# An empty time of this length in an outline becomes a chunk of its own.
FREE_MINUTES_MIN = 60
MINUTES_MAX = 10_000


@dataclass(frozen=True, slots=True)
class RequestedChunk:
    """A chunk of an answer: its start and length in ticks, its activity and place."""

    start: int
    ticks: int
    activity: str
    place: str


def planned_item(
    span: Span, activity: str, place: str, *, parent: int, number: int = 0
) -> PlannedItem:
    """Return a waking item of the span."""
    return PlannedItem(
        number=number,
        parent=parent,
        description=activity,
        place=place,
        from_tick=span.from_tick,
        to_tick=span.to_tick,
        asleep=False,
    )


def outline_items(
    answer: DayOutline,
    *,
    day: PlanDay,
    context: PlanningContext,
    next_number: int,
) -> tuple[PlannedItem, ...]:
    """Return the chunks of the day, the sleep last."""
    chunks = _requested_chunks(answer, day, context)
    requested = _with_free_time(chunks, day.awake, context)
    count_min, count_max = context.chunk_counts(day)
    parts = tile_by_starts(
        day.awake,
        [chunk.start for chunk in requested],
        ticks_min=context.calendar.ticks_of(minutes=OUTLINE_CHUNK_MINUTES_MIN),
        count_min=count_min,
        count_max=count_max,
    )
    items = [
        planned_item(
            part.span,
            requested[part.request].activity,
            requested[part.request].place,
            number=next_number + index,
            parent=0,
        )
        for index, part in enumerate(parts)
    ]
    number = next_number + len(items)
    return (*items, *sleep_items(day, context=context, next_number=number, parent=0))


def sleep_items(
    day: PlanDay, *, context: PlanningContext, next_number: int, parent: int
) -> tuple[PlannedItem, ...]:
    """Return the night as one item, none if no sleep is left."""
    if not day.asleep.ticks:
        return ()
    item = planned_item(
        day.asleep, SLEEP, context.sleeping_area, number=next_number, parent=parent
    )
    return (replace(item, asleep=True),)


def hour_spans(
    items: Sequence[PlannedItem], context: PlanningContext
) -> list[tuple[PlannedItem, Span]]:
    """Return the hours of the waking chunks, each with its chunk."""
    return [
        (item, span)
        for item in items
        if not item.asleep
        for span in hours_of(Span(item.from_tick, item.to_tick), context.calendar)
    ]


def hour_items(
    answer: HourlyPlan,
    *,
    slots: Sequence[tuple[PlannedItem, Span]],
    next_number: int,
) -> tuple[PlannedItem, ...]:
    """Return the hours of the answer; an hour without an answer is as its chunk."""
    answered = activities_and_places(
        answer, [(chunk.description, chunk.place) for chunk, _ in slots]
    )
    return tuple(
        planned_item(span, activity, place, number=number, parent=chunk.number)
        for number, ((chunk, span), (activity, place)) in enumerate(
            zip(slots, answered, strict=True), start=next_number
        )
    )


def activities_and_places(
    answer: HourlyPlan, slots: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return the activity and the place of each slot; the slot's own without an answer."""
    answered = {hour.time: hour for hour in reversed(answer.hours)}
    return [
        (one_line(hour.activity), hour.place)
        if (hour := answered.get(number)) is not None
        else (activity, place)
        for number, (activity, place) in enumerate(slots, start=1)
    ]


def _requested_chunks(
    answer: DayOutline, day: PlanDay, context: PlanningContext
) -> list[RequestedChunk]:
    chunks = [
        RequestedChunk(
            start=tick_of_clock(parse_clock(chunk.starts) or 0, day.awake, context.calendar),
            ticks=_ticks_of(chunk.minutes, context),
            activity=one_line(chunk.activity),
            place=chunk.place,
        )
        for chunk in answer.chunks
    ]
    return sorted(chunks, key=lambda chunk: chunk.start)


def _ticks_of(minutes: int, context: PlanningContext) -> int:
    return context.calendar.ticks_of(minutes=min(max(minutes, 0), MINUTES_MAX))


def _with_free_time(
    chunks: Sequence[RequestedChunk], awake: Span, context: PlanningContext
) -> list[RequestedChunk]:
    """Return the chunks, with a chunk of free time after each one before a long empty time."""
    ticks_min = context.calendar.ticks_of(minutes=FREE_MINUTES_MIN)
    filled: list[RequestedChunk] = []
    starts = [chunk.start for chunk in chunks[1:]] + [awake.to_tick]
    for chunk, next_start in zip(chunks, starts, strict=True):
        filled.append(chunk)
        end = chunk.start + chunk.ticks
        if next_start - end >= ticks_min:
            filled.append(RequestedChunk(end, next_start - end, FREE_TIME, context.home_place))
    return filled
