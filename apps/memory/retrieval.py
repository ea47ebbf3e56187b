"""The scores of memories in plain Python: the definition of the SQL statement (M4).

score = weight x scaled recency + weight x scaled importance + weight x scaled relevance,
each scaled by min-max over all memories of the agent. The more recently a memory was
retrieved, the higher its recency (M7).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from apps.kernel.errors import DomainError
from apps.kernel.game_time import SECONDS_PER_HOUR
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity, Weights

# The paper's decay per game hour.
RECENCY_DECAY_DEFAULT = 0.995

# The scaled value of a part that is equal for all memories.
DEGENERATE_SCALE = 0.5

# Processors may sum the products of a cosine in different orders, and libraries may round a
# power differently. Rounding before sorting keeps such differences out of the history (V2).
RELEVANCE_DECIMALS = 6
SCORE_DECIMALS = 9

# A weight is 0 or between these, and recency is 0 below e^-300: within the range of the
# database, beyond any difference that matters.
WEIGHT_MIN = 1e-6
WEIGHT_MAX = 1e6
_RECENCY_EXPONENT_MAX = 300.0


class UnusableWeights(DomainError):
    """A weight, the decay or the limit of a retrieval is out of its bounds."""

    code: ClassVar[str] = "unusable-weights"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePart:
    """One of the three parts of a score (M6).

    `raw` is as measured, `scaled` in [0, 1] over all memories of the agent, `weight` the
    factor of the scaled value.
    """

    raw: float
    scaled: float
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The three parts of a score.

    Raw recency is the decay to the power of the game hours since the memory was last
    retrieved, or formed if it never was; raw importance lies between 1 and 10; raw
    relevance is the cosine with the query, between -1 and 1.
    """

    recency: ScorePart
    importance: ScorePart
    relevance: ScorePart


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedMemory:
    """A memory with its rank, from 1, and its score (M6).

    `last_retrieved_tick` is None for a memory without a retrieval.
    """

    rank: int
    number: int
    kind: MemoryKind
    description: str
    importance: int
    evidence: tuple[int, ...]
    subject: str
    origin: MemoryOrigin
    scheduled: ScheduledActivity | None
    formed_tick: int
    last_retrieved_tick: int | None
    score: float
    parts: Parts


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


def refuse_unusable(weights: Weights, *, decay: float, limit: int | None) -> None:
    """Check weights, decay and limit.

    :raises UnusableWeights: if a weight is neither 0 nor between WEIGHT_MIN and WEIGHT_MAX,
        if the decay is not in (0, 1], or if the limit is below one.
    """
    for name in ("recency", "importance", "relevance"):
        weight = getattr(weights, name)
        if weight != 0 and not WEIGHT_MIN <= weight <= WEIGHT_MAX:
            raise UnusableWeights(
                f"the weight of {name} is {weight}; give 0, or from {WEIGHT_MIN:f} to "
                f"{WEIGHT_MAX:,.0f}"
            )
    if not 0 < decay <= 1:
        raise UnusableWeights(f"the decay of recency is {decay}; give more than 0, at most 1")
    if limit is not None and limit < 1:
        raise UnusableWeights(f"the limit is {limit}; ask for at least one memory")


def hours_until_forgotten(decay: float) -> float:
    """Return the number of game hours after which recency is 0."""
    return math.inf if decay == 1 else -_RECENCY_EXPONENT_MAX / math.log(decay)


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
