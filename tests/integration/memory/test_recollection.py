"""What comes to mind in one turn: from the stream as it was, and within the budget (M4, M5)."""

from collections.abc import Sequence

import pytest

from apps.llm.port import Embedded
from apps.memory.events import MemoriesRetrieved, Weights
from apps.memory.retrieval_session import (
    RetrievalSession,
)
from apps.memory.rules import MEMORIES_PER_PROMPT_MAX
from apps.memory.selection import RetrievalSettings
from tests.integration.memory.streams import CALENDAR, Stream
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory

pytestmark = pytest.mark.django_db

SETTINGS = RetrievalSettings(tick_seconds=10, weights=Weights(relevance=2.0))


class TwoDimensions:
    """Embeds everything as the query that the streams here are made for."""

    name = "by-hand"
    dimensions = 2
    remote = False
    server = "test"
    texts_at_once_max = 100

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] for _ in texts]

    def embed_at_once(self, texts: Sequence[str]) -> Embedded:
        return Embedded(vectors=self.embed(texts))


def retrieval(stream: Stream, *, as_of_tick: int = 50) -> RetrievalSession:
    llm = agent_llm_in_memory(ScriptedModel({}), embedding=TwoDimensions())
    return RetrievalSession(
        simulation_id=stream.simulation_id,
        agent=stream.agent,
        as_of_tick=as_of_tick,
        llm=llm,
        settings=SETTINGS,
        calendar=CALENDAR,
    )


class TestRecollection:
    def test_keeps_the_best_that_fit_the_budget(self) -> None:
        # A token is counted as four characters: ten tokens each, and six for its time.
        stream = Stream()
        for number, importance in enumerate((1, 9, 5), start=1):
            stream.remember(0, (1, 0), description=f"{number} " * 20, importance=importance)
        ranked = retrieval(stream).retrieve("what matters", "test", token_budget=35)
        assert [memory.importance for memory in ranked] == [9, 5]

    def test_keeps_nothing_where_the_best_does_not_fit(self) -> None:
        stream = Stream()
        stream.remember(0, (1, 0), description="far too long", importance=9)
        assert retrieval(stream).retrieve("what matters", "test", token_budget=2) == []

    def test_puts_a_bounded_number_into_a_prompt(self) -> None:
        stream = Stream()
        for _ in range(MEMORIES_PER_PROMPT_MAX + 5):
            stream.remember(0, (1, 0))
        ranked = retrieval(stream).retrieve("rain", "test", token_budget=100_000)
        assert len(ranked) == MEMORIES_PER_PROMPT_MAX

    def test_reads_the_stream_as_it_was_when_the_turn_began(self) -> None:
        stream = Stream()
        stream.remember(50, (1, 0), description="yesterday's news")
        stream.remember(51, (1, 0), description="formed in this very turn")
        ranked = retrieval(stream, as_of_tick=50).retrieve("news", "test")
        assert [memory.description for memory in ranked] == ["yesterday's news"]

    def test_leaves_one_event_for_each_retrieval_in_order_of_rank(self) -> None:
        stream = Stream()
        stream.remember(0, (0, 1), importance=2)
        stream.remember(0, (1, 0), importance=2)
        stream.remember(0, (1, 0), importance=9, description="long " * 200)
        mind_of_maria = retrieval(stream)
        mind_of_maria.retrieve("the\x00 first", "test.first", token_budget=1_000)
        mind_of_maria.retrieve("the second", "test.second", token_budget=100)
        assert [new.event for new in mind_of_maria.events()] == [
            MemoriesRetrieved(
                purpose="test.first",
                query="the first",
                weights=Weights(relevance=2.0),
                decay=0.995,
                numbers=(3, 2, 1),
            ),
            MemoriesRetrieved(
                purpose="test.second",
                query="the second",
                weights=Weights(relevance=2.0),
                decay=0.995,
                numbers=(),
            ),
        ]

    def test_touches_nothing_until_its_events_are_written(self) -> None:
        stream = Stream()
        stream.remember(0, (1, 0))
        mind_of_maria = retrieval(stream)
        first = mind_of_maria.retrieve("it", "test")
        assert mind_of_maria.retrieve("it", "test") == first
        for new in mind_of_maria.events():
            stream.apply(51, new.event)
        [later] = retrieval(stream, as_of_tick=51).retrieve("it", "test")
        assert first[0].last_retrieved_tick is None
        assert later.last_retrieved_tick == 51
