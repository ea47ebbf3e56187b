"""Planning of a day, and the thought of an agent after an inner voice.

The functions call the model and return events, which the turn appends, with plan items that
tile their span. `actions` plans the actions of an hour.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from apps.kernel.game_time import format_clock, format_date
from apps.kernel.language import noted, phrase
from apps.kernel.text import one_line
from apps.llm.calls.agent_llm import AgentLLM
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.items import NewMemory
from apps.planning.answered_times import SLOT_MINUTES_MIN
from apps.planning.context import PlanningContext
from apps.planning.events import (
    DayOutlined,
    HoursPlanned,
    PlannedItem,
)
from apps.planning.inputs import (
    AdoptedThought,
    DayOutlineInput,
    HourlyPlanInput,
    OwnThoughtInput,
    Yesterday,
)
from apps.planning.llm_tasks.day_outline import DAY_OUTLINE, DayOutline, night_of, times_of
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN, HourlyPlan
from apps.planning.llm_tasks.own_thought import MINUTES_NOW_MAX, OWN_THOUGHT
from apps.planning.queries import planned_times
from apps.planning.rules import PlanDay, hours_of, plan_day_at
from apps.planning.tiling import Span, halved, split_at

SLEEP = noted("sleep")


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
    """Return the chunks of the day, the sleep last; each lasts until the next one begins."""
    ticks_min = context.calendar.ticks_of(minutes=SLOT_MINUTES_MIN)
    times = times_of(inputs, answer)
    edges = [
        day.from_tick,
        *(context.tick(one.start, day.day) for one in times[1:]),
        day.bed_tick,
    ]
    parts = halved(
        [Span(start, end) for start, end in pairwise(edges)],
        count_min=min(inputs.chunks_min, day.awake.ticks // ticks_min),
    )
    items = [
        planned_item(part.span, one_line(chunk.activity), chunk.place, parent=0, number=number)
        for number, part in enumerate(parts, start=next_number)
        for chunk in [answer.chunks[times[part.request].index]]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DayPlan:
    """The plan of a day: two events, and the plan memories of the first."""

    outlined: DayOutlined
    hours: HoursPlanned
    outline_memories: tuple[NewMemory, ...]

    def hour_at(self, tick: int) -> PlannedItem:
        """Return the hour of the tick.

        :raises ValueError: if the tick is not in the day.
        """
        for item in self.hours.items:
            if item.from_tick <= tick < item.to_tick:
                return item
        raise ValueError(f"tick {tick} is not in the plan-day {self.hours.day}")


def plan_day(
    llm: AgentLLM,
    context: PlanningContext,
    *,
    now_tick: int,
    yesterday: Yesterday | None,
    next_number: int,
) -> DayPlan:
    """Return the plan until the next waking, outlined and by the hour (P1, P3).

    Calls the model twice, or never if only sleep is left.
    """
    context = replace(context, outline=(), put_off=())
    day = plan_day_at(context.identity.hours, context.calendar, now_tick)
    if not day.awake.ticks:
        return _night(day, context, next_number)
    inputs = _outline_input(day, context, yesterday)
    answer = llm.ask(DAY_OUTLINE, inputs)
    night = night_of(inputs, answer)
    if answer.bedtime is not None:
        day = replace(day, bed_tick=context.tick(night.bed, day.day))
    if answer.wakes is not None:
        day = replace(day, to_tick=context.tick(night.wake, day.day))
    chunks = outline_items(
        answer, inputs=inputs, day=day, context=context, next_number=next_number
    )
    slots = hour_spans(chunks, context)
    outline = planned_times([one for one in chunks if not one.asleep], context.calendar)
    hourly = llm.ask(
        HOURLY_PLAN,
        HourlyPlanInput(
            **replace(context, outline=outline).inputs(inputs.date),
            slots=tuple(
                context.slot(chunk.description, chunk.place, span, day.day)
                for chunk, span in slots
            ),
            places=inputs.places,
        ),
    )
    number = next_number + len(chunks)
    hours = hour_items(hourly, slots=slots, next_number=number)
    asleep = sleep_items(
        day, context=context, next_number=number + len(hours), parent=chunks[-1].number
    )
    return DayPlan(
        outlined=DayOutlined(day=day.day, items=chunks),
        hours=HoursPlanned(day=day.day, items=(*hours, *asleep)),
        outline_memories=tuple(plan_memory(chunk, context) for chunk in chunks),
    )


def plan_memory(chunk: PlannedItem, context: PlanningContext) -> NewMemory:
    """Return the memory of a chunk, with the facts behind its description."""
    starts = context.calendar.time_at(chunk.from_tick)
    ends = context.calendar.time_at(chunk.to_tick)
    place = context.tree.words(chunk.place)
    return NewMemory(
        kind=MemoryKind.PLAN,
        origin=MemoryOrigin.PLANNED,
        description=(
            phrase(
                "{name} plans on {date} from {start} to {end} at {place}: {activity}",
                name=context.identity.name,
                date=format_date(starts),
                start=format_clock(starts),
                end=format_clock(ends),
                place=place,
                activity=chunk.description,
            )
        ),
        scheduled=ScheduledActivity(
            activity=chunk.description, place=chunk.place, starts=starts, ends=ends
        ),
    )


def _night(day: PlanDay, context: PlanningContext, next_number: int) -> DayPlan:
    chunks = sleep_items(day, context=context, next_number=next_number, parent=0)
    hours = sleep_items(day, context=context, next_number=next_number + 1, parent=next_number)
    return DayPlan(
        outlined=DayOutlined(day=day.day, items=chunks),
        hours=HoursPlanned(day=day.day, items=hours),
        outline_memories=(),
    )


def _outline_input(
    day: PlanDay, context: PlanningContext, yesterday: Yesterday | None
) -> DayOutlineInput:
    return DayOutlineInput(
        **context.inputs(date.fromisoformat(day.day)),
        yesterday=yesterday,
        wake_minute=context.identity.hours.wake,
        now_minute=context.minute(day.from_tick, day.day),
        bed_minute=context.minute(day.bed_tick, day.day),
        dinner_minute=context.identity.hours.dinner,
        home=context.home_place,
        workplace=context.identity.workplace or "",
        places=context.places(),
        chunks_min=context.settings.outline_chunks_min,
        chunks_max=context.settings.outline_chunks_max,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Adoption:
    """An adopted thought, its importance, and the path of the place of its deed.

    The path is "" where no place is said.
    """

    thought: AdoptedThought
    place: str
    importance: int


def adopt_thought(llm: AgentLLM, inputs: OwnThoughtInput) -> Adoption:
    """Return the agent's thought and decision, after one call of the model."""
    answer = llm.ask(OWN_THOUGHT, inputs)
    deed = one_line(answer.deed)
    minutes = max(0, min(answer.minutes_now, MINUTES_NOW_MAX)) if deed else 0
    return Adoption(
        thought=AdoptedThought(
            thought=one_line(answer.thought), deed=deed, minutes_now=minutes
        ),
        place=answer.place,
        importance=answer.importance,
    )
