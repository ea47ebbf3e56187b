"""What a turn may ask of planning: plan a day, divide an hour.

Both read nothing but their arguments and the mind, and return events that the turn appends.
"""

from dataclasses import dataclass

from apps.llm.mind import Mind
from apps.planning.chains.action_detail import ACTION_DETAIL, HourToDetail
from apps.planning.chains.day_outline import DAY_OUTLINE, DayToOutline
from apps.planning.chains.hourly_plan import HOURLY_PLAN, HoursToPlan
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
from apps.planning.rules import PlanDay, PlannedHour, plan_day_at
from apps.planning.tiling import Span
from apps.planning.words import said_as_plan

SLEEPING = "sleeping"
SLEEP_EMOJI = "😴"
BED_STATE = "occupied by a sleeper"


@dataclass(frozen=True, slots=True, kw_only=True)
class SoFar:
    """What the person has just done, "" if nothing, and what they have done of the hour."""

    before: str = ""
    done: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DayPlan:
    """A day as planned: two events, and what of it becomes plan memories."""

    outlined: DayOutlined
    hours: HoursPlanned
    outline_memories: tuple[str, ...]

    @property
    def events(self) -> tuple[DayOutlined, HoursPlanned]:
        """The events to append, in order."""
        return (self.outlined, self.hours)

    @property
    def next_number(self) -> int:
        """The number of the plan item that comes next."""
        return self.hours.items[-1].number + 1

    def hour_at(self, tick: int) -> PlannedItem:
        """Return the hour that holds the tick.

        :raises ValueError: if the tick is not of the day.
        """
        for item in self.hours.items:
            if item.from_tick <= tick < item.to_tick:
                return item
        raise ValueError(f"tick {tick} is not of the plan-day {self.hours.day}")


def plan_day(
    mind: Mind, circumstances: Circumstances, *, now_tick: int, yesterday: str, next_number: int
) -> DayPlan:
    """Plan from now to the next waking, in broad strokes and by the hour (P1, P3).

    Asks twice; in the night, when only sleep is left, it asks nothing.
    """
    of = circumstances
    day = plan_day_at(of.identity.hours, of.calendar, now_tick)
    if not day.awake.ticks:
        return _night(day, of, next_number)
    given = _day_to_outline(day, of, yesterday)
    answer = mind.ask(DAY_OUTLINE, given)
    chunks = outline_items(answer, given=given, day=day, of=of, next_number=next_number)
    slots = hour_spans(chunks, of)
    hourly = mind.ask(
        HOURLY_PLAN,
        HoursToPlan(
            agent_name=of.identity.name,
            summary=of.summary,
            memories=tuple(of.memories),
            date=of.date(day.day),
            slots=tuple(slot_of(chunk, span, day=day.day, of=of) for chunk, span in slots),
            places=given.places,
        ),
    )
    number = next_number + len(chunks)
    hours = hour_items(hourly, slots=slots, places=given.places, of=of, next_number=number)
    asleep = sleep_items(day, of=of, next_number=number + len(hours), parent=chunks[-1].number)
    return DayPlan(
        outlined=DayOutlined(day=day.day, items=chunks),
        hours=HoursPlanned(day=day.day, items=(*hours, *asleep)),
        outline_memories=tuple(_memory(chunk, day.day, of) for chunk in chunks),
    )


def plan_actions(
    mind: Mind,
    circumstances: Circumstances,
    *,
    hour: PlannedHour,
    now_tick: int,
    so_far: SoFar,
    current_area: str,
    next_number: int,
) -> ActionsPlanned:
    """Divide what is left of an hour into actions, with places, objects and looks (P1, W2).

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
    answer = mind.ask(ACTION_DETAIL, _hour_to_detail(hour, span, of, so_far))
    parts = action_parts(answer, span, activity=hour.description, of=of)
    descriptions = tuple(dict.fromkeys(description for description, _ in parts))
    grounded = ground(mind, of, descriptions, place=hour.place, current_area=current_area)
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


def _day_to_outline(day: PlanDay, of: Circumstances, yesterday: str) -> DayToOutline:
    asleep = 1 if day.asleep.ticks else 0
    return DayToOutline(
        agent_name=of.identity.name,
        summary=of.summary,
        yesterday=yesterday,
        memories=tuple(of.memories),
        date=of.date(day.day),
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


def _hour_to_detail(
    hour: PlannedHour, span: Span, of: Circumstances, so_far: SoFar
) -> HourToDetail:
    day = f"{of.calendar.time_at(span.from_tick):%Y-%m-%d}"
    return HourToDetail(
        agent_name=of.identity.name,
        summary=of.summary,
        memories=tuple(of.memories),
        date=of.date(day),
        before=so_far.before,
        done=so_far.done,
        activity=hour.description,
        place=hour.place,
        from_minute=of.minute(span.from_tick, day),
        to_minute=of.minute(span.to_tick, day),
        least=of.settings.action_minutes_min,
        most=of.settings.action_minutes_max,
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


def _memory(chunk: PlannedItem, day: str, of: Circumstances) -> str:
    return of.plan_in_words(
        said_as_plan(chunk.description),
        place=chunk.place,
        span=Span(chunk.from_tick, chunk.to_tick),
        day=day,
    )
