"""The figures of the social life of a simulation, from its log and its rows (paper 7.1)."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from itertools import combinations
from typing import Any

from apps import wiring
from apps.dialogue.events import Agreed, Said, TalkEnded
from apps.dialogue.utterances import Ending
from apps.evaluation.quality.counts import nameless
from apps.evaluation.social.grapevine import Grapevine
from apps.evaluation.social.guest_list import ticks_at
from apps.eventlog.event import Recorded
from apps.history import (
    DayRecord,
    read_day_record,
)
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.memory.events import MemoryFormed, MemoryKind
from apps.reflection.events import Reflected
from apps.simulation.models import SimulationRow
from benchmarks.time_figures import Figures, percent, plan_figures, time_figures
from tests.support.news import CANDIDACY, ORIGINS, PARTY
from tests.support.whole_day import CHECKS, first_tick_of
from tools.day_figures.talk_figures import SAME_TIME_MINUTES, STAYS_MINUTES

AGAIN_MINUTES = 60


def measure(row: SimulationRow, days: int) -> Figures:
    """Return the figures of a simulation, from its first midnight on."""
    events = list(wiring.event_store().read(row.pk))
    worlds = wiring.ports().worlds
    lived = [
        read_day_record(row.pk, worlds, from_tick=first_tick_of(row.pk, day))
        for day in range(days)
    ]
    grapevine = Grapevine(wiring.event_store().read(row.pk))
    figures = talk_figures(events, lived, days)
    figures |= memory_figures(events, lived[0], days)
    figures |= agreement_figures(events, lived[0])
    for news in (PARTY, CANDIDACY):
        knowers = grapevine.knowers(news, at_tick=row.committed_tick)
        figures[f"agents that know of the {news.name}, %"] = percent(
            len(knowers), len(lived[0].agents)
        )
    figures["guests of the party"] = party_guests(lived[-1])
    figures |= plan_figures(row.pk, row.committed_tick)
    figures |= time_figures(lived)
    for number, day in enumerate(lived, start=1):
        passed = sum(not check(day) for check in CHECKS.values())
        figures[f"whole-day checks passed on day {number}, of {len(CHECKS)}"] = passed
    return figures


def talk_figures(events: Sequence[Recorded], lived: Sequence[DayRecord], days: int) -> Figures:
    """Return how much is said, by how many pairs, and how much of it again.

    Of two agents that speak to each other in one tick one gives way: its opening is no
    conversation of its own, and its words are part of the one that goes on.
    """
    of_talks: dict[str, list[Recorded]] = defaultdict(list)
    for one in events:
        if isinstance(one.event, Said):
            of_talks[one.event.conversation].append(one)
    gave_way = {
        (one.stream, one.event.conversation)
        for one in events
        if isinstance(one.event, TalkEnded) and one.event.why == Ending.GAVE_WAY
    }
    crossed = [
        name
        for name, said in of_talks.items()
        if len(said) == 1 and (said[0].stream, name) in gave_way
    ]
    for name in crossed:
        del of_talks[name]
    talks = [said for said in of_talks.values() if len({one.stream for one in said}) > 1]
    talks.sort(key=lambda said: said[0].tick)
    agents = lived[0].agents
    names = [person.name for person in agents.values()]
    texts = [one.event.text for said in talks for one in said]  # type: ignore[attr-defined]
    whole = [" / ".join(one.event.text for one in said) for said in talks]  # type: ignore[attr-defined]
    together = [frozenset(one.stream for one in said) for said in talks]
    pairs = {frozenset(pair) for who in together for pair in combinations(sorted(who), 2)}
    met: dict[frozenset[str], list[int]] = defaultdict(list)
    again = same_time = 0
    for who, said in zip(together, talks, strict=True):
        minute = lived[0].minute(said[0].tick)
        earlier = met[who]
        again += any(minute - one < AGAIN_MINUTES for one in earlier)
        same_time += any(
            one // MINUTES_PER_DAY < minute // MINUTES_PER_DAY
            and abs((minute - one) % MINUTES_PER_DAY) < SAME_TIME_MINUTES
            for one in earlier
        )
        earlier.append(minute)
    agent_days = len(agents) * days
    return {
        "conversations per agent-day": round(sum(len(who) for who in together) / agent_days, 2),
        "conversations of three or more": sum(len(who) > 2 for who in together),
        "openings that gave way, % of conversations": percent(len(crossed), len(talks)),
        "openings without an answer, %": percent(len(of_talks) - len(talks), len(of_talks)),
        "utterances per conversation": round(len(texts) / max(1, len(talks)), 2),
        f"pairs that talked, of {len(agents) * (len(agents) - 1) // 2}": len(pairs),
        "distinct utterances, %": share_distinct(texts),
        "distinct utterances without names, %": share_distinct(nameless(texts, names)),
        "distinct conversations without names, %": share_distinct(nameless(whole, names)),
        "again within an hour, % of conversations": percent(again, len(talks)),
        "same agents at the same time of an earlier day, %": percent(same_time, len(talks)),
        "both still in the room ten minutes later, %": percent(
            sum(stayed(said, lived) for said in talks), len(talks)
        ),
    }


def stayed(said: Sequence[Recorded], lived: Sequence[DayRecord]) -> bool:
    """Return whether the speakers are in one area STAYS_MINUTES after the last words."""
    day_ticks = lived[0].calendar.ticks_of(minutes=MINUTES_PER_DAY)
    tick = said[-1].tick + lived[0].calendar.ticks_of(minutes=STAYS_MINUTES)
    day = min(tick // day_ticks, len(lived) - 1)
    areas = {
        lived[day].areas[one.stream][min(tick - day * day_ticks, lived[day].last_tick)]
        for one in said
    }
    return len(areas) == 1 and "" not in areas


def memory_figures(events: Sequence[Recorded], lived: DayRecord, days: int) -> Figures:
    """Return how many memories are new, and how many thoughts and reflections there are."""
    names = [person.name for person in lived.agents.values()]
    formed = [one for one in events if isinstance(one.event, MemoryFormed)]
    own = [(one.stream, one.event.description) for one in formed]  # type: ignore[attr-defined]
    thoughts = [
        one.event.description  # type: ignore[attr-defined]
        for one in formed
        if one.event.kind is MemoryKind.REFLECTION  # type: ignore[attr-defined]
    ]
    agent_days = len(lived.agents) * days
    reflected = sum(isinstance(one.event, Reflected) for one in events)
    return {
        "memories per agent-day": round(len(own) / agent_days, 1),
        "distinct memories of an agent, %": share_distinct(own),
        "reflections per agent-day": round(reflected / agent_days, 2),
        "thoughts per agent-day": round(len(thoughts) / agent_days, 2),
        "distinct thoughts, %": share_distinct(thoughts),
        "distinct thoughts without names, %": share_distinct(nameless(thoughts, names)),
    }


def agreement_figures(events: Sequence[Recorded], lived: DayRecord) -> Figures:
    """Return how many agreements there are, and how many of those in these days were kept.

    An agreement is kept if the agent is at its place at some tick of its time, or in one room
    with the other one where it names no place.
    """
    made = [one for one in events if isinstance(one.event, Agreed)]
    replaced = {getattr(one.event, "replaces", "") for one in made}
    due = kept = 0
    for one in made:
        agreed = one.event
        assert isinstance(agreed, Agreed)
        is_over = getattr(agreed, "cancelled", False) or str(one.place) in replaced
        ticks = agreed_ticks(agreed, lived)
        if is_over or not ticks or ticks[-1] > lived.last_tick:
            continue
        due += 1
        kept += any(is_kept(one.stream, agreed, lived, tick) for tick in ticks)
    return {"agreements made": len(made), "agreements kept, % of those due": percent(kept, due)}


def agreed_ticks(agreed: Agreed, lived: DayRecord) -> range:
    """Return a tick of each minute of the agreed time."""
    of_day = lived.calendar.start.replace(hour=0, minute=0)
    while f"{of_day:%Y-%m-%d}" < agreed.day:
        of_day += timedelta(days=1)
    tick_at, a_minute = lived.calendar.tick_at, lived.calendar.ticks_of(minutes=1)
    begins = tick_at(of_day + timedelta(minutes=agreed.from_minute))
    return range(begins, tick_at(of_day + timedelta(minutes=agreed.to_minute)), a_minute)


def is_kept(agent: str, agreed: Agreed, lived: DayRecord, tick: int) -> bool:
    """Return whether the agent is where it agreed to be at the tick."""
    area = lived.areas[agent][tick]
    if not area:
        return False
    if not agreed.place:
        return agreed.other in lived.areas and area == lived.areas[agreed.other][tick]
    return area.partition(": ")[0] in agreed.place


def party_guests(lived: DayRecord) -> int:
    """Return how many agents besides the host are at the party of the day, at some time."""
    ticks = range(lived.tick("17:00"), lived.tick("19:00"), lived.calendar.ticks_of(minutes=1))
    present = ticks_at("Hobbs Cafe", lived.tracks, lived.world, ticks)
    return sum(agent != ORIGINS[PARTY.name] and bool(found) for agent, found in present.items())


def share_distinct(values: Sequence[Any]) -> float:
    """Return the share of different values in percent."""
    return percent(len(set(values)), len(values))
