"""Planning of a day, and of the actions of an hour.

The functions call the model and return events, which the turn appends.
"""

from dataclasses import dataclass
from datetime import date

from apps.kernel.game_time import format_clock, format_date
from apps.llm.agent_llm import AgentLLM
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.inputs import NewMemory
from apps.planning.context import PlanningContext
from apps.planning.decisions import (
    action_parts,
    hour_items,
    hour_spans,
    outline_items,
    sleep_items,
)
from apps.planning.events import (
    ActionsPlanned,
    DayOutlined,
    HoursPlanned,
    PlannedAction,
    PlannedItem,
)
from apps.planning.grounding import Grounded, ground
from apps.planning.inputs import (
    ActionDetailInput,
    DayOutlineInput,
    HourlyPlanInput,
    Yesterday,
)
from apps.planning.llm_tasks.action_detail import ACTION_DETAIL
from apps.planning.llm_tasks.day_outline import DAY_OUTLINE
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN
from apps.planning.rules import PlanDay, PlannedHour, plan_day_at
from apps.planning.tiling import Span

SLEEPING = "sleeping"
SLEEP_EMOJI = "😴"
BED_STATE = "occupied by a sleeper"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviousActions:
    """The previous action, "" without one, and the finished actions of the hour."""

    previous: str = ""
    done: tuple[str, ...] = ()


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
    chunks = outline_items(answer, day=day, context=context, next_number=next_number)
    slots = hour_spans(chunks, context)
    hourly = llm.ask(
        HOURLY_PLAN,
        HourlyPlanInput(
            agent_name=context.identity.name,
            summary=context.summary,
            memories=context.memories,
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
        outline_memories=tuple(plan_memory(chunk, context) for chunk in chunks),
    )


def plan_actions(
    llm: AgentLLM,
    context: PlanningContext,
    *,
    hour: PlannedHour,
    now_tick: int,
    so_far: PreviousActions,
    current_area: str,
    next_number: int,
) -> ActionsPlanned:
    """Return the actions of the rest of an hour, with their groundings (P1, W2).

    Calls the model one to four times, or never for an hour of sleep, which is one action.

    :raises ValueError: if the hour is over.
    """
    span = Span(max(now_tick, hour.from_tick), hour.to_tick)
    if span.ticks <= 0:
        raise ValueError(f"the hour {hour.number} is over at tick {now_tick}")
    if hour.asleep:
        sleeping = _action(next_number, hour, SLEEPING, span, _bed(context))
        return ActionsPlanned(parent=hour.number, items=(sleeping,))
    answer = llm.ask(ACTION_DETAIL, _detail_input(hour, span, context, so_far))
    parts = action_parts(answer, span, context=context)
    descriptions = tuple(dict.fromkeys(description for description, _ in parts))
    grounded = ground(llm, context, descriptions, place=hour.place, current_area=current_area)
    items = tuple(
        _action(next_number + index, hour, description, part, grounded[description])
        for index, (description, part) in enumerate(parts)
    )
    return ActionsPlanned(parent=hour.number, items=items)


def plan_memory(chunk: PlannedItem, context: PlanningContext) -> NewMemory:
    """Return the memory of a chunk, with the facts behind its description."""
    starts = context.calendar.time_at(chunk.from_tick)
    ends = context.calendar.time_at(chunk.to_tick)
    place = context.tree.words(chunk.place)
    return NewMemory(
        kind=MemoryKind.PLAN,
        origin=MemoryOrigin.PLANNED,
        description=(
            f"{context.identity.name} plans on {format_date(starts)} from "
            f"{format_clock(starts)} to {format_clock(ends)} at {place}: {chunk.description}"
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
    chunks_min, chunks_max = context.chunk_counts(day)
    return DayOutlineInput(
        agent_name=context.identity.name,
        summary=context.summary,
        yesterday=yesterday,
        memories=context.memories,
        date=date.fromisoformat(day.day),
        wake_minute=context.identity.hours.wake,
        now_minute=context.minute(day.from_tick, day.day),
        bed_minute=context.minute(day.bed_tick, day.day),
        dinner_minute=context.identity.hours.dinner,
        home=context.home_place,
        workplace=context.identity.workplace or "",
        places=context.places(),
        chunks_min=chunks_min,
        chunks_max=chunks_max,
    )


def _detail_input(
    hour: PlannedHour, span: Span, context: PlanningContext, so_far: PreviousActions
) -> ActionDetailInput:
    day = context.calendar.time_at(span.from_tick).date()
    return ActionDetailInput(
        agent_name=context.identity.name,
        summary=context.summary,
        memories=context.memories,
        date=day,
        previous=so_far.previous,
        done=so_far.done,
        activity=hour.description,
        place=hour.place,
        from_minute=context.minute(span.from_tick, day.isoformat()),
        to_minute=context.minute(span.to_tick, day.isoformat()),
        minutes_min=context.settings.action_minutes_min,
        minutes_max=context.settings.action_minutes_max,
    )


def _action(
    number: int, hour: PlannedHour, description: str, span: Span, grounded: Grounded
) -> PlannedAction:
    return PlannedAction(
        number=number,
        parent=hour.number,
        description=description,
        area=grounded.area,
        object=grounded.object,
        object_state=grounded.object_state,
        emoji=grounded.emoji,
        from_tick=span.from_tick,
        to_tick=span.to_tick,
        asleep=hour.asleep,
    )


def _bed(context: PlanningContext) -> Grounded:
    return Grounded(
        area=context.sleeping_area,
        object=context.identity.bed,
        object_state=BED_STATE,
        emoji=SLEEP_EMOJI,
    )
