"""Planning a day, and dividing an hour into actions.

Both read their arguments and the model alone; the turn appends the events.
"""

from dataclasses import dataclass
from datetime import date

from apps.kernel.game_time import format_clock, format_date
from apps.llm.agent_llm import AgentLLM
from apps.memory.events import ScheduledActivity
from apps.planning.circumstances import Circumstances
from apps.planning.decisions import (
    action_parts,
    hour_items,
    hour_spans,
    outline_items,
    sleep_items,
    slot_of,
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
class SoFar:
    """What the agent has just done, "" if nothing, and what it has done of the hour."""

    previous: str = ""
    done: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanMemory:
    """A chunk of the day as a memory."""

    description: str
    scheduled: ScheduledActivity


@dataclass(frozen=True, slots=True, kw_only=True)
class DayPlan:
    """A day as planned: two events, and the plan memories of the first."""

    outlined: DayOutlined
    hours: HoursPlanned
    outline_memories: tuple[PlanMemory, ...]

    def hour_at(self, tick: int) -> PlannedItem:
        """Return the hour that holds the tick.

        :raises ValueError: if the tick is not of the day.
        """
        for item in self.hours.items:
            if item.from_tick <= tick < item.to_tick:
                return item
        raise ValueError(f"tick {tick} is not of the plan-day {self.hours.day}")


def plan_day(
    llm: AgentLLM,
    circumstances: Circumstances,
    *,
    now_tick: int,
    yesterday: Yesterday | None,
    next_number: int,
) -> DayPlan:
    """Plan from now to the next waking, in broad strokes and by the hour (P1, P3).

    Asks twice; in the night, when only sleep is left, it asks nothing.
    """
    of = circumstances
    day = plan_day_at(of.identity.hours, of.calendar, now_tick)
    if not day.awake.ticks:
        return _night(day, of, next_number)
    inputs = _outline_input(day, of, yesterday)
    answer = llm.ask(DAY_OUTLINE, inputs)
    chunks = outline_items(answer, inputs=inputs, day=day, of=of, next_number=next_number)
    slots = hour_spans(chunks, of)
    hourly = llm.ask(
        HOURLY_PLAN,
        HourlyPlanInput(
            agent_name=of.identity.name,
            summary=of.summary,
            memories=of.memories,
            date=date.fromisoformat(day.day),
            slots=tuple(
                slot_of(chunk.description, chunk.place, span, day=day.day, of=of)
                for chunk, span in slots
            ),
            places=inputs.places,
        ),
    )
    number = next_number + len(chunks)
    hours = hour_items(hourly, slots=slots, places=inputs.places, next_number=number)
    asleep = sleep_items(day, of=of, next_number=number + len(hours), parent=chunks[-1].number)
    return DayPlan(
        outlined=DayOutlined(day=day.day, items=chunks),
        hours=HoursPlanned(day=day.day, items=(*hours, *asleep)),
        outline_memories=tuple(plan_memory(chunk, of) for chunk in chunks),
    )


def plan_actions(
    llm: AgentLLM,
    circumstances: Circumstances,
    *,
    hour: PlannedHour,
    now_tick: int,
    so_far: SoFar,
    current_area: str,
    next_number: int,
) -> ActionsPlanned:
    """Divide what is left of an hour into actions, with their groundings (P1, W2).

    Asks one to four times; a sleeping hour is one action and nothing is asked.

    :raises ValueError: if the hour is over.
    """
    of = circumstances
    span = Span(max(now_tick, hour.from_tick), hour.to_tick)
    if span.ticks <= 0:
        raise ValueError(f"the hour {hour.number} is over at tick {now_tick}")
    if hour.asleep:
        return ActionsPlanned(
            parent=hour.number, items=(_sleeping(hour, span, of, next_number),)
        )
    answer = llm.ask(ACTION_DETAIL, _detail_input(hour, span, of, so_far))
    parts = action_parts(answer, span, of=of)
    descriptions = tuple(dict.fromkeys(description for description, _ in parts))
    grounded = ground(llm, of, descriptions, place=hour.place, current_area=current_area)
    items = tuple(
        _action(next_number + index, hour.number, description, part, grounded[description])
        for index, (description, part) in enumerate(parts)
    )
    return ActionsPlanned(parent=hour.number, items=items)


def _night(day: PlanDay, of: Circumstances, next_number: int) -> DayPlan:
    chunks = sleep_items(day, of=of, next_number=next_number, parent=0)
    hours = sleep_items(day, of=of, next_number=next_number + 1, parent=next_number)
    return DayPlan(
        outlined=DayOutlined(day=day.day, items=chunks),
        hours=HoursPlanned(day=day.day, items=hours),
        outline_memories=(),
    )


def _outline_input(
    day: PlanDay, of: Circumstances, yesterday: Yesterday | None
) -> DayOutlineInput:
    asleep = 1 if day.asleep.ticks else 0
    return DayOutlineInput(
        agent_name=of.identity.name,
        summary=of.summary,
        yesterday=yesterday,
        memories=of.memories,
        date=date.fromisoformat(day.day),
        wake_minute=of.identity.hours.wake,
        now_minute=of.minute(day.from_tick, day.day),
        bed_minute=of.minute(day.bed_tick, day.day),
        dinner_minute=of.identity.hours.dinner,
        home=of.home_place,
        workplace=of.identity.workplace or "",
        places=of.places(),
        chunks_min=max(1, of.settings.outline_chunks_min - asleep),
        chunks_max=max(1, of.settings.outline_chunks_max - asleep),
    )


def _detail_input(
    hour: PlannedHour, span: Span, of: Circumstances, so_far: SoFar
) -> ActionDetailInput:
    day = of.calendar.time_at(span.from_tick).date()
    return ActionDetailInput(
        agent_name=of.identity.name,
        summary=of.summary,
        memories=of.memories,
        date=day,
        previous=so_far.previous,
        done=so_far.done,
        activity=hour.description,
        place=hour.place,
        from_minute=of.minute(span.from_tick, day.isoformat()),
        to_minute=of.minute(span.to_tick, day.isoformat()),
        minutes_min=of.settings.action_minutes_min,
        minutes_max=of.settings.action_minutes_max,
    )


def _action(
    number: int, parent: int, description: str, span: Span, grounded: Grounded
) -> PlannedAction:
    return PlannedAction(
        number=number,
        parent=parent,
        description=description,
        area=grounded.area,
        object=grounded.object,
        object_state=grounded.object_state,
        emoji=grounded.emoji,
        from_tick=span.from_tick,
        to_tick=span.to_tick,
        asleep=False,
    )


def _sleeping(
    hour: PlannedHour, span: Span, of: Circumstances, next_number: int
) -> PlannedAction:
    return PlannedAction(
        number=next_number,
        parent=hour.number,
        description=SLEEPING,
        area=of.sleeping_area,
        object=of.identity.bed,
        object_state=BED_STATE,
        emoji=SLEEP_EMOJI,
        from_tick=span.from_tick,
        to_tick=span.to_tick,
        asleep=True,
    )


def plan_memory(chunk: PlannedItem, of: Circumstances) -> PlanMemory:
    """Return the memory of a chunk, with the facts behind its description."""
    starts = of.calendar.time_at(chunk.from_tick)
    ends = of.calendar.time_at(chunk.to_tick)
    return PlanMemory(
        description=(
            f"{of.identity.name} plans on {format_date(starts)} from {format_clock(starts)} to "
            f"{format_clock(ends)} at {of.tree.words(chunk.place)}: {chunk.description}"
        ),
        scheduled=ScheduledActivity(
            activity=chunk.description, place=chunk.place, starts=starts, ends=ends
        ),
    )
