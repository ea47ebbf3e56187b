"""Scores of memories: their parts, constants and bounds (M4, M6).

score = weight x scaled recency + weight x scaled importance + weight x scaled relevance,
each scaled by min-max over all memories of the agent. The more recently a memory was
retrieved, the higher its recency (M7).
"""

import math
from dataclasses import dataclass

from apps.kernel.errors import DomainError
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
    retrieved, repeated or, without either, formed; raw importance lies between 1 and 10; raw
    relevance is the cosine with the query, between -1 and 1.
    """

    recency: ScorePart
    importance: ScorePart
    relevance: ScorePart


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The agent that a retrieval asks about.

    A memory is about it if that is the subject of the memory or if the description has the
    full name. An agent's own name is in most of its memories: where it asks about itself,
    a memory is about it if its subject is no other one and the description has none of
    `other_names`, the full names of the other agents; None for another agent.
    """

    slug: str
    name: str
    other_names: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedMemory:
    """A memory with its rank, from 1, and its score (M6).

    `last_retrieved_tick` is None for a memory without a retrieval; the importance of one that
    is not `rated` is provisional; `action`, `superseded`, `times`, `last_repeated_tick` and
    `passing_on` are as in `StoredMemory`.
    """

    rank: int
    number: int
    kind: MemoryKind
    description: str
    importance: int
    rated: bool
    evidence: tuple[int, ...]
    subject: str
    origin: MemoryOrigin
    scheduled: ScheduledActivity | None
    formed_tick: int
    last_retrieved_tick: int | None
    action: str
    superseded: int | None
    score: float
    parts: Parts
    times: int = 1
    last_repeated_tick: int | None = None
    passing_on: str = ""


def ensure_usable(weights: Weights, *, decay: float, limit: int | None) -> None:
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
