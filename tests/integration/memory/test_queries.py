"""What can be asked of memory streams, as of any tick."""

from typing import Any

import pytest

from apps.memory import importance_queries, queries
from apps.memory.events import MemoryKind
from apps.memory.queries import MemoryOrder
from tests.integration.memory.streams import Stream

pytestmark = pytest.mark.django_db

LAST_TICK = 100


def a_life() -> Stream:
    stream = Stream()
    stream.remember(0, (1, 0), kind=MemoryKind.OBSERVATION, importance=3)
    stream.remember(0, (1, 0), kind=MemoryKind.PLAN, importance=8)
    stream.remember(10, (1, 0), kind=MemoryKind.DIALOGUE, importance=5, perceived=True)
    stream.remember(20, (1, 0), kind=MemoryKind.OBSERVATION, importance=8, perceived=True)
    stream.remember(30, (1, 0), kind=MemoryKind.REFLECTION, importance=9)
    stream.retrieve(25, [2, 3])
    stream.retrieve(40, [3, 1])
    return stream


def listed(stream: Stream, as_of_tick: int = LAST_TICK, **asked: Any) -> list[int]:
    memories = queries.list_memories(
        stream.simulation_id, stream.agent, as_of_tick=as_of_tick, **asked
    )
    return [memory.number for memory in memories]


class TestListMemories:
    @pytest.mark.parametrize(
        ("order", "numbers"),
        [
            (MemoryOrder.NEWEST, [5, 4, 3, 2, 1]),
            (MemoryOrder.OLDEST, [1, 2, 3, 4, 5]),
            (MemoryOrder.MOST_IMPORTANT, [5, 4, 2, 3, 1]),
            (MemoryOrder.LEAST_IMPORTANT, [1, 3, 2, 4, 5]),
            (MemoryOrder.LATEST_RETRIEVED, [3, 1, 2, 5, 4]),
            (MemoryOrder.EARLIEST_RETRIEVED, [4, 5, 2, 1, 3]),
        ],
    )
    def test_keeps_its_order_from_page_to_page(
        self, order: MemoryOrder, numbers: list[int]
    ) -> None:
        stream = a_life()
        assert listed(stream, order=order) == numbers
        for place, number in enumerate(numbers, start=1):
            assert listed(stream, order=order, after=number) == numbers[place:]

    def test_keeps_to_kinds_and_times(self) -> None:
        stream = a_life()
        assert listed(stream, kinds=[MemoryKind.OBSERVATION]) == [4, 1]
        assert listed(stream, kinds=[MemoryKind.PLAN, MemoryKind.DIALOGUE]) == [3, 2]
        assert listed(stream, from_tick=10, to_tick=30) == [4, 3]

    def test_pages_through_a_filtered_list(self) -> None:
        stream = a_life()
        asked: dict[str, Any] = {
            "kinds": [MemoryKind.OBSERVATION],
            "order": MemoryOrder.MOST_IMPORTANT,
        }
        assert listed(stream, **asked) == [4, 1]
        assert listed(stream, after=4, **asked) == [1]

    def test_says_when_each_was_last_retrieved_as_of_then(self) -> None:
        stream = a_life()

        def retrieved(as_of_tick: int) -> dict[int, int | None]:
            memories = queries.list_memories(
                stream.simulation_id, stream.agent, as_of_tick=as_of_tick
            )
            return {memory.number: memory.last_retrieved_tick for memory in memories}

        assert retrieved(24) == {4: None, 3: None, 2: None, 1: None}
        assert retrieved(25) == {4: None, 3: 25, 2: 25, 1: None}
        assert retrieved(40) == {5: None, 4: None, 3: 40, 2: 25, 1: 40}

    def test_does_not_fetch_vectors(self) -> None:
        stream = a_life()
        memories = queries.list_memories(stream.simulation_id, stream.agent, as_of_tick=0)
        assert "embedding" not in str(memories.query)


class TestMemory:
    def test_is_found_by_number(self) -> None:
        stream = a_life()
        row = queries.memory(stream.simulation_id, stream.agent, 3, as_of_tick=30)
        assert (row.number, row.last_retrieved_tick) == (3, 25)

    @pytest.mark.parametrize("number", [0, 5, 99])
    def test_is_unknown_before_it_is_formed(self, number: int) -> None:
        stream = a_life()
        with pytest.raises(queries.MemoryUnknown, match="has no memory"):
            queries.memory(stream.simulation_id, stream.agent, number, as_of_tick=29)


class TestRecent:
    def test_gives_the_newest_first(self) -> None:
        stream = a_life()
        memories = queries.recent(stream.simulation_id, stream.agent, as_of_tick=29, count=2)
        assert [memory.number for memory in memories] == [4, 3]


class TestImportanceSince:
    @pytest.mark.parametrize(
        ("after_tick", "as_of_tick", "total"),
        [(0, 100, 13), (10, 100, 8), (0, 10, 5), (30, 90, 0)],
    )
    def test_counts_what_was_perceived_in_between(
        self, after_tick: int, as_of_tick: int, total: int
    ) -> None:
        stream = a_life()
        found = importance_queries.importance_since(
            stream.simulation_id, stream.agent, after_tick=after_tick, as_of_tick=as_of_tick
        )
        assert (found.rated, found.unrated_count) == (total, 0)
