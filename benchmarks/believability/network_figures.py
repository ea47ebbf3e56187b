"""The density of relationships at the end of each day, by what counts as one (section 7)."""

from collections.abc import Callable

from apps.memory.events import MemoryOrigin
from apps.memory.memories_about import density
from apps.memory.models import MemoryRow
from benchmarks.believability.days import Series, Value
from benchmarks.believability.memory_figures import NOISE, seed_keys
from benchmarks.believability.town import Town, conversations_of, heard_by, ties_of

Pair = tuple[str, str]
Pairs = dict[Pair, int]


def network_figures(town: Town) -> Series:
    """Return the share of pairs of agents that know each other, for five meanings.

    A pair counts if both of its directions hold by the end of the day:

    - sighted: the agent has perceived the other one;
    - met: it has said something to the other one, or heard something from it;
    - talked: both have said something to each other in one conversation;
    - related: it has a memory about the other one that is a seed or comes from words, plans or
      thoughts (the second density of section 7);
    - any memory: it has a memory about the other one of any kind, as in
      `GET …/relationships`.
    """
    kinds = {
        "seed ties": dict.fromkeys(ties_of(town.people), 0),
        "sighted": sighted_pairs(town),
        "met": met_pairs(town),
        "talked": talked_pairs(town),
        "related": related_pairs(town),
        "any memory (API)": memory_pairs(town, lambda _: True),
    }
    return {f"density: {kind}": densities(town, pairs) for kind, pairs in kinds.items()}


def densities(town: Town, pairs: Pairs) -> list[Value]:
    """Return the density at the end of each day; `pairs` has the tick of each pair."""
    return [
        round(density(_until(pairs, town.days.begins(day + 1)), len(town.people)), 3)
        for day in range(town.days.count)
    ]


def sighted_pairs(town: Town) -> Pairs:
    """Return who perceived whom first when, by notices and memories."""
    found: Pairs = {}
    for agent, other, tick in town.seen:
        _first(found, (agent, other), tick, town)
    for one in town.memories:
        if one.origin == MemoryOrigin.PERCEIVED_AGENT:
            _first(found, (one.agent, one.subject), one.formed_tick, town)
    return found


def met_pairs(town: Town) -> Pairs:
    """Return who exchanged a word with whom, in both directions."""
    found: Pairs = {}
    for one in town.utterances:
        for other in heard_by(one):
            _first(found, (one.agent, other), one.tick, town)
            _first(found, (other, one.agent), one.tick, town)
    return found


def talked_pairs(town: Town) -> Pairs:
    """Return who said something to whom in a conversation in which the other one did, too."""
    found: Pairs = {}
    for talk in conversations_of(town.utterances):
        said = {(one.agent, other) for one in talk.said for other in heard_by(one)}
        for agent, other in said:
            if (other, agent) in said:
                _first(found, (agent, other), talk.said[-1].tick, town)
    return found


def related_pairs(town: Town) -> Pairs:
    """Return who has a memory about whom beyond sightings."""
    seeds = seed_keys(town.memories, town.people)

    def is_tie(memory: MemoryRow) -> bool:
        is_seed = (memory.agent, memory.number) in seeds
        return is_seed or bool(memory.origin and memory.origin not in NOISE)

    return memory_pairs(town, is_tie)


def memory_pairs(town: Town, counts: Callable[[MemoryRow], bool]) -> Pairs:
    """Return who has a memory about whom: its subject, or its words have the full name."""
    found: Pairs = {}
    for one in town.memories:
        if not counts(one):
            continue
        for other, person in town.people.items():
            if one.subject == other or person.name in one.description:
                _first(found, (one.agent, other), one.formed_tick, town)
    return found


def _first(found: Pairs, pair: Pair, tick: int, town: Town) -> None:
    agent, other = pair
    if agent != other and agent in town.people and other in town.people:
        found[pair] = min(tick, found.get(pair, tick))


def _until(pairs: Pairs, tick: int) -> set[Pair]:
    return {pair for pair, first in pairs.items() if first < tick}
