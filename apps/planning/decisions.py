"""The conversion of answers into plan items that tile their span; pure.

Activities are stored as given, on one line; places are among the candidates.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.kernel.language import noted, phrase
from apps.kernel.text import one_line
from apps.planning.answered_times import SLOT_MINUTES_MIN, minute_of
from apps.planning.context import PlanningContext
from apps.planning.events import PlannedItem
from apps.planning.inputs import DayOutlineInput
from apps.planning.llm_tasks.day_outline import DayOutline, night_of
from apps.planning.llm_tasks.hourly_plan import HourlyPlan
from apps.planning.rules import PlanDay, hours_of
from apps.planning.tiling import Span, halved, split_at

SLEEP = noted("sleep")
FREE_TIME = noted("take some free time")
# Free time that is shorter is spent at the place of the next chunk.
FREE_AT_HOME_MINUTES_MIN = 60


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk of a day in minutes, with its activity and place; `free` as in PlannedItem."""

    start: int
    end: int
    activity: str
    place: str
    free: bool = False


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
    inputs: DayOutlineInput,
    day: PlanDay,
    context: PlanningContext,
    next_number: int,
) -> tuple[PlannedItem, ...]:
    """Return the chunks of the day, the sleep last; each has its stated times."""
    ticks_min = context.calendar.ticks_of(minutes=SLOT_MINUTES_MIN)
    bed = night_of(inputs, answer).bed
    tiled = [
        (_span_of(chunk, (inputs.now_minute, bed), day, context), chunk)
        for chunk in _with_free_time(_chunks_of(answer, inputs, bed), inputs, bed, context)
    ]
    parts = halved(
        [span for span, _ in tiled],
        count_min=min(inputs.chunks_min, day.awake.ticks // ticks_min),
    )
    items = [
        replace(
            planned_item(part.span, chunk.activity, chunk.place, parent=0, number=number),
            free=chunk.free,
        )
        for number, part in enumerate(parts, start=next_number)
        for _, chunk in [tiled[part.request]]
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
        day.asleep, phrase(SLEEP), context.sleeping_area, number=next_number, parent=parent
    )
    return (replace(item, asleep=True),)


def hour_spans(
    items: Sequence[PlannedItem], context: PlanningContext
) -> list[tuple[PlannedItem, Span]]:
    """Return the hours of the waking chunks, each with its chunk; split at agreed times."""
    ticks_min = context.calendar.ticks_of(minutes=SLOT_MINUTES_MIN)
    return [
        (item, part)
        for item in items
        if not item.asleep
        for span in hours_of(Span(item.from_tick, item.to_tick), context.calendar)
        for part in split_at(span, context.agreed_ticks(), ticks_min=ticks_min)
    ]


def hour_items(
    answer: HourlyPlan,
    *,
    slots: Sequence[tuple[PlannedItem, Span]],
    next_number: int,
) -> tuple[PlannedItem, ...]:
    """Return the hours of the answer; an hour without an answer is as its chunk."""
    answered = {hour.time: hour for hour in reversed(answer.hours)}
    items = []
    for index, (chunk, span) in enumerate(slots):
        activity, place = chunk.description, chunk.place
        if (hour := answered.get(index + 1)) is not None:
            activity, place = one_line(hour.activity), hour.place
        items.append(
            planned_item(span, activity, place, number=next_number + index, parent=chunk.number)
        )
    return tuple(items)


def _chunks_of(answer: DayOutline, inputs: DayOutlineInput, bed: int) -> list[Chunk]:
    chunks = []
    for chunk in answer.chunks:
        start = minute_of(chunk.starts, now=inputs.now_minute, until=bed)
        end = start + chunk.minutes
        chunks.append(Chunk(start, end, one_line(chunk.activity), chunk.place))
    return chunks


def _with_free_time(
    chunks: Sequence[Chunk], inputs: DayOutlineInput, bed: int, context: PlanningContext
) -> list[Chunk]:
    """Return the chunks with free time between them, before them and after them."""
    filled: list[Chunk] = []
    begun = inputs.now_minute
    for chunk in chunks:
        if chunk.start > begun:
            filled.append(_free_time(begun, chunk.start, chunk.place, inputs, context))
        filled.append(chunk)
        begun = chunk.end
    if bed > begun:
        filled.append(_free_time(begun, bed, context.home_place, inputs, context))
    return filled


def _free_time(
    start: int, end: int, next_place: str, inputs: DayOutlineInput, context: PlanningContext
) -> Chunk:
    """Return free time at the place of the next chunk if it is short and the place is open.

    The agent is then at that place when the next chunk begins. Else it is at home.
    """
    place = next((one for one in inputs.places if one.path == next_place), None)
    is_open = place is not None and place.lets_in(
        inputs.agent_name, from_minute=start, to_minute=end
    )
    is_short = end - start < FREE_AT_HOME_MINUTES_MIN
    at = next_place if is_open and is_short else context.home_place
    return Chunk(start, end, phrase(FREE_TIME), at, True)


def _span_of(
    chunk: Chunk, awake: tuple[int, int], day: PlanDay, context: PlanningContext
) -> Span:
    """Return the ticks of the chunk; the first begins now, and the last ends at bedtime."""
    is_first, is_last = chunk.start == awake[0], chunk.end == awake[1]
    return Span(
        day.from_tick if is_first else context.tick(chunk.start, day.day),
        day.bed_tick if is_last else context.tick(chunk.end, day.day),
    )
