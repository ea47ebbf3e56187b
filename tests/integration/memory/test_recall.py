"""The one SQL query against figures worked out by hand and against the plain oracle (M4-M7)."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.llm.hashing_embedding import HashingEmbedding
from apps.memory.events import MemoryKind, Weights
from apps.memory.retrieval import RankedMemory, UnusableWeights
from apps.memory.retrieval_query import retrieve
from tests.integration.memory.streams import Stream
from tests.support.retrieval_oracle import Candidate, Scored, rank, relevance

pytestmark = pytest.mark.django_db

QUERY = (1.0, 0.0)
TICK_SECONDS = 10
HOUR = 360  # in ticks


def the_three() -> Stream:
    """Write the stream of the table in tests/unit/memory/test_retrieval.py."""
    stream = Stream()
    stream.remember(0, (0, 1), importance=2)  # cosine with the query: 0
    third = stream.remember(0, (3, 4), importance=6)  # 3 / 5 = 0.6
    stream.remember(HOUR, (1, 0), importance=10)  # 1
    stream.retrieve(2 * HOUR, [1])
    assert third == 2
    return stream


class TestRecall:
    def test_scores_the_worked_example(self) -> None:
        stream = the_three()
        ranked = retrieve(
            stream.simulation_id,
            stream.agent,
            QUERY,
            as_of_tick=2 * HOUR,
            tick_seconds=TICK_SECONDS,
            decay=0.5,
        )
        # See the unit test's table; 2 and 3 have changed places, since numbers follow time.
        assert [(memory.rank, memory.number, memory.score) for memory in ranked] == [
            (1, 3, 2.333333333),
            (2, 2, 1.1),
            (3, 1, 1.0),
        ]
        assert [memory.last_retrieved_tick for memory in ranked] == [None, None, 2 * HOUR]

    @pytest.mark.parametrize("kinds", [[MemoryKind.OBSERVATION], [MemoryKind.PLAN], []])
    def test_of_some_kinds_is_as_though_there_were_no_others(
        self, kinds: list[MemoryKind]
    ) -> None:
        # What is left out is not scaled over either, nor are its retrievals counted.
        mixed, alone = Stream(), Stream()
        for number, kind in enumerate((MemoryKind.OBSERVATION, MemoryKind.PLAN) * 3, start=1):
            vector = (number, 7 - number)
            mixed.remember(number * HOUR, vector, importance=number, kind=kind)
            if kind in kinds:
                alone.remember(number * HOUR, vector, importance=number, kind=kind)
        mixed.retrieve(7 * HOUR, [1, 2])
        if kinds:
            alone.retrieve(7 * HOUR, [1])

        def scores(stream: Stream, kinds: list[MemoryKind] | None) -> list[tuple[int, float]]:
            ranked = retrieve(
                stream.simulation_id,
                stream.agent,
                QUERY,
                as_of_tick=8 * HOUR,
                tick_seconds=TICK_SECONDS,
                kinds=kinds,
            )
            assert all(kinds is None or memory.kind in kinds for memory in ranked)
            return [(memory.importance, memory.score) for memory in ranked]

        if kinds == [MemoryKind.OBSERVATION]:
            assert scores(mixed, kinds) == scores(alone, None)
        assert len(scores(mixed, kinds)) == 3 * len(kinds)

    def test_scores_the_worked_example_with_other_weights(self) -> None:
        stream = the_three()
        ranked = retrieve(
            stream.simulation_id,
            stream.agent,
            QUERY,
            as_of_tick=2 * HOUR,
            tick_seconds=TICK_SECONDS,
            weights=Weights(recency=2, importance=1, relevance=0.5),
            decay=0.5,
        )
        assert [(memory.number, memory.score) for memory in ranked] == [
            (3, 2.166666667),
            (1, 2.0),
            (2, 0.8),
        ]
        parts = ranked[0].parts
        assert (parts.recency.raw, parts.importance.raw, parts.relevance.raw) == (0.5, 10, 1)
        assert parts.recency.scaled == pytest.approx(1 / 3)

    def test_ranks_the_more_recently_retrieved_higher(self) -> None:
        # M7: the released code has recency the wrong way round.
        stream = Stream()
        for _ in range(3):
            stream.remember(0, (1, 0), description="it rains")
        stream.retrieve(HOUR, [2])
        stream.retrieve(2 * HOUR, [1])
        ranked = recalled(stream, as_of_tick=3 * HOUR)
        assert [memory.number for memory in ranked] == [1, 2, 3]
        recencies = [memory.parts.recency.raw for memory in ranked]
        assert recencies == pytest.approx([0.995, 0.995**2, 0.995**3])

    def test_does_not_see_later_retrievals_and_memories(self) -> None:
        stream = the_three()
        before = recalled(stream, as_of_tick=2 * HOUR)
        stream.remember(2 * HOUR + 1, (1, 0), importance=10)
        stream.retrieve(2 * HOUR + 1, [1, 2, 3])
        stream.retrieve(2 * HOUR + 9, [3, 4])
        assert recalled(stream, as_of_tick=2 * HOUR) == before
        assert len(recalled(stream, as_of_tick=2 * HOUR + 1)) == 4

    def test_scales_over_all_memories_whatever_the_limit(self) -> None:
        stream = the_three()
        assert recalled(stream, limit=1) == recalled(stream)[:1]

    def test_counts_a_vector_of_no_length_as_irrelevant(self) -> None:
        stream = Stream()
        stream.remember(0, (0, 0), importance=5)
        stream.remember(0, (-1, 0), importance=5)
        assert {memory.number: memory.parts.relevance.raw for memory in recalled(stream)} == {
            1: 0,
            2: -1,
        }

    def test_scales_to_the_named_constant_where_the_query_has_no_length(self) -> None:
        stream = the_three()
        ranked = retrieve(
            stream.simulation_id,
            stream.agent,
            (0, 0),
            as_of_tick=0,
            tick_seconds=TICK_SECONDS,
        )
        assert {memory.parts.relevance.scaled for memory in ranked} == {0.5}

    def test_measures_the_cosine_of_real_vectors(self) -> None:
        sentences = ["Maria Lopez studies physics", "physics is hard", "the stove is idle"]
        *vectors, query = HashingEmbedding().embed([*sentences, "is physics hard"])
        stream = Stream()
        for sentence, vector in zip(sentences, vectors, strict=True):
            stream.remember(0, vector, description=sentence)
        ranked = retrieve(
            stream.simulation_id, stream.agent, query, as_of_tick=0, tick_seconds=TICK_SECONDS
        )
        assert [memory.number for memory in ranked] == [2, 1, 3]
        for memory in ranked:
            # Half precision keeps eleven bits of each of the 384 numbers.
            expected = relevance(vectors[memory.number - 1], query)
            assert memory.parts.relevance.raw == pytest.approx(expected, abs=1e-3)

    def test_survives_a_decay_that_leaves_nothing(self) -> None:
        stream = the_three()
        ranked = retrieve(
            stream.simulation_id,
            stream.agent,
            QUERY,
            as_of_tick=10**9,
            tick_seconds=TICK_SECONDS,
            decay=5e-324,
        )
        assert {memory.parts.recency.raw for memory in ranked} == {0}

    def test_is_one_statement_that_leaves_vectors_where_they_are(self) -> None:
        stream = the_three()
        with CaptureQueriesContext(
            connection,
        ) as captured:
            recalled(stream)
        assert len(captured) == 1
        assert "memory.embedding," not in captured[0]["sql"]

    def test_takes_no_longer_where_the_planner_knows_nothing_of_the_rows(self) -> None:
        """Nothing meets every memory with every other: a minute, at 20,000 of them."""
        stream, memories = Stream(), 60
        for number in range(1, memories + 1):
            stream.remember(0, (number, 1))
            stream.retrieve(number, [number, 1])
        with CaptureQueriesContext(connection) as captured:
            recalled(stream, limit=3)
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {captured[0]['sql']}")
            [[explained]] = cursor.fetchall()
        plan = explained if isinstance(explained, list) else json.loads(explained)
        assert max(rows_met(plan[0]["Plan"])) <= 2 * memories

    def test_finds_nothing_where_nobody_remembers(self) -> None:
        assert recalled(Stream()) == []

    def test_keeps_people_and_simulations_apart(self) -> None:
        maria = the_three()
        klaus = Stream(maria.simulation_id, "klaus-mueller")
        klaus.remember(0, (1, 0), description="a thought of Klaus's")
        klaus.retrieve(5, [1])
        elsewhere = Stream(agent=maria.agent)
        elsewhere.remember(0, (1, 0), description="a thought in another town")
        assert [memory.description for memory in recalled(klaus)] == ["a thought of Klaus's"]
        assert len(recalled(maria)) == 3
        assert len(recalled(elsewhere)) == 1

    def test_refuses_weights_that_cannot_be(self) -> None:
        with pytest.raises(UnusableWeights):
            retrieve(
                Stream().simulation_id,
                "maria-lopez",
                QUERY,
                as_of_tick=0,
                tick_seconds=10,
                weights=Weights(recency=-1),
            )

    @pytest.mark.parametrize("seed", range(20))
    def test_agrees_with_the_oracle(self, seed: int) -> None:
        """Random streams with retrievals, ties, empty vectors and flat ranges, at any tick."""
        chance = random.Random(seed)
        stream = random_stream(chance)
        for _ in range(4):
            as_of_tick = chance.randrange(0, 3_000)
            query = random_vector(chance)
            weights = Weights(
                recency=chance.choice((0, 1, 0.5)),
                importance=chance.choice((0, 1, 3)),
                relevance=chance.choice((0, 1, 2)),
            )
            decay = chance.choice((0.995, 0.5, 1.0))
            ranked = retrieve(
                stream.simulation_id,
                stream.agent,
                query,
                as_of_tick=as_of_tick,
                tick_seconds=TICK_SECONDS,
                weights=weights,
                decay=decay,
            )
            expected = rank(
                candidates(stream, as_of_tick, query),
                as_of_tick=as_of_tick,
                tick_seconds=TICK_SECONDS,
                weights=weights,
                decay=decay,
            )
            found = [
                Scored(rank=it.rank, number=it.number, score=it.score, parts=it.parts)
                for it in ranked
            ]
            assert_same(found, expected)


def recalled(
    stream: Stream, *, as_of_tick: int = 2 * HOUR, limit: int | None = None
) -> list[RankedMemory]:
    return retrieve(
        stream.simulation_id,
        stream.agent,
        QUERY,
        as_of_tick=as_of_tick,
        tick_seconds=TICK_SECONDS,
        limit=limit,
    )


def rows_met(node: dict[str, Any]) -> Iterator[float]:
    """Yield how many rows each part of a plan gave, over all the times it was run."""
    yield node["Actual Loops"] * node["Actual Rows"]
    for part in node.get("Plans", []):
        yield from rows_met(part)


def random_vector(chance: random.Random) -> tuple[float, ...]:
    # Whole numbers, so that half precision holds them; often alike, and at times of no length.
    return tuple(chance.choice((0, 0, 1, -2, 3)) for _ in range(4))


def random_stream(chance: random.Random) -> Stream:
    stream = Stream()
    flat_importance = chance.random() < 0.2
    tick = 0
    for _ in range(chance.randrange(1, 25)):
        for _ in range(chance.randrange(1, 4)):
            stream.remember(
                tick,
                random_vector(chance),
                importance=5 if flat_importance else chance.randint(1, 10),
                kind=chance.choice(list(MemoryKind)),
            )
        for _ in range(chance.randrange(0, 3)):
            known = len(stream.memories)
            stream.retrieve(tick, chance.sample(range(1, known + 1), min(known, 5)))
        tick += chance.choice((0, 1, 7, 360))
    return stream


def candidates(stream: Stream, as_of_tick: int, query: tuple[float, ...]) -> list[Candidate]:
    vectors = {
        memory.number: [
            float(part) for part in memory.description.split("[")[1].split("]")[0].split(",")
        ]
        for memory in stream.memories
    }
    return [
        Candidate(
            number=memory.number,
            importance=memory.importance,
            formed_tick=stream.formed_ticks[memory.number],
            last_retrieved_tick=stream.last_retrieved(memory.number, as_of_tick),
            relevance=relevance(vectors[memory.number], query),
        )
        for memory in stream.memories
        if stream.formed_ticks[memory.number] <= as_of_tick
    ]


def assert_same(found: list[Scored], expected: list[Scored]) -> None:
    assert [it.number for it in found] == [it.number for it in expected]
    for mine, theirs in zip(found, expected, strict=True):
        assert mine.rank == theirs.rank
        assert mine.score == pytest.approx(theirs.score, abs=2e-9)
        for name in ("recency", "importance", "relevance"):
            ours, other = getattr(mine.parts, name), getattr(theirs.parts, name)
            assert ours.raw == pytest.approx(other.raw, abs=1e-12)
            assert ours.scaled == pytest.approx(other.scaled, abs=1e-12)
            assert ours.weight == other.weight
