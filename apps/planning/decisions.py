"""From the model's answers to plan items: tiled, placed, in plain words; pure.

Whatever is answered, the items cover their span and name only what was offered.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.planning.chains.action_detail import ActionDetail
from apps.planning.chains.day_outline import DayOutline, DayToOutline
from apps.planning.chains.hourly_plan import HourlyPlan, HourSlot
from apps.planning.circumstances import Circumstances
from apps.planning.events import PlannedItem
from apps.planning.offers import OfferedPlace, place_chosen
from apps.planning.rules import (
    OUTLINE_CHUNK_MINUTES_MIN,
    PlanDay,
    PlanningSettings,
    hours_of,
    tick_of_clock,
)
from apps.planning.tiling import Part, Span, tile_by_lengths, tile_by_starts
from apps.planning.words import doing, minute_of_clock, plain_activity

SLEEP = "sleep"
FREE_TIME = "take some free time"
# A stretch that the outline leaves empty for this long is named instead of drawn out.
FREE_MINUTES_MIN = 60
MINUTES_MAX = 10_000


@dataclass(frozen=True, slots=True)
class Stroke:
    """A wished chunk of the day: when it starts and how long it lasts, in ticks."""

    start: int
    ticks: int
    description: str
    place: str


def outline_items(
    answer: DayOutline,
    *,
    given: DayToOutline,
    day: PlanDay,
    of: Circumstances,
    next_number: int,
) -> tuple[PlannedItem, ...]:
    """Return the day's chunks, the sleep last."""
    strokes = _with_free_time(_strokes(answer, given, day, of), day.awake, of)
    asleep = 1 if day.asleep.ticks else 0
    parts = tile_by_starts(
        day.awake,
        [stroke.start for stroke in strokes],
        least=of.calendar.ticks_of(minutes=OUTLINE_CHUNK_MINUTES_MIN),
        count_min=max(1, of.settings.outline_chunks_min - asleep),
        count_max=max(1, of.settings.outline_chunks_max - asleep),
    )
    items = [
        PlannedItem(
            number=next_number + index,
            parent=0,
            description=_going_on(strokes[part.wish].description, parts[:index], part),
            place=strokes[part.wish].place,
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
    of: Circumstances,
    next_number: int,
) -> tuple[PlannedItem, ...]:
    """Return the hours as answered; one without an answer is as its chunk says."""
    answered = {hour.time: hour for hour in reversed(answer.hours)}
    items = []
    for index, (chunk, span) in enumerate(slots):
        hour = answered.get(index + 1)
        items.append(
            PlannedItem(
                number=next_number + index,
                parent=chunk.number,
                description=chunk.description
                if hour is None
                else plain_activity(of.identity.name, hour.activity, default=chunk.description),
                place=chunk.place
                if hour is None
                else place_chosen(hour.place, places, default=chunk.place),
                from_tick=span.from_tick,
                to_tick=span.to_tick,
                asleep=False,
            )
        )
    return tuple(items)


def slot_of(chunk: PlannedItem, span: Span, *, day: str, of: Circumstances) -> HourSlot:
    """Return the hour as it is told to the model."""
    return HourSlot(
        from_minute=of.minute(span.from_tick, day),
        to_minute=of.minute(span.to_tick, day),
        chunk=chunk.description,
        place=chunk.place,
    )


def action_parts(
    answer: ActionDetail, span: Span, *, activity: str, of: Circumstances
) -> list[tuple[str, Span]]:
    """Return what is done when: descriptions and the spans that tile the hour."""
    lengths = [
        of.calendar.ticks_of(minutes=min(max(action.minutes, 0), MINUTES_MAX))
        for action in answer.actions
    ]
    parts = tile_by_lengths(span, lengths, **_action_bounds(of))
    return [
        (
            plain_activity(
                of.identity.name,
                doing(answer.actions[part.wish].description),
                default=doing(activity),
            ),
            part.span,
        )
        for part in parts
    ]


def _action_bounds(of: Circumstances) -> dict[str, int]:
    settings: PlanningSettings = of.settings
    return {
        "least": of.calendar.ticks_of(minutes=settings.action_minutes_min),
        "most": of.calendar.ticks_of(minutes=settings.action_minutes_max),
    }


def _strokes(
    answer: DayOutline, given: DayToOutline, day: PlanDay, of: Circumstances
) -> list[Stroke]:
    strokes = [
        Stroke(
            start=tick_of_clock(minute_of_clock(chunk.starts) or 0, day.awake, of.calendar),
            ticks=of.calendar.ticks_of(minutes=min(max(chunk.minutes, 0), MINUTES_MAX)),
            description=plain_activity(of.identity.name, chunk.activity, default=FREE_TIME),
            place=place_chosen(chunk.place, given.places, default=of.home_place),
        )
        for chunk in answer.chunks
    ]
    return sorted(strokes, key=lambda stroke: stroke.start)


def _with_free_time(strokes: Sequence[Stroke], awake: Span, of: Circumstances) -> list[Stroke]:
    """Return the strokes with every long empty stretch between them named."""
    least = of.calendar.ticks_of(minutes=FREE_MINUTES_MIN)
    named: list[Stroke] = []
    ends = [stroke.start for stroke in strokes[1:]] + [awake.to_tick]
    for stroke, after in zip(strokes, ends, strict=True):
        named.append(stroke)
        end = stroke.start + stroke.ticks
        if after - end >= least:
            named.append(Stroke(end, after - end, FREE_TIME, of.home_place))
    return named


def _going_on(description: str, before: Sequence[Part], part: Part) -> str:
    """Return the description; of a halved chunk's second half that it goes on."""
    is_second = bool(before) and before[-1].wish == part.wish
    return f"go on {doing(description)}" if is_second else description
