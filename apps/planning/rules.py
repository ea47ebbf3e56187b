"""What a plan-day is, how finely it is planned, and how its parts are numbered; pure.

A plan-day runs from waking to the next waking, sleep included (P1, P2).
"""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Literal, Protocol

from apps.agents.identity import Hours
from apps.kernel.game_time import GameCalendar
from apps.planning.tiling import Span, cut_into_hours

Level = Literal["outline", "hour", "action"]

OUTLINE_CHUNK_MINUTES_MIN = 15
# Who is up this long before the waking hour begins the day early; before that it is night.
EARLY_RISING_MINUTES = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningSettings:
    """How finely a person plans (P2); changing it changes history."""

    outline_chunks_min: int = 5
    outline_chunks_max: int = 8
    action_minutes_min: int = 5
    action_minutes_max: int = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDay:
    """A plan-day, or what is left of it: awake up to `bed_tick`, asleep up to `to_tick`.

    `day` is the date on which it began, "2023-02-13".
    """

    day: str
    from_tick: int
    bed_tick: int
    to_tick: int

    @property
    def awake(self) -> Span:
        """The waking part; empty for somebody who wakes in the night."""
        return Span(self.from_tick, self.bed_tick)

    @property
    def asleep(self) -> Span:
        """The sleeping part."""
        return Span(self.bed_tick, self.to_tick)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanItem:
    """A plan item of any level, as it is read back.

    `day` is "" for actions, whose `place` is their area; `to_tick` is where the item
    really ended when a later plan cut it short; `continues` is as in PlannedItem.
    """

    number: int
    parent: int
    level: Level
    day: str
    description: str
    place: str
    object: str
    object_state: str
    emoji: str
    asleep: bool
    from_tick: int
    to_tick: int
    continues: int = 0


class PlannedHour(Protocol):
    """What is asked of an hour to divide it: an event's item or a row read back."""

    @property
    def number(self) -> int: ...  # noqa: D102
    @property
    def description(self) -> str: ...  # noqa: D102
    @property
    def place(self) -> str: ...  # noqa: D102
    @property
    def asleep(self) -> bool: ...  # noqa: D102
    @property
    def continues(self) -> int: ...  # noqa: D102
    @property
    def from_tick(self) -> int: ...  # noqa: D102
    @property
    def to_tick(self) -> int: ...  # noqa: D102


def plan_day_at(hours: Hours, calendar: GameCalendar, now_tick: int) -> PlanDay:
    """Return the plan-day of somebody who is awake at the tick, from then on.

    Who wakes in the night, more than two hours before the waking hour, has nothing left
    but to sleep on: `bed_tick` is then the tick itself.
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
    """Return the span in hour-long pieces that begin, where they can, on the hour."""
    first = calendar.time_at(span.from_tick).replace(minute=0, second=0, microsecond=0)
    count = int(calendar.hours_of(span.ticks)) + 2
    strikes = [calendar.tick_at(first + timedelta(hours=number)) for number in range(1, count)]
    inside = [tick for tick in strikes if span.from_tick < tick < span.to_tick]
    return cut_into_hours(span, strikes=inside, ticks_per_minute=60 / calendar.tick_seconds)


def tick_of_clock(minute: int, span: Span, calendar: GameCalendar) -> int:
    """Return the tick that a time of day means inside a span of less than two days.

    A time of day that is over by the span's beginning means tomorrow's if that lies in the
    span, else the beginning; one after the span's end stays after it.

    `minute` counts from midnight and may pass 1,440.
    """
    today = _midnight(calendar.time_at(span.from_tick))
    tick = calendar.tick_at(_at(today, minute))
    if tick >= span.from_tick:
        return tick
    tomorrow = calendar.tick_at(_at(today + timedelta(days=1), minute))
    return tomorrow if tomorrow < span.to_tick else span.from_tick


def _midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time())


def _at(midnight: datetime, minute: int) -> datetime:
    return midnight + timedelta(minutes=minute)
