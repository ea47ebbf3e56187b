"""How a town is brought to its first morning: fast by night, then at a pace to watch."""

from dataclasses import dataclass
from datetime import datetime, time
from enum import StrEnum

from apps.kernel.game_time import GameCalendar

MORNING = time(6, 55)
"""When people begin to wake: what happens before is quickly told."""
PAPER_PACE = 60.0
"""Game seconds per real second: a game minute each second, as the paper's demonstration ran."""


class Step(StrEnum):
    """What is to be asked of the town next."""

    NIGHT = "live to the morning as fast as it goes"
    DAY = "run on at the paper's pace"
    RESUME = "go on as before, the pace counted from now"
    LEAVE = "leave it as it is"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far a town has come and what it was last asked for."""

    running: bool
    paced: bool
    settled_tick: int
    until_tick: int | None
    morning_tick: int


def morning_tick(calendar: GameCalendar) -> int:
    """Return the tick of the first 06:55 at or after the founding."""
    morning = datetime.combine(calendar.start.date(), MORNING)
    return max(0, calendar.tick_at(morning))


def what_next(standing: Standing) -> Step:
    """Return what is to be asked of a town when the service starts or the night is over.

    Whoever has paused a town, or has asked something else of it, is not overruled: only a town
    that nobody has asked anything of, or that was on its way through the night, is moved on.
    """
    night_is_over = standing.settled_tick >= standing.morning_tick
    if standing.running:
        if not night_is_over and standing.until_tick == standing.morning_tick:
            return Step.NIGHT
        return Step.RESUME if standing.paced else Step.LEAVE
    if standing.settled_tick == 0 and standing.until_tick is None:
        return Step.DAY if night_is_over else Step.NIGHT
    if standing.settled_tick == standing.until_tick == standing.morning_tick:
        return Step.DAY
    return Step.LEAVE
