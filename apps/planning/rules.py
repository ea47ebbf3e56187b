"""Plan-days, plan items and their times; pure.

A plan-day lasts from waking to the next waking, sleep included (P1, P2).
"""

from dataclasses import dataclass, fields
from datetime import datetime, time, timedelta
from typing import Literal

from apps.agents.acts import ActKind
from apps.agents.summary import Hours
from apps.kernel.game_time import GameCalendar
from apps.planning.events import ActionsPlanned, PlannedAction, PlannedItem
from apps.planning.tiling import Span, cut_into_hours

Level = Literal["outline", "hour", "action"]

# An agent that wakes within this time before its waking hour begins the next plan-day.
EARLY_RISING_MINUTES = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningSettings:
    """The bounds of plans (P2), which are settings of the simulation."""

    outline_chunks_min: int
    outline_chunks_max: int
    action_minutes_min: int
    action_minutes_max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDay:
    """A plan-day, or the rest of it: awake until `bed_tick`, asleep until `to_tick`.

    `day` is the date of its beginning, "2023-02-13".
    """

    day: str
    from_tick: int
    bed_tick: int
    to_tick: int

    @property
    def awake(self) -> Span:
        """The waking part; empty after waking in the night."""
        return Span(self.from_tick, self.bed_tick)

    @property
    def asleep(self) -> Span:
        """The sleeping part."""
        return Span(self.bed_tick, self.to_tick)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanItem:
    """A stored plan item of any level.

    `day` is "" for actions, whose `place` is their area; `to_tick` is the real end of an item
    that a later plan cut short; `continues` and `free` are as in PlannedItem, `importance`,
    `act`, `other`, `about` and `with_agents` are as in PlannedAction, `reused_from` as in
    ActionsPlanned. `planned_tick` is the tick in which it was planned.
    """

    number: int
    parent: int
    level: Level
    day: str
    description: str
    place: str
    asleep: bool
    from_tick: int
    to_tick: int
    object: str = ""
    object_state: str = ""
    emoji: str = ""
    continues: int = 0
    free: bool = False
    importance: int = 0
    act: ActKind = ActKind.NONE
    other: str = ""
    about: str = ""
    with_agents: tuple[str, ...] = ()
    reused_from: str = ""
    planned_tick: int = 0

    def __post_init__(self) -> None:
        """Take the kind of the act also as text, and agents as a list, as rows have them."""
        object.__setattr__(self, "act", ActKind(self.act))
        object.__setattr__(self, "with_agents", tuple(self.with_agents))


# An hour as the event has it, or as it is stored.
PlannedHour = PlannedItem | PlanItem

_HOUR_FIELDS = [field.name for field in fields(PlannedItem)]
_ACTION_FIELDS = [field.name for field in fields(PlannedAction) if field.name != "area"]


def planned_hour(stored: PlanItem) -> PlannedItem:
    """Return a stored hour as the event has it."""
    return PlannedItem(**{name: getattr(stored, name) for name in _HOUR_FIELDS})


def planned_action(stored: PlanItem) -> PlannedAction:
    """Return a stored action as the event has it."""
    values = {name: getattr(stored, name) for name in _ACTION_FIELDS}
    return PlannedAction(**values, area=stored.place)


def stored_actions(planned: ActionsPlanned, *, tick: int) -> list[PlanItem]:
    """Return the actions that the event of the tick has planned as stored items."""
    return [
        PlanItem(
            **{name: getattr(action, name) for name in _ACTION_FIELDS},
            level="action",
            day="",
            place=action.area,
            reused_from=planned.reused_from,
            planned_tick=tick if planned.planned_tick is None else planned.planned_tick,
        )
        for action in planned.items
    ]


def plan_day_at(hours: Hours, calendar: GameCalendar, now_tick: int) -> PlanDay:
    """Return the rest of the plan-day of an agent that is awake at the tick.

    In the night, more than EARLY_RISING_MINUTES before the waking hour, only sleep is left:
    `bed_tick` is the tick itself.
    """
    now = calendar.time_at(now_tick)
    day = _midnight(now)
    if _at(day, hours.wake) > now:
        day -= timedelta(days=1)
    bed, until = _at(day, hours.sleep), _at(day + timedelta(days=1), hours.wake)
    if now >= bed and until - now <= timedelta(minutes=EARLY_RISING_MINUTES):
        day += timedelta(days=1)
        bed, until = _at(day, hours.sleep), _at(day + timedelta(days=1), hours.wake)
    until_tick = calendar.tick_at(until)
    return PlanDay(
        day=f"{day:%Y-%m-%d}",
        from_tick=now_tick,
        bed_tick=min(max(now_tick, calendar.tick_at(bed)), until_tick),
        to_tick=until_tick,
    )


def next_waking(hours: Hours, calendar: GameCalendar, tick: int) -> int:
    """Return the first waking hour at or after the tick, as a tick."""
    waking = _at(_midnight(calendar.time_at(tick)), hours.wake)
    if calendar.tick_at(waking) < tick:
        waking += timedelta(days=1)
    return calendar.tick_at(waking)


def hours_of(span: Span, calendar: GameCalendar) -> list[Span]:
    """Return the span divided into pieces of about an hour, on the hour where possible."""
    first = calendar.time_at(span.from_tick).replace(minute=0, second=0, microsecond=0)
    count = int(calendar.hours_of(span.ticks)) + 2
    strikes = [calendar.tick_at(first + timedelta(hours=number)) for number in range(1, count)]
    inside = [tick for tick in strikes if span.from_tick < tick < span.to_tick]
    return cut_into_hours(span, strikes=inside, ticks_per_minute=60 / calendar.tick_seconds)


def _midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time())


def _at(midnight: datetime, minute: int) -> datetime:
    return midnight + timedelta(minutes=minute)
