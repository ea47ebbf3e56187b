"""Whether reflections go on saying something new, and whether their claims hold."""

from collections import defaultdict

from apps.evaluation.quality.counts import forms_of
from apps.evaluation.quality.days import Series
from apps.memory.events import MemoryOrigin
from tools.day_figures.daily_shares import DailyShare
from tools.day_figures.run_record import RunRecord
from tools.day_figures.word_lists import OFTEN, TALKING

OFTEN_TALKS = 2
OFTEN_HOURS = 3


def insight_figures(run: RunRecord) -> Series:
    """Return how many insights are kept, dropped, and of a form that was never there before.

    The form of an insight is its sentence with one sign for all names and numbers. A form is
    new once in a simulation, for the first agent that has it.
    """
    count = run.days.count
    kept, dropped, new = [0] * count, [0] * count, [0] * count
    repeated = DailyShare(run.days)
    known: dict[str, int] = {}
    days = run.days.split(run.reflections, lambda row: row.tick)
    for day, rows in enumerate(days):
        for row in rows:
            dropped[day] += len(row.dropped)
            for form in forms_of([one["statement"] for one in row.insights], run.names):
                kept[day] += 1
                new[day] += form not in known
                repeated.add(row.tick, hit=known.get(form, day) < day)
                known.setdefault(form, day)
    return {
        "reflections per agent-day": [
            round(len(rows) / max(1, len(run.agents)), 2) for rows in days
        ],
        "insights kept": list(kept),
        "insights dropped": list(dropped),
        "insights of new form": list(new),
        "insights of a form of an earlier day, %": repeated.percent(),
    }


def often_figures(run: RunRecord) -> Series:
    """Return how many insights claim "often" of two agents, and how many are not earned.

    A claim is an insight with a phrase of `OFTEN` that names the other agent. If it is
    about talking (`TALKING`), it is earned by OFTEN_TALKS answered conversations of the
    two before it; if not, by OFTEN_HOURS different hours in which the agent has perceived the
    other one.
    """
    talked: dict[frozenset[str], list[int]] = defaultdict(list)
    for talk in run.conversations:
        if talk.is_answered:
            for pair in {frozenset((one.agent, one.to)) for one in talk.said}:
                talked[pair].append(talk.tick)
    sighted = sighted_hours(run)
    talks, meetings = DailyShare(run.days), DailyShare(run.days)
    for row in run.reflections:
        for one in row.insights:
            for other in others_in(one["statement"], row.agent, run):
                if TALKING.search(one["statement"]):
                    times = sum(
                        tick < row.tick for tick in talked[frozenset((row.agent, other))]
                    )
                    talks.add(row.tick, hit=times < OFTEN_TALKS)
                else:
                    times = sum(tick < row.tick for tick in sighted.get((row.agent, other), ()))
                    meetings.add(row.tick, hit=times < OFTEN_HOURS)
    return {
        'claims to talk "often"': talks.counted(),
        'claims to talk "often" after at most one talk, %': talks.percent(),
        'claims to meet "often"': meetings.counted(),
        'claims to meet "often" after meetings in at most two hours, %': meetings.percent(),
    }


def others_in(statement: str, agent: str, run: RunRecord) -> list[str]:
    """Return the agents besides the thinker of whom the statement claims a frequency."""
    if not OFTEN.search(statement):
        return []
    return [
        slug
        for slug, person in run.agents.items()
        if slug != agent and person.name in statement
    ]


def sighted_hours(run: RunRecord) -> dict[tuple[str, str], list[int]]:
    """Return for (agent, other) the first tick of each hour in which it perceived the other.

    Read from the memories of sightings and from the notices of other agents.
    """
    an_hour = run.days.calendar.ticks_of(minutes=60)
    seen = [
        (one.agent, one.subject, one.formed_tick)
        for one in run.memories
        if one.origin == MemoryOrigin.PERCEIVED_AGENT
    ]
    found: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for agent, other, tick in sorted([*seen, *run.seen], key=lambda one: one[2]):
        found[agent, other].setdefault(tick // an_hour, tick)
    return {pair: list(hours.values()) for pair, hours in found.items()}
