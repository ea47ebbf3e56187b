"""Planning of a day, and the thought of an agent after an inner voice.

The functions call the model and return events, which the turn appends. `actions` plans the
actions of an hour.
"""

from dataclasses import dataclass, replace
from datetime import date

from apps.kernel.game_time import format_clock, format_date
from apps.kernel.language import phrase
from apps.kernel.text import one_line
from apps.llm.calls.agent_llm import AgentLLM
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.items import NewMemory, without_outlined
from apps.planning.context import PlanningContext
from apps.planning.decisions import (
    hour_items,
    hour_spans,
    outline_items,
    sleep_items,
)
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
from apps.planning.llm_tasks.day_outline import DAY_OUTLINE, night_of
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN
from apps.planning.llm_tasks.own_thought import MINUTES_NOW_MAX, OWN_THOUGHT
from apps.planning.queries import planned_times
from apps.planning.rules import PlanDay, plan_day_at


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
            agent_name=context.identity.name,
            summary=context.summary,
            memories=without_outlined(context.memories, outline),
            agreements=context.agreements,
            promises=context.promises,
            outline=outline,
            date=date.fromisoformat(day.day),
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
        outline_memories=tuple(
            plan_memory(chunk, context) for chunk in chunks if not chunk.free
        ),
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
        agent_name=context.identity.name,
        summary=context.summary,
        yesterday=yesterday,
        memories=context.memories,
        agreements=context.agreements,
        promises=context.promises,
        date=date.fromisoformat(day.day),
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
