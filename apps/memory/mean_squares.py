"""Mean squares of the vectors of a stream; a process keeps the sums of those it has read (M4).

Memories are only added to a stream, and their vectors do not change. The sums are taken over
blocks of BLOCK_SIZE memories in their order, so that the result does not depend on kept sums.
"""

import json
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any
from uuid import UUID

import numpy as np

from apps.lineage.statements import history_rows
from apps.memory.events import MemoryKind
from apps.memory.selection import QueryWords
from apps.memory.vector_spaces import OTHER_VECTORS, OWN_VECTORS, VectorSpace

BLOCK_SIZE = 256
"""The number of memories in a block; the first block has those with the numbers 1 to 256."""
STREAMS_KEPT_MAX = 2_000
"""A stream takes 8 bytes for each dimension: 6 MB for all at 384 dimensions."""

# OFFSET 0 keeps the inner query, so that each vector is converted once and not twice. The
# blocks are ordered by the reader: the planner would sort the vectors.
_BLOCKS = """
SELECT block, count(*), avg(full_vector * full_vector)::text, max(id) FILTER (WHERE is_end)
FROM (
    SELECT {memories}.id, (number - 1) / %(block_size)s AS block,
        mod(number, %(block_size)s) = 0 AS is_end, {vector}::vector AS full_vector
    FROM {source}
    WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s
        AND number >= %(first_number)s AND formed_tick <= %(as_of_tick)s
        AND (%(kinds)s::text[] IS NULL OR kind = ANY(%(kinds)s::text[]))
    OFFSET 0
) AS vectors
GROUP BY block
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sums:
    """The sums of the squares of the first `blocks` blocks, which have `memories` memories.

    `end_id` is the id of the row of the last memory: no other row ever has it, so that it
    stands for the stream up to there.
    """

    blocks: int = 0
    end_id: int | None = None
    memories: int = 0
    squares: np.ndarray[Any, np.dtype[np.float64]] | float = 0.0

    def with_block(self, memories: int, means: str, end_id: int | None) -> "_Sums":
        """Return the sums with those of the next block."""
        return _Sums(
            blocks=self.blocks + 1,
            end_id=end_id,
            memories=self.memories + memories,
            squares=self.squares + memories * np.array(json.loads(means), dtype=np.float64),
        )

    def means(self) -> list[float]:
        """Return the mean squares; [] without memories."""
        means: list[float] = np.atleast_1d(self.squares / max(1, self.memories)).tolist()
        return means if self.memories else []


class _KeptSums:
    """The sums of complete blocks by stream; those replaced the longest ago are removed."""

    def __init__(self) -> None:
        self._sums: dict[tuple[UUID, str], _Sums] = {}
        self._lock = Lock()

    def of(self, stream: tuple[UUID, str]) -> _Sums:
        """Return the sums of a stream."""
        return self._sums.get(stream, _Sums())

    def keep(self, stream: tuple[UUID, str], sums: _Sums) -> None:
        """Replace the sums of a stream."""
        with self._lock:
            self._sums.pop(stream, None)
            self._sums[stream] = sums
            if len(self._sums) > STREAMS_KEPT_MAX:
                del self._sums[next(iter(self._sums))]


_KEPT = _KeptSums()


def mean_squares(
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    kinds: Collection[MemoryKind] | None = None,
    space: VectorSpace | None = None,
) -> list[float]:
    """Return the mean square of each number of the agent's vectors; [] without memories.

    `space` is that of the vectors, None for the embedding model of the history.
    """
    values: dict[str, Any] = {
        "simulation_id": simulation_id,
        "agent": agent,
        "as_of_tick": as_of_tick,
        "block_size": BLOCK_SIZE,
        "kinds": None if kinds is None else [kind.value for kind in kinds],
    }
    # A vector of another model may be stored later than its memory: nothing of it is kept.
    if space is not None or kinds is not None:
        vectors = OWN_VECTORS if space is None else OTHER_VECTORS
        values |= {} if space is None else space.values_for(simulation_id)
        return _read(values, vectors, _Sums())[1].means()
    kept = _KEPT.of((simulation_id, agent))
    complete, sums = _read(values, OWN_VECTORS, kept)
    if complete.blocks >= kept.blocks and complete.end_id != kept.end_id:
        _KEPT.keep((simulation_id, agent), complete)
    return sums.means()


def _read(
    values: Mapping[str, Any], vectors: Mapping[str, str], kept: _Sums
) -> tuple[_Sums, _Sums]:
    """Return the sums of the complete blocks, and those of all memories until the tick.

    The memory that ends the kept blocks is read again. If it is another one, or later than
    the tick, the sums are taken from the beginning.
    """
    rows = history_rows(
        _BLOCKS.format(
            memories="memory_memoryrow", source=vectors["memories"], vector=vectors["vector"]
        ),
        {**values, "first_number": kept.blocks * BLOCK_SIZE},
        values["simulation_id"],
    )
    blocks = sorted(rows)
    if kept.blocks:
        if not blocks or blocks[0][-1] != kept.end_id:
            return _read(values, vectors, _Sums())
        blocks = blocks[1:]
    complete = sums = kept
    for _, memories, means, end_id in blocks:
        sums = sums.with_block(memories, means, end_id)
        if end_id is not None:
            complete = sums
    return complete, sums


# What is added to the mean square of each number, as a share of the mean of all: a number that
# no memory has must not outweigh all others.
SMOOTHING = 0.1


def query_vector(
    vector: Sequence[float], words: QueryWords, means: Callable[[], Sequence[float]]
) -> list[float]:
    """Return the vector of a query as the setting `query_words` weighs its words.

    `means` returns the mean squares of the stream, which are read only where they are needed.
    """
    return list(vector) if words == "alike" else rare_first(vector, means())


def rare_first(vector: Sequence[float], means: Sequence[float]) -> list[float]:
    """Return the vector of a query with each number divided by its usual size in the stream.

    `means` are the mean squares of the numbers, [] for none. What nearly all memories have in
    common, such as the name of the agent, counts less. The length is without meaning: a
    cosine does not depend on it.
    """
    total = math.fsum(means)
    if total == 0:
        return list(vector)
    smoothing = SMOOTHING * total / len(means)
    return [
        value / math.sqrt(mean + smoothing) for value, mean in zip(vector, means, strict=True)
    ]
