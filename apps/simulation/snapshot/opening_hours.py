"""Opening hours in ticks: whether an area is closed to an agent, and when it opens (W5)."""

from datetime import timedelta

from apps.kernel.game_time import MINUTES_PER_DAY, GameCalendar
from apps.world.norms import hours_of, may_enter
from apps.world.tree import WorldTree


def minute_of_day(calendar: GameCalendar, tick: int) -> int:
    """Return the game time at which the tick begins, in minutes after midnight."""
    time = calendar.time_at(tick)
    return time.hour * 60 + time.minute


def is_closed_to(
    tree: WorldTree, calendar: GameCalendar, *, person: str, area: str, tick: int
) -> str | None:
    """Return why the agent of the name may not be in the area at the tick; None if it may."""
    if not area or hours_of(tree, area) is None:
        return None
    return may_enter(tree, person=person, area=area, minute=minute_of_day(calendar, tick))


def closes_now(
    tree: WorldTree, calendar: GameCalendar, *, person: str, area: str, tick: int
) -> bool:
    """Return whether the tick is the first at which the area is closed to the agent."""

    def closed(at: int) -> bool:
        return bool(is_closed_to(tree, calendar, person=person, area=area, tick=at))

    return closed(tick) and not closed(tick - 1)


def closing_tick(
    tree: WorldTree, calendar: GameCalendar, *, area: str, tick: int
) -> int | None:
    """Return the first tick after this one at which the area closes, None if it never does."""
    hours = hours_of(tree, area) if area else None
    if hours is None:
        return None
    return _next_tick_at(calendar, hours[1], tick)


def opening_tick(tree: WorldTree, calendar: GameCalendar, *, area: str, tick: int) -> int:
    """Return the first tick after this one at which the area opens.

    :raises ValueError: if the area has no hours.
    """
    hours = hours_of(tree, area)
    if hours is None:
        raise ValueError(f"{area!r} has no hours")
    return _next_tick_at(calendar, hours[0], tick)


def _next_tick_at(calendar: GameCalendar, minute: int, tick: int) -> int:
    """Return the first tick after this one at so many minutes after midnight."""
    ahead = (minute - minute_of_day(calendar, tick)) % MINUTES_PER_DAY or MINUTES_PER_DAY
    now = calendar.time_at(tick).replace(second=0, microsecond=0)
    return calendar.tick_at(now + timedelta(minutes=ahead))
