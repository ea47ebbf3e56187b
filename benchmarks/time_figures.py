"""The figures of plans and of the time of simulated days, from their rows."""

from collections import Counter
from collections.abc import Iterator, Sequence
from uuid import UUID

from apps.agents.events import ActionKind
from apps.evaluation.social.social_measures import SHORT_MINUTES, plan_keeping
from apps.history import DayRecord, is_in
from apps.kernel.game_time import MINUTES_PER_DAY

Figures = dict[str, float]


def percent(part: float, whole: float) -> float:
    """Return the part in percent of the whole, 0 of nothing."""
    return round(100 * part / whole, 1) if whole else 0.0


def plan_figures(simulation_id: UUID, last_tick: int) -> Figures:
    """Return how many planned actions were never begun, and how many were hardly begun."""
    kept = plan_keeping(simulation_id, as_of_tick=last_tick)
    return {
        "planned actions never begun, %": percent(kept.planned - kept.begun, kept.planned),
        f"planned actions of less than {SHORT_MINUTES} minutes, %": percent(
            kept.short, kept.planned
        ),
    }


def time_figures(lived: Sequence[DayRecord]) -> Figures:
    """Return how the waking time is spent, and the hours of all agents at the places."""
    kinds: Counter[str] = Counter()
    places: Counter[str] = Counter()
    alone = waking = 0
    homes = {(one.home or "").partition(": ")[0] for one in lived[0].agents.values()} - {""}
    for day in lived:
        a_minute = day.calendar.ticks_of(minutes=1)
        doing = {agent: list(doing_by_minute(day, agent, a_minute)) for agent in day.agents}
        for minute in range(MINUTES_PER_DAY):
            tick = minute * a_minute
            crowd = Counter(areas[tick] for areas in day.areas.values())
            for agent, of_agent in doing.items():
                kind, area = of_agent[minute], day.areas[agent][tick]
                if kind == "asleep":
                    continue
                waking += 1
                kinds[kind] += 1
                alone += bool(area) and crowd[area] == 1
                places[_place(area, day.agents[agent].home or "", homes)] += 1
    agent_days = sum(len(day.agents) for day in lived)
    figures = {
        "waking time walking, %": percent(kinds["walking"], waking),
        "waking time talking, %": percent(kinds["talking"], waking),
        "waking time waiting or passing the time, %": percent(kinds["idle"], waking),
        "waking time alone in a room, %": percent(alone, waking),
    }
    return figures | {
        f"minutes per agent-day: {place}": round(minutes / agent_days, 1)
        for place, minutes in sorted(places.items())
    }


def _place(area: str, home: str, homes: set[str]) -> str:
    """Return the place of an area; homes are one's own or those of others."""
    root = area.partition(": ")[0]
    if root and is_in(home, root):
        return "at home"
    return "in homes of others" if root in homes else root or "outdoors"


def doing_by_minute(day: DayRecord, agent: str, a_minute: int) -> Iterator[str]:
    """Yield what the agent does in each minute of the day."""
    idle = {ActionKind.WAITING, ActionKind.PASSING_TIME, ActionKind.IDLE}
    actions, at = day.tracks[agent].actions, 0
    for tick in range(0, MINUTES_PER_DAY * a_minute, a_minute):
        while at + 1 < len(actions) and actions[at + 1].from_tick <= tick:
            at += 1
        now = actions[at]
        if now.asleep:
            yield "asleep"
        elif now.towards:
            yield "walking"
        elif now.kind is ActionKind.TALKING:
            yield "talking"
        else:
            yield "idle" if now.kind in idle else "acting"
