"""The mean squares of a stream do not depend on the sums that a process has kept (M4)."""

import copy
import math
import random
from uuid import UUID

import pytest

from apps.memory.events import MemoryKind
from apps.memory.mean_squares import BLOCK_SIZE, mean_squares
from apps.memory.models import MemoryRow
from tests.integration.memory.streams import Stream

pytestmark = pytest.mark.django_db

MEMORIES = 2 * BLOCK_SIZE + 40  # two complete blocks, and the beginning of a third


def written(seed: int = 7, simulation_id: UUID | None = None) -> Stream:
    """Write a stream with a memory in each tick, all but the first as rows alone."""
    stream = Stream(simulation_id)
    drawn = random.Random(seed)
    stream.remember(1, (drawn.random(), drawn.random() / 10))
    [first] = MemoryRow.objects.filter(simulation_id=stream.simulation_id)
    rows = [copy.copy(first) for _ in range(1, MEMORIES)]
    for number, row in enumerate(rows, start=2):
        row.pk, row.number, row.formed_tick = None, number, number
        row.kind = MemoryKind.PLAN if number % 3 == 0 else MemoryKind.OBSERVATION
        row.embedding = [drawn.random(), drawn.random() / 10]
    MemoryRow.objects.bulk_create(rows)
    return stream


def means(stream: Stream, tick: int, *kinds: MemoryKind) -> list[float]:
    """Return the mean squares of a stream."""
    return mean_squares(
        stream.simulation_id, stream.agent, as_of_tick=tick, kinds=kinds or None
    )


def defined(stream: Stream, tick: int, *kinds: MemoryKind) -> list[float]:
    """Return what they are by definition."""
    rows = MemoryRow.objects.filter(
        simulation_id=stream.simulation_id, formed_tick__lte=tick, kind__in=kinds or MemoryKind
    )
    vectors = list(rows.values_list("embedding", flat=True))
    return [
        math.fsum(one * one for one in number) / len(vectors)
        for number in zip(*vectors, strict=True)
    ]


class TestMeanSquares:
    def test_do_not_depend_on_what_was_read_before(self) -> None:
        # One is read while it grows, at the ends of blocks too; the other at its end only.
        followed, read_once = written(), written()
        ticks = [1, BLOCK_SIZE - 1, BLOCK_SIZE, BLOCK_SIZE + 1, 2 * BLOCK_SIZE, MEMORIES]
        for tick in ticks:
            assert means(followed, tick) == pytest.approx(defined(followed, tick), rel=1e-6)
        assert means(read_once, MEMORIES) == means(followed, MEMORIES)
        # A past moment does not have what came later, which the process has kept.
        for tick in reversed(ticks):
            assert means(read_once, tick) == means(followed, tick)
            assert means(read_once, tick) == pytest.approx(defined(followed, tick), rel=1e-6)

    def test_are_those_of_the_kinds(self) -> None:
        stream = written()
        assert means(stream, MEMORIES) == pytest.approx(defined(stream, MEMORIES), rel=1e-6)
        plans = means(stream, MEMORIES, MemoryKind.PLAN)
        assert plans == pytest.approx(defined(stream, MEMORIES, MemoryKind.PLAN), rel=1e-6)
        assert plans != pytest.approx(means(stream, MEMORIES), rel=1e-3)
        assert means(stream, MEMORIES, MemoryKind.REFLECTION) == []

    def test_are_those_of_another_history_of_the_same_id(self) -> None:
        # An archive is imported again after a deletion, and goes on in another way.
        first = written()
        before = means(first, MEMORIES)
        MemoryRow.objects.filter(simulation_id=first.simulation_id).delete()
        again = written(seed=8, simulation_id=first.simulation_id)
        assert means(again, MEMORIES) == means(written(seed=8), MEMORIES) != before
