"""The density of relationships at the end of each day, by what counts as one."""

from collections.abc import Callable

from apps.evaluation.quality.days import Series, Value
from apps.memory.earlier_memories import density
from apps.memory.events import MemoryOrigin
from apps.memory.models import MemoryRow
from tools.day_figures.memory_figures import NOISE, seed_keys
from tools.day_figures.run_record import (
    RunRecord,
    heard_by,
    ties_of,
)

Pair = tuple[str, str]
Pairs = dict[Pair, int]


def network_figures(run: RunRecord) -> Series:
    """Return the share of pairs of agents that know each other, for five meanings.

    A pair counts if both of its directions hold by the end of the day:

    - sighted: the agent has perceived the other one;
    - met: it has said something to the other one, or heard something from it;
    - talked: both have said something to each other in one conversation;
    - related: it has a memory about the other one that is a seed or comes from words, plans or
      thoughts;
    - any memory: it has a memory about the other one of any kind, as in
      `GET …/relationships`.
    """
    kinds = {
        "seed ties": dict.fromkeys(ties_of(run.agents), 0),
        "sighted": sighted_pairs(run),
        "met": met_pairs(run),
        "talked": talked_pairs(run),
        "related": related_pairs(run),
        "any memory (API)": memory_pairs(run, lambda _: True),
    }
    return {f"density: {kind}": densities(run, pairs) for kind, pairs in kinds.items()}


def densities(run: RunRecord, pairs: Pairs) -> list[Value]:
    """Return the density at the end of each day; `pairs` has the tick of each pair."""
    return [
        round(density(_until(pairs, run.days.begins(day + 1)), len(run.agents)), 3)
        for day in range(run.days.count)
    ]


def sighted_pairs(run: RunRecord) -> Pairs:
    """Return who perceived whom first when, by notices and memories."""
    found: Pairs = {}
    for agent, other, tick in run.seen:
        _first(found, (agent, other), tick, run)
    for one in run.memories:
        if one.origin == MemoryOrigin.PERCEIVED_AGENT:
            _first(found, (one.agent, one.subject), one.formed_tick, run)
    return found


def met_pairs(run: RunRecord) -> Pairs:
    """Return who exchanged a word with whom, in both directions."""
    found: Pairs = {}
    for one in run.utterances:
        for other in heard_by(one):
            _first(found, (one.agent, other), one.tick, run)
            _first(found, (other, one.agent), one.tick, run)
    return found


def talked_pairs(run: RunRecord) -> Pairs:
    """Return who said something to whom in a conversation in which the other one did, too."""
    found: Pairs = {}
    for talk in run.conversations:
        said = {(one.agent, other) for one in talk.said for other in heard_by(one)}
        for agent, other in said:
            if (other, agent) in said:
                _first(found, (agent, other), talk.said[-1].tick, run)
    return found


def related_pairs(run: RunRecord) -> Pairs:
    """Return who has a memory about whom beyond sightings."""
    seeds = seed_keys(run.memories, run.agents)

    def is_tie(memory: MemoryRow) -> bool:
        is_seed = (memory.agent, memory.number) in seeds
        return is_seed or bool(memory.origin and memory.origin not in NOISE)

    return memory_pairs(run, is_tie)


def memory_pairs(run: RunRecord, counts: Callable[[MemoryRow], bool]) -> Pairs:
    """Return who has a memory about whom: its subject, or its words have the full name."""
    found: Pairs = {}
    for one in run.memories:
        if not counts(one):
            continue
        for other, person in run.agents.items():
            if one.subject == other or person.name in one.description:
                _first(found, (one.agent, other), one.formed_tick, run)
    return found


def _first(found: Pairs, pair: Pair, tick: int, run: RunRecord) -> None:
    agent, other = pair
    if agent != other and agent in run.agents and other in run.agents:
        found[pair] = min(tick, found.get(pair, tick))


def _until(pairs: Pairs, tick: int) -> set[Pair]:
    return {pair for pair, first in pairs.items() if first < tick}
