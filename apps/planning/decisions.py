"""From the answers of LLM tasks to plan items that tile their span; pure.

Activities are stored as they were answered, on one line; places are those that were offered.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.kernel.game_time import parse_clock
from apps.kernel.text import one_line
from apps.planning.circumstances import Circumstances
from apps.planning.events import PlannedItem
from apps.planning.inputs import DayOutlineInput, HourSlot
from apps.planning.llm_tasks.action_detail import ActionDetail
from apps.planning.llm_tasks.day_outline import DayOutline
from apps.planning.llm_tasks.hourly_plan import HourlyPlan
from apps.planning.offers import OfferedPlace, place_chosen
from apps.planning.rules import (
    OUTLINE_CHUNK_MINUTES_MIN,
    PlanDay,
    hours_of,
    tick_of_clock,
)
from apps.planning.tiling import Span, tile_by_lengths, tile_by_starts

SLEEP = "sleep"
FREE_TIME = "take some free time"
# A time of this length that the outline leaves empty becomes a chunk of its own.
FREE_MINUTES_MIN = 60
MINUTES_MAX = 10_000


@dataclass(frozen=True, slots=True)
class RequestedChunk:
    """A chunk of the day as answered: its start and length in ticks, activity and place."""

    start: int
    ticks: int
    activity: str
    place: str


def outline_items(
    answer: DayOutline,
    *,
    inputs: DayOutlineInput,
    day: PlanDay,
    of: Circumstances,
    next_number: int,
) -> tuple[PlannedItem, ...]:
    """Return the chunks of the day, the sleep last."""
    requested = _with_free_time(_requested_chunks(answer, inputs, day, of), day.awake, of)
    asleep = 1 if day.asleep.ticks else 0
    parts = tile_by_starts(
        day.awake,
        [chunk.start for chunk in requested],
        ticks_min=of.calendar.ticks_of(minutes=OUTLINE_CHUNK_MINUTES_MIN),
        count_min=max(1, of.settings.outline_chunks_min - asleep),
        count_max=max(1, of.settings.outline_chunks_max - asleep),
    )
    items = [
        PlannedItem(
            number=next_number + index,
            parent=0,
            description=requested[part.request].activity,
            place=requested[part.request].place,
            from_tick=part.span.from_tick,
            to_tick=part.span.to_tick,
            asleep=False,
        )
        for index, part in enumerate(parts)
    ]
    return (*items, *sleep_items(day, of=of, next_number=next_number + len(items), parent=0))


def sleep_items(
    day: PlanDay, *, of: Circumstances, next_number: int, parent: int
) -> tuple[PlannedItem, ...]:
    """Return the night as one item, or none when there is no night left."""
    if not day.asleep.ticks:
        return ()
    return (
        PlannedItem(
            number=next_number,
            parent=parent,
            description=SLEEP,
            place=of.sleeping_area,
            from_tick=day.asleep.from_tick,
            to_tick=day.asleep.to_tick,
            asleep=True,
        ),
    )


def hour_spans(
    items: Sequence[PlannedItem], of: Circumstances
) -> list[tuple[PlannedItem, Span]]:
    """Return the hours of the waking chunks, each with its chunk."""
    return [
        (item, span)
        for item in items
        if not item.asleep
        for span in hours_of(Span(item.from_tick, item.to_tick), of.calendar)
    ]


def hour_items(
    answer: HourlyPlan,
    *,
    slots: Sequence[tuple[PlannedItem, Span]],
    places: Sequence[OfferedPlace],
    next_number: int,
) -> tuple[PlannedItem, ...]:
    """Return the hours as answered; one without an answer is as its chunk says."""
    answered = activities_and_places(
        answer, [(chunk.description, chunk.place) for chunk, _ in slots], places
    )
    return tuple(
        PlannedItem(
            number=next_number + index,
            parent=chunk.number,
            description=activity,
            place=place,
            from_tick=span.from_tick,
            to_tick=span.to_tick,
            asleep=False,
        )
        for index, ((chunk, span), (activity, place)) in enumerate(
            zip(slots, answered, strict=True)
        )
    )


def activities_and_places(
    answer: HourlyPlan, slots: Sequence[tuple[str, str]], places: Sequence[OfferedPlace]
) -> list[tuple[str, str]]:
    """Return the activity and the place of each slot; without an answer the slot's own."""
    answered = {hour.time: hour for hour in reversed(answer.hours)}
    found = []
    for number, (activity, place) in enumerate(slots, start=1):
        hour = answered.get(number)
        if hour is not None:
            activity = one_line(hour.activity)  # noqa: PLW2901 (the slot's own is replaced)
            place = place_chosen(hour.place, places, default=place)  # noqa: PLW2901
        found.append((activity, place))
    return found


def slot_of(activity: str, place: str, span: Span, *, day: str, of: Circumstances) -> HourSlot:
    """Return a span of the day as an input, with what it is for."""
    return HourSlot(
        from_minute=of.minute(span.from_tick, day),
        to_minute=of.minute(span.to_tick, day),
        activity=activity,
        place=place,
    )


def action_parts(
    answer: ActionDetail, span: Span, *, of: Circumstances
) -> list[tuple[str, Span]]:
    """Return the descriptions of the actions, and the spans that tile the hour."""
    parts = tile_by_lengths(
        span,
        [_ticks_of(action.minutes, of) for action in answer.actions],
        ticks_min=of.calendar.ticks_of(minutes=of.settings.action_minutes_min),
        ticks_max=of.calendar.ticks_of(minutes=of.settings.action_minutes_max),
    )
    return [(one_line(answer.actions[part.request].description), part.span) for part in parts]


def _requested_chunks(
    answer: DayOutline, inputs: DayOutlineInput, day: PlanDay, of: Circumstances
) -> list[RequestedChunk]:
    chunks = [
        RequestedChunk(
            start=tick_of_clock(parse_clock(chunk.starts) or 0, day.awake, of.calendar),
            ticks=_ticks_of(chunk.minutes, of),
            activity=one_line(chunk.activity),
            place=place_chosen(chunk.place, inputs.places, default=of.home_place),
        )
        for chunk in answer.chunks
    ]
    return sorted(chunks, key=lambda chunk: chunk.start)


def _ticks_of(minutes: int, of: Circumstances) -> int:
    return of.calendar.ticks_of(minutes=min(max(minutes, 0), MINUTES_MAX))


def _with_free_time(
    chunks: Sequence[RequestedChunk], awake: Span, of: Circumstances
) -> list[RequestedChunk]:
    """Return the chunks with a chunk of free time in every long empty time after one."""
    ticks_min = of.calendar.ticks_of(minutes=FREE_MINUTES_MIN)
    filled: list[RequestedChunk] = []
    starts = [chunk.start for chunk in chunks[1:]] + [awake.to_tick]
    for chunk, next_start in zip(chunks, starts, strict=True):
        filled.append(chunk)
        end = chunk.start + chunk.ticks
        if next_start - end >= ticks_min:
            filled.append(RequestedChunk(end, next_start - end, FREE_TIME, of.home_place))
    return filled
