"""The memories of an agent that are nearest to a piece of news in meaning, as of a tick."""

from collections.abc import Collection, Sequence
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
    besides: Collection[int],
) -> list[RankedMemory]:
    """Return the memories by relevance alone, best first, without those of `besides`.

    Exact, as all retrievals are, and recorded nowhere: it renews no recency. Of memories in the
    same words the first is returned.
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
    first: dict[str, RankedMemory] = {}
    for memory in ranked:
        words = memory.description.casefold()
        if words not in first or memory.number < first[words].number:
            first[words] = memory  # a key keeps its first place
    kept = (memory for memory in first.values() if memory.number not in besides)
    return [memory for memory, _ in zip(kept, range(CANDIDATES_MAX), strict=False)]
