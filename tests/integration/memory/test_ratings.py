"""Importance that is rated after a memory was formed, as of any tick (M3, ADR 30)."""

from dataclasses import replace

import pytest

from apps.memory import importance_queries, queries
from apps.memory.events import MemoriesRated, MemoriesRetrieved, MemoryKind, MemoryOrigin
from apps.memory.items import UnratedMemory
from apps.memory.llm_tasks.importance import Importances
from apps.memory.models import MemoryRow
from apps.memory.queries import MemoryOrder
from apps.memory.retrieval_query import retrieve
from apps.memory.retrieval_session import RetrievalSession
from apps.memory.rules import UNRATED_IMPORTANCE
from tests.integration.memory.streams import CALENDAR, Stream
from tests.integration.memory.test_recollection import SETTINGS, TwoDimensions
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory
from tests.support.turns import identity

pytestmark = pytest.mark.django_db

SEED, TOLD, SEEN = 1, 2, 3
TURN = 60


def a_stream() -> Stream:
    """Return a stream with a seed, and two memories of tick 50 that are not rated."""
    stream = Stream()
    stream.remember(0, (1, 0), importance=5)
    stream.remember(50, (1, 0), description="the mill is sold", perceived=True, rated=False)
    stream.remember(50, (1, 0), description="the oven is hot", perceived=True, rated=False)
    return stream


def session(stream: Stream, model: ScriptedModel) -> RetrievalSession:
    return RetrievalSession(
        simulation_id=stream.simulation_id,
        agent=stream.agent,
        as_of_tick=TURN - 1,
        llm=agent_llm_in_memory(model, embedding=TwoDimensions()),
        settings=SETTINGS,
        calendar=CALENDAR,
        identity=replace(identity(), slug=stream.agent),
        unrated=[
            UnratedMemory(
                number=number,
                kind=MemoryKind.OBSERVATION,
                origin=MemoryOrigin.UTTERANCE,
                description=stream.memories[number - 1].description,
                perceived=True,
            )
            for number in (TOLD, SEEN)
        ],
    )


def rates() -> ScriptedModel:
    return ScriptedModel({"memory.importance": Importances(importances=(9, 2))})


def importances(stream: Stream, tick: int) -> dict[int, tuple[int, bool]]:
    rows = queries.list_memories(stream.simulation_id, stream.agent, as_of_tick=tick)
    return {row.number: (row.importance, row.rated) for row in rows}


class TestFirstRetrieval:
    def test_rates_what_is_unrated_in_one_call_and_ranks_by_it(self) -> None:
        stream, model = a_stream(), rates()
        reader = session(stream, model)
        first = reader.retrieve("news", "test")
        second = reader.retrieve("news", "test")
        assert [one.task_name for one in model.asked] == ["memory.importance"]
        assert {one.number: one.importance for one in first} == {SEED: 5, TOLD: 9, SEEN: 2}
        assert all(one.rated for one in first)
        assert first == second

    def test_records_the_ratings_before_the_retrievals_with_their_call(self) -> None:
        reader = session(a_stream(), rates())
        reader.retrieve("news", "test")
        rated, retrieved = reader.events()
        assert rated.event == MemoriesRated(numbers=(TOLD, SEEN), importances=(9, 2))
        [call] = rated.model_calls
        assert "/memory.importance/" in call
        assert isinstance(retrieved.event, MemoriesRetrieved)
        assert reader.llm.take_calls() == (), "the call belongs to the rating alone"

    def test_is_found_again_from_the_log(self) -> None:
        stream = a_stream()
        reader = session(stream, rates())
        ranked = reader.retrieve("news", "test")
        for new in reader.events():
            stream.apply(TURN, new.event)
        found = retrieve(
            stream.simulation_id,
            stream.agent,
            [1.0, 0.0],
            as_of_tick=TURN - 1,
            rated_by_tick=TURN,
            tick_seconds=SETTINGS.tick_seconds,
            weights=SETTINGS.weights,
        )
        assert found == ranked

    def test_of_the_latest_memories_has_their_ratings_too(self) -> None:
        latest = session(a_stream(), rates()).recent(count=2)
        assert [(one.number, one.importance) for one in latest] == [(SEEN, 2), (TOLD, 9)]


class TestReads:
    def test_are_as_of_their_tick(self) -> None:
        stream = a_stream()
        stream.apply(TURN, MemoriesRated(numbers=(TOLD, SEEN), importances=(9, 2)))
        open_one = (UNRATED_IMPORTANCE, False)
        assert importances(stream, TURN - 1) == {
            SEED: (5, True),
            TOLD: open_one,
            SEEN: open_one,
        }
        assert importances(stream, TURN) == {SEED: (5, True), TOLD: (9, True), SEEN: (2, True)}

    def test_sort_by_the_importance_of_their_tick(self) -> None:
        stream = a_stream()
        stream.apply(TURN, MemoriesRated(numbers=(TOLD, SEEN), importances=(9, 2)))
        orders = {
            tick: [
                row.number
                for row in queries.list_memories(
                    stream.simulation_id,
                    stream.agent,
                    as_of_tick=tick,
                    order=MemoryOrder.MOST_IMPORTANT,
                )
            ]
            for tick in (TURN - 1, TURN)
        }
        assert orders == {TURN - 1: [SEED, SEEN, TOLD], TURN: [TOLD, SEED, SEEN]}

    def test_of_the_sum_for_a_reflection_say_what_is_open(self) -> None:
        stream = a_stream()
        stream.apply(TURN, MemoriesRated(numbers=(TOLD, SEEN), importances=(9, 2)))
        for tick, rated, most in ((TURN - 1, 0, 20), (TURN, 11, 11)):
            found = importance_queries.importance_since(
                stream.simulation_id, stream.agent, after_tick=-1, as_of_tick=tick
            )
            assert (found.rated, found.most) == (rated, most)


def test_a_rating_is_given_once() -> None:
    stream = a_stream()
    stream.apply(TURN, MemoriesRated(numbers=(TOLD,), importances=(9,)))
    stream.apply(TURN + 1, MemoriesRated(numbers=(TOLD,), importances=(1,)))
    [row] = MemoryRow.objects.filter(simulation_id=stream.simulation_id, number=TOLD)
    assert (row.rating, row.rated_tick) == (9, TURN)


def test_the_anchors_of_a_rating_are_the_agents_first_memories_of_their_importance() -> None:
    stream = Stream()
    for importance in (3, 8, 2, 9, 5, 2):
        stream.remember(0, (1, 0), description=f"rated {importance}", importance=importance)
    stream.remember(1, (1, 0), description="not rated", rated=False)

    def anchors(tick: int) -> list[tuple[int, str]]:
        found = importance_queries.rated_examples(
            stream.simulation_id, stream.agent, as_of_tick=tick
        )
        return [(one.importance, one.description) for one in found]

    assert anchors(TURN) == [(2, "rated 2"), (5, "rated 5"), (8, "rated 8")]
    assert anchors(-1) == []
