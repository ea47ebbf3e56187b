"""The ranking of memories in plain Python, to which tests hold the SQL statement (M4)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from apps.kernel.game_time import SECONDS_PER_HOUR
from apps.memory.events import Weights
from apps.memory.retrieval import (
    DEGENERATE_SCALE,
    RECENCY_DECAY_DEFAULT,
    RELEVANCE_DECIMALS,
    SCORE_DECIMALS,
    Parts,
    ScorePart,
    hours_until_forgotten,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory to be scored; `relevance` is the cosine, not rounded."""

    number: int
    importance: int
    formed_tick: int
    last_retrieved_tick: int | None
    relevance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The rank and score of a candidate."""

    rank: int
    number: int
    score: float
    parts: Parts


def recency(*, ticks: int, tick_seconds: int, decay: float) -> float:
    """Return decay ^ game hours of the ticks (M4)."""
    hours = ticks * tick_seconds / SECONDS_PER_HOUR
    return 0.0 if hours > hours_until_forgotten(decay) else decay**hours


def relevance(memory: Sequence[float], query: Sequence[float]) -> float:
    """Return the cosine of two vectors; 0 if the length of either is 0 (M4)."""
    lengths = math.sqrt(sum(value * value for value in memory)) * math.sqrt(
        sum(value * value for value in query)
    )
    if lengths == 0:
        return 0.0
    return sum(a * b for a, b in zip(memory, query, strict=True)) / lengths


def rounded(value: float, decimals: int) -> float:
    """Return the rounded value, by the same arithmetic as the database."""
    factor = 10.0**decimals
    return round(value * factor) / factor


def scale(raw: Sequence[float]) -> list[float]:
    """Return the values scaled to [0, 1] by min-max; DEGENERATE_SCALE if all are equal."""
    low, high = min(raw), max(raw)
    if low == high:
        return [DEGENERATE_SCALE] * len(raw)
    return [(value - low) / (high - low) for value in raw]


def rank(
    candidates: Sequence[Candidate],
    *,
    as_of_tick: int,
    tick_seconds: int,
    weights: Weights,
    decay: float = RECENCY_DECAY_DEFAULT,
) -> list[Scored]:
    """Return all candidates by score, the best first, ties by the newest (M4).

    `candidates` are all memories of the agent as of the tick: scaling is over them.
    """
    if not candidates:
        return []
    recencies = [
        recency(
            ticks=as_of_tick - _last_tick(candidate), tick_seconds=tick_seconds, decay=decay
        )
        for candidate in candidates
    ]
    importances = [float(candidate.importance) for candidate in candidates]
    relevances = [rounded(candidate.relevance, RELEVANCE_DECIMALS) for candidate in candidates]
    parts = [
        Parts(recency=of_recency, importance=of_importance, relevance=of_relevance)
        for of_recency, of_importance, of_relevance in zip(
            _parts(recencies, weights.recency),
            _parts(importances, weights.importance),
            _parts(relevances, weights.relevance),
            strict=True,
        )
    ]
    scored = [
        (rounded(_score(part), SCORE_DECIMALS), candidate.number, part)
        for candidate, part in zip(candidates, parts, strict=True)
    ]
    scored.sort(key=lambda item: item[:2], reverse=True)
    return [
        Scored(rank=place, number=number, score=score, parts=part)
        for place, (score, number, part) in enumerate(scored, start=1)
    ]


def _last_tick(candidate: Candidate) -> int:
    if candidate.last_retrieved_tick is None:
        return candidate.formed_tick
    return candidate.last_retrieved_tick


def _parts(raw: Sequence[float], weight: float) -> list[ScorePart]:
    return [
        ScorePart(raw=value, scaled=scaled, weight=weight)
        for value, scaled in zip(raw, scale(raw), strict=True)
    ]


def _score(parts: Parts) -> float:
    return (
        parts.recency.weight * parts.recency.scaled
        + parts.importance.weight * parts.importance.scaled
        + parts.relevance.weight * parts.relevance.scaled
    )
