"""The memories of an agent that are nearest to a piece of news in meaning, as of a tick."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from uuid import UUID

from apps.memory.events import Weights
from apps.memory.retrieval import RankedMemory
from apps.memory.retrieval_query import retrieve
from apps.memory.rules import CANDIDATES_MAX as RANKED_MAX

CANDIDATES_MAX = 24
"""Memories in one prompt of a verifier; more of them find little and cost as much each."""
_BY_MEANING = Weights(recency=0, importance=0, relevance=1)


def nearest_memories(
    simulation_id: UUID,
    agent: str,
    vector: Sequence[float],
    *,
    as_of_tick: int,
    tick_seconds: int,
    time_at: Callable[[int], datetime],
    besides: Collection[int],
) -> list[RankedMemory]:
    """Return the memories by relevance alone, best first, without those of `besides`.

    Exact, as all retrievals are, and recorded nowhere: it renews no recency. Of memories that
    tell the same, the first is returned.
    """
    ranked = retrieve(
        simulation_id,
        agent,
        vector,
        as_of_tick=as_of_tick,
        tick_seconds=tick_seconds,
        weights=_BY_MEANING,
        limit=RANKED_MAX,
    )
    kept = [one for one in firsts_of_each(ranked, time_at) if one.number not in besides]
    return kept[:CANDIDATES_MAX]


def firsts_of_each(
    ranked: Iterable[RankedMemory], time_at: Callable[[int], datetime]
) -> list[RankedMemory]:
    """Return the first of the memories that tell the same, at the place of the best of them.

    They have the same words, subject and scheduled activity, and are of the same day: "the
    party is today" is other news on another day.
    """
    first: dict[object, RankedMemory] = {}
    for memory in ranked:
        day = time_at(memory.formed_tick).date()
        told = (memory.description.casefold(), memory.subject, memory.scheduled, day)
        if told not in first or memory.number < first[told].number:
            first[told] = memory  # a key keeps its first place
    return list(first.values())
