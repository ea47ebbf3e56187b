"""The health of the memory stream and of what is retrieved from it (section 2.4 to 2.6)."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from apps.evaluation.quality.daily.days import DailyShare, Days, Series, mean, share
from apps.evaluation.quality.daily.run_record import RunRecord, SeededAgent, ties_of
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.models import MemoryRow

WINDOW = 60
# What the report counts as noise: sightings of agents and objects, own deeds, closed doors.
NOISE = frozenset(
    {
        MemoryOrigin.PERCEIVED_AGENT,
        MemoryOrigin.PERCEIVED_OBJECT,
        MemoryOrigin.OWN_ACTION,
        MemoryOrigin.TURNED_AWAY,
        MemoryOrigin.CLOSING,
    }
)
SIGHTINGS = frozenset({MemoryOrigin.PERCEIVED_AGENT, MemoryOrigin.PERCEIVED_OBJECT})


def memory_figures(run: RunRecord) -> Series:
    """Return the figures of memories and retrievals by day."""
    seeds = seed_keys(run.memories, run.people)
    figures = importance_figures(run, seeds)
    figures |= stream_figures(run.days, lived_memories(run), len(run.people))
    return figures | retrieval_figures(run, seeds)


def lived_memories(run: RunRecord) -> list[MemoryRow]:
    """Return the memories that are no seeds."""
    seeds = seed_keys(run.memories, run.people)
    return [one for one in run.memories if (one.agent, one.number) not in seeds]


def seed_keys(
    memories: Iterable[MemoryRow], people: Mapping[str, SeededAgent]
) -> set[tuple[str, int]]:
    """Return (agent, number) of the memories that are seeds, by their origin or their words."""
    phrases = {slug: set(one.seeds) for slug, one in people.items()}
    return {
        (one.agent, one.number)
        for one in memories
        if one.origin == MemoryOrigin.DESCRIPTION
        or (not one.origin and one.description in phrases.get(one.agent, ()))
    }


def importance_figures(run: RunRecord, seeds: set[tuple[str, int]]) -> Series:
    """Return the mean importance of seeds, of seed ties and of routine (2.4).

    Routine are own deeds and sightings; what is formed on a day counts for that day, seeds for
    every day. The importance is the last one, also where it was rated later.
    """
    known = {
        f"{run.people[agent].name} {phrase}"
        for (agent, _), phrases in ties_of(run.people).items()
        for phrase in phrases
    }
    own = [one for one in run.memories if (one.agent, one.number) in seeds]
    tied = [one.rating for one in own if one.description in known]
    days = run.days.split(run.memories, lambda one: one.formed_tick)
    of_origin = [
        {
            "own": [one.rating for one in day if one.origin == MemoryOrigin.OWN_ACTION],
            "seen": [one.rating for one in day if one.origin in SIGHTINGS],
            "insight": [one.rating for one in day if one.origin == MemoryOrigin.INSIGHT],
        }
        for day in days
    ]
    count = run.days.count
    return {
        "importance of seeds, mean": [mean([one.rating for one in own])] * count,
        "importance of seed ties, mean": [mean(tied)] * count,
        "importance of own deeds, mean": [mean(day["own"]) for day in of_origin],
        "importance of sightings, mean": [mean(day["seen"]) for day in of_origin],
        "importance of insights, mean": [mean(day["insight"]) for day in of_origin],
    }


def stream_figures(days: Days, memories: Sequence[MemoryRow], agents: int) -> Series:
    """Return the number of memories, and how many repeat or say little (2.5).

    A memory repeats if an earlier one of the same agent, of any day, has the same words. Noise
    is by origin (`NOISE`), over windows of WINDOW consecutive memories of an agent.
    """
    repeats, known = DailyShare(days), set()
    per_agent: list[Counter[str]] = [Counter() for _ in range(days.count)]
    streams: dict[tuple[str, int], list[bool]] = defaultdict(list)
    for one in memories:
        key = (one.agent, one.description)
        repeats.add(one.formed_tick, hit=key in known)
        known.add(key)
        day = days.of(one.formed_tick)
        if day is not None:
            per_agent[day][one.agent] += 1
            streams[one.agent, day].append(is_noise(one))
    return {
        "memories per agent-day": [
            round(sum(day.values()) / max(1, agents), 1) for day in per_agent
        ],
        "memories of a day, median agent": [
            statistics.median(day.values()) if day else None for day in per_agent
        ],
        "memories of a day, most": [max(day.values(), default=0) for day in per_agent],
        "memories that repeat an earlier one word for word, %": repeats.percent(),
        "noise in windows of 60 memories, %": [
            mean([noise for (_, at), kept in streams.items() if at == day
                  for noise in window_noise(kept)], 1)
            for day in range(days.count)
        ],
    }  # fmt: skip


def is_noise(memory: MemoryRow) -> bool:
    """Return whether the memory is a sighting, an own deed or a closed door."""
    is_old = not memory.origin and memory.kind == MemoryKind.OBSERVATION
    return is_old or memory.origin in NOISE


def window_noise(stream: Sequence[bool]) -> list[float]:
    """Return the noise of each whole window of consecutive memories in percent."""
    starts = range(0, len(stream) - WINDOW + 1, WINDOW)
    return [100 * sum(stream[at : at + WINDOW]) / WINDOW for at in starts]


def retrieval_figures(run: RunRecord, seeds: set[tuple[str, int]]) -> Series:
    """Return what comes to mind: noise, how many different memories, how many seeds (2.4).

    Counted are retrievals, one for each memory and tick, as they renew the recency of a memory.
    """
    noisy = {(one.agent, one.number): is_noise(one) for one in run.memories}
    noise = DailyShare(run.days)
    days = run.days.split(run.retrievals, lambda one: one.from_tick)
    for row in run.retrievals:
        key = (row.agent, row.number)
        noise.add(row.from_tick, hit=noisy.get(key, False) and key not in seeds)
    distinct = [{(row.agent, row.number) for row in day} for day in days]
    known = [0] * run.days.count
    for one in run.memories:
        formed = run.days.of(one.formed_tick)
        for day in range(formed, run.days.count) if formed is not None else ():
            known[day] += 1
    agents = max(1, len(run.people))
    return {
        "noise among retrieved memories, %": noise.percent(),
        "retrievals per agent-day": [round(len(day) / agents, 1) for day in days],
        "distinct memories retrieved per agent-day": [
            round(len(day) / agents, 1) for day in distinct
        ],
        "memories of the stream retrieved on the day, %": [
            share(len(day), total) for day, total in zip(distinct, known, strict=True)
        ],
        "seeds retrieved on the day, %": [
            share(len(day & seeds), len(seeds)) for day in distinct
        ],
    }
