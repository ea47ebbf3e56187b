"""From drafting to recalling by way of the log, with the rule model for a model (M1-M5, V1)."""

from uuid import UUID, uuid4

import pytest

from apps import wiring
from apps.eventlog.codec import EventRegistry
from apps.eventlog.projection import Projector
from apps.eventlog.rebuild import Order, check, rebuild
from apps.eventlog.store import EventStore, NewEvent
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import open_agent_llm
from apps.memory import queries
from apps.memory.events import EVENTS, MemoriesRepeated, MemoryKind
from apps.memory.formation import DraftedMemory, form_memories
from apps.memory.models import MemoryRow, RetrievalRow
from apps.memory.projections import MEMORY_STREAM
from apps.memory.retrieval_session import RetrievalSession
from apps.memory.selection import RetrievalSettings
from tests.integration.memory.streams import CALENDAR
from tests.support.builders import identity_of

pytestmark = pytest.mark.django_db

SPEC = ModelSpec()
MARIA = identity_of(
    "Maria Lopez",
    21,
    ("energetic", "enthusiastic", "inquisitive"),
    "Oak Hill College Dorm: Maria Lopez's room",
    sleep=1_500,
)
SEEN = (
    "the desk is idle",
    "Klaus Mueller is writing a paper on gentrification",
    "Isabella Rodriguez is planning a Valentine's Day party at Hobbs Cafe",
)


def a_mind(simulation_id: UUID, tick: int) -> AgentLLM:
    models = wiring.models_of(SPEC, 7)
    return open_agent_llm(
        simulation_id=simulation_id, tick=tick, stream=MARIA.slug, models=models
    )


class TestMemoryInTheLog:
    def test_is_formed_recalled_and_rebuilt(self) -> None:
        store = EventStore(EventRegistry(EVENTS), Projector([MEMORY_STREAM]))
        simulation_id = uuid4()

        # At tick 0 Maria comes to remember three things.
        llm = a_mind(simulation_id, 0)
        drafts = [
            DraftedMemory(
                number=number,
                kind=MemoryKind.OBSERVATION,
                description=description,
                perceived=True,
            )
            for number, description in enumerate(SEEN, start=1)
        ]
        formed = form_memories(drafts, llm, SPEC)
        store.append(
            simulation_id=simulation_id,
            tick=0,
            stream=MARIA.slug,
            events=[NewEvent(event=event) for event in formed],
        )

        # At tick 360, an hour later, she thinks of the party, and rates what she has seen.
        retrieval = RetrievalSession(
            simulation_id=simulation_id,
            agent=MARIA.slug,
            as_of_tick=359,
            llm=a_mind(simulation_id, 360),
            settings=RetrievalSettings(tick_seconds=10),
            calendar=CALENDAR,
            identity=MARIA,
            unrated=drafts,
        )
        best = retrieval.retrieve("Who plans a party?", "test")[0]
        assert best.description == SEEN[2]
        store.append(
            simulation_id=simulation_id,
            tick=360,
            stream=MARIA.slug,
            events=[
                *retrieval.events(),
                NewEvent(event=MemoriesRepeated(numbers=(best.number,))),
            ],
        )

        # What stands in the rows is what the log says, and a rebuild says it again.
        memory = queries.memory(simulation_id, MARIA.slug, best.number, as_of_tick=360)
        assert memory.last_retrieved_tick == 360
        assert (memory.times, memory.last_repeated_tick) == (2, 360)
        for order in Order:
            rebuild(store, simulation_id, order=order)
        proof = check(store, simulation_id)
        assert proof.problems == ()
        assert (proof.events, proof.rows) == (6, 7)
        assert MemoryRow.objects.filter(simulation_id=simulation_id).count() == 3
        assert RetrievalRow.objects.filter(simulation_id=simulation_id).count() == 3
