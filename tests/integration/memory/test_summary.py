"""A summary is made from what comes to mind, kept with its time, and rebuilt (S1, V1)."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID, uuid4

import pytest

from apps.eventlog.codec import EventRegistry
from apps.eventlog.projection import Projector
from apps.eventlog.rebuild import Order, check, rebuild
from apps.eventlog.store import EventStore, NewEvent
from apps.kernel.game_time import GameCalendar
from apps.llm.embeddings import StoredVectors
from apps.llm.hashing_embedding import HashingEmbedding
from apps.memory import events as memory_events
from apps.memory.commands import renew_summary
from apps.memory.events import MemoriesRetrieved, MemoryFormed, MemoryKind, SelfSummarised
from apps.memory.items import MemoryItem, StoredMemory, SummaryInput, memory_item
from apps.memory.llm_tasks.summaries import SUMMARIES, Summaries
from apps.memory.projections import MEMORY_STREAM, SELF_SUMMARIES
from apps.memory.queries import current_summary
from apps.memory.retrieval_session import (
    RetrievalSession,
)
from apps.memory.selection import RetrievalSettings
from tests.support.builders import identity_of
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory

pytestmark = pytest.mark.django_db

MIDNIGHT = datetime(2023, 2, 13)
CALENDAR = GameCalendar(MIDNIGHT, 10)
MORNING = datetime.fromisoformat("2023-02-13T06:00")
KLAUS = identity_of(
    "Klaus Mueller",
    20,
    ("kind", "inquisitive", "passionate"),
    "Oak Hill College Dorm: Klaus Mueller's room",
)
SEEDS = (
    "Klaus Mueller is kind",
    "Klaus Mueller studies sociology",
    "Klaus Mueller is excited about his paper",
)


def a_store() -> EventStore:
    return EventStore(
        EventRegistry(memory_events.EVENTS),
        Projector([MEMORY_STREAM, SELF_SUMMARIES]),
    )


def remember(store: EventStore, simulation_id: UUID, *descriptions: str) -> None:
    StoredVectors(HashingEmbedding()).ensure(descriptions)
    store.append(
        simulation_id=simulation_id,
        tick=0,
        stream=KLAUS.slug,
        events=[
            NewEvent(
                event=MemoryFormed(
                    number=number,
                    kind=MemoryKind.OBSERVATION,
                    description=description,
                    importance=5,
                    embedded_by="hashing-v1",
                    dimensions=384,
                )
            )
            for number, description in enumerate(descriptions, start=1)
        ],
    )


def echo(inputs: SummaryInput) -> Summaries:
    assert sorted(one.description for one in inputs.memories) == sorted(SEEDS), "each once"
    assert {one.formed_at for one in inputs.memories} == {MIDNIGHT}
    text = f"  {inputs.memories[0].description}, at {inputs.now:%H:%M}. "
    return Summaries(core=text, occupation="He studies.", feeling="He is content.")


class CountingEmbedding(HashingEmbedding):
    """Counts its requests."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[tuple[str, ...]] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if texts:
            self.requests.append(tuple(texts))
        return super().embed(texts)


def items(memories: Iterable[StoredMemory]) -> tuple[MemoryItem, ...]:
    return tuple(
        memory_item(memory, time_at=CALENDAR.time_at, name_of=lambda _: "")
        for memory in memories
    )


def renewed(
    simulation_id: UUID,
    model: ScriptedModel,
    *,
    tick: int = 10,
    embedding: HashingEmbedding | None = None,
) -> tuple[SelfSummarised, RetrievalSession]:
    llm = agent_llm_in_memory(
        model,
        tick=tick,
        stream=KLAUS.slug,
        simulation_id=simulation_id,
        embedding=embedding,
    )
    retrieval = RetrievalSession(
        simulation_id=simulation_id,
        agent=KLAUS.slug,
        as_of_tick=tick - 1,
        llm=llm,
        settings=RetrievalSettings(tick_seconds=10),
        calendar=CALENDAR,
    )
    event = renew_summary(
        llm, KLAUS, retrieval, items=items, now=MORNING, due_tick=tick + 2_160
    )
    return event, retrieval


class TestRenewSummary:
    def test_asks_three_questions_in_one_call_with_each_memory_once(self) -> None:
        store, simulation_id = a_store(), uuid4()
        remember(store, simulation_id, *SEEDS)
        model = ScriptedModel({SUMMARIES.name: echo})
        event, retrieval = renewed(simulation_id, model)
        assert [request.task_name for request in model.asked] == [SUMMARIES.name]
        assert [
            new.event.query
            for new in retrieval.events()
            if isinstance(new.event, MemoriesRetrieved)
        ] == [
            "Klaus Mueller's core characteristics",
            "Klaus Mueller's current daily occupation",
            "Klaus Mueller's feeling about their recent progress in life",
        ]
        assert event.core.endswith(", at 06:00.")
        assert event.text.splitlines() == [
            "Name: Klaus Mueller (age: 20)",
            "Innate traits: kind, inquisitive, passionate",
            event.core,
            event.occupation,
            event.feeling,
        ]
        assert event.due_tick == 2_170

    def test_embeds_its_queries_in_one_request(self) -> None:
        store, simulation_id = a_store(), uuid4()
        remember(store, simulation_id, *SEEDS)
        embedding = CountingEmbedding()
        renewed(simulation_id, ScriptedModel({SUMMARIES.name: echo}), embedding=embedding)
        assert [len(texts) for texts in embedding.requests] == [3]

    def test_asks_nothing_of_somebody_who_remembers_nothing(self) -> None:
        model = ScriptedModel({})
        event, _ = renewed(uuid4(), model)
        assert model.asked == []
        assert (event.core, event.occupation, event.feeling) == ("", "", "")
        assert len(event.text.splitlines()) == 2


class TestCurrentSummary:
    def test_is_what_it_was_at_the_time(self) -> None:
        store, simulation_id = a_store(), uuid4()
        for tick, core in ((10, "He is kind."), (50, "He is tired.")):
            store.append(
                simulation_id=simulation_id,
                tick=tick,
                stream=KLAUS.slug,
                events=[
                    NewEvent(
                        event=SelfSummarised(
                            core=core, occupation="", feeling="", text=core, due_tick=tick + 9
                        )
                    )
                ],
            )

        def core_at(tick: int) -> str | None:
            found = current_summary(simulation_id, KLAUS.slug, as_of_tick=tick)
            return found.core if found else None

        assert [core_at(tick) for tick in (9, 10, 49, 50, 999)] == [
            None,
            "He is kind.",
            "He is kind.",
            "He is tired.",
            "He is tired.",
        ]
        for order in Order:
            rebuild(store, simulation_id, order=order)
        assert check(store, simulation_id).problems == ()
        assert core_at(20) == "He is kind."

    def test_keeps_the_later_of_two_in_one_turn(self) -> None:
        store, simulation_id = a_store(), uuid4()
        both = [
            NewEvent(
                event=SelfSummarised(
                    core=core, occupation="", feeling="", text=core, due_tick=9
                )
            )
            for core in ("first", "second")
        ]
        store.append(simulation_id=simulation_id, tick=1, stream=KLAUS.slug, events=both)
        found = current_summary(simulation_id, KLAUS.slug, as_of_tick=1)
        assert found is not None
        assert (found.core, found.from_tick, found.due_tick) == ("second", 1, 9)
