"""The health of the memory stream and of what is retrieved from it."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from apps.evaluation.quality.days import Days, Series
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.models import MemoryRow
from tools.day_figures.daily_shares import DailyShare, mean
from tools.day_figures.run_record import RunRecord, SeededAgent

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


def lived_memories(run: RunRecord) -> list[MemoryRow]:
    """Return the memories that are no seeds."""
    seeds = seed_keys(run.memories, run.agents)
    return [one for one in run.memories if (one.agent, one.number) not in seeds]


def seed_keys(
    memories: Iterable[MemoryRow], agents: Mapping[str, SeededAgent]
) -> set[tuple[str, int]]:
    """Return (agent, number) of the memories that are seeds, by their origin or their words."""
    phrases = {slug: set(one.seeds) for slug, one in agents.items()}
    return {
        (one.agent, one.number)
        for one in memories
        if one.origin == MemoryOrigin.DESCRIPTION
        or (not one.origin and one.description in phrases.get(one.agent, ()))
    }


def stream_figures(days: Days, memories: Sequence[MemoryRow], agents: int) -> Series:
    """Return the number of memories, and how many repeat or say little.

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
