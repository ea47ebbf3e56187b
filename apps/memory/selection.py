"""The choice among ranked memories: about an agent first, near-duplicates once (ADR 44)."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from math import ceil

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.retrieval import RankedMemory, Subject
from apps.memory.retrieval_settings import RetrievalSettings
from apps.memory.rules import (
    CANDIDATES_MAX,
    CONDENSED_IMPORTANCE_MAX,
    CONDENSED_RELEVANCE_MIN,
    STATEMENT_RELEVANCE_MIN,
)

# The share of common words from which on two descriptions say the same.
NEAR_DUPLICATE_SIMILARITY = 0.8

_WORD = re.compile(r"[^\W_]+")


def without_condensed(
    memories: Iterable[RankedMemory], condensed_tick: int
) -> list[RankedMemory]:
    """Return the memories without those of little importance that were condensed by the tick.

    A memory that is relevant to the query stays (CONDENSED_RELEVANCE_MIN).
    """
    return [
        one
        for one in memories
        if max(one.formed_tick, one.last_repeated_tick or 0) > condensed_tick
        or one.importance > CONDENSED_IMPORTANCE_MAX
        or one.kind == MemoryKind.REFLECTION
        or one.origin == MemoryOrigin.DESCRIPTION
        or one.parts.relevance.scaled >= CONDENSED_RELEVANCE_MIN
    ]


def without_distant_statements(memories: Iterable[RankedMemory]) -> list[RankedMemory]:
    """Return the memories without the phrases of the description that are not relevant.

    They are of great importance, so that they would fill the window of each query.
    """
    return [
        one
        for one in memories
        if one.origin != MemoryOrigin.DESCRIPTION
        or one.parts.relevance.scaled >= STATEMENT_RELEVANCE_MIN
    ]


def without_near_duplicates(memories: Iterable[RankedMemory]) -> list[RankedMemory]:
    """Return the memories without those that say the same as an earlier one in the order."""
    kept: list[RankedMemory] = []
    words_kept: list[frozenset[str]] = []
    for memory in memories:
        words = _words(memory.description)
        if any(_similarity(words, other) >= NEAR_DUPLICATE_SIMILARITY for other in words_kept):
            continue
        kept.append(memory)
        words_kept.append(words)
    return kept


def combined(
    first: Iterable[RankedMemory], others: Iterable[RankedMemory]
) -> list[RankedMemory]:
    """Return the memories of both, each once, in this order."""
    return list({memory.number: memory for memory in (*first, *others)}.values())


def chosen(
    rank: Callable[..., list[RankedMemory]],
    *,
    settings: RetrievalSettings,
    limit: int,
    subject: Subject | None = None,
) -> list[RankedMemory]:
    """Return at most `limit` memories as the settings choose them, with new ranks from 1.

    `rank` returns a ranking; it takes a `limit` and a `subject`, as `retrieve` does.
    """
    is_once = settings.near_duplicates == "once"
    ranked = rank(limit=max(limit, CANDIDATES_MAX) if is_once else limit)
    if subject is not None and settings.subject_share > 0:
        share = ceil(limit * settings.subject_share)
        ranked = combined(rank(limit=share, subject=subject), ranked)
    if is_once:
        ranked = without_near_duplicates(ranked)
    return [replace(memory, rank=place) for place, memory in enumerate(ranked[:limit], start=1)]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _similarity(words: frozenset[str], others: frozenset[str]) -> float:
    """Return the Jaccard index of two sets of words; 1 if both are empty."""
    union = words | others
    return len(words & others) / len(union) if union else 1.0
