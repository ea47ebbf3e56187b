"""A reflection is made of what comes to mind, kept, rebuilt, and unfolds into trees (R1-R3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from apps.eventlog.codec import EventRegistry
from apps.eventlog.event import Event
from apps.eventlog.projection import Projector
from apps.eventlog.rebuild import Order, check, rebuild
from apps.eventlog.store import EventStore, NewEvent
from apps.kernel.game_time import GameCalendar
from apps.llm.embeddings import StoredVectors
from apps.llm.hashing_embedding import HashingEmbedding
from apps.memory import events as memory_events
from apps.memory import queries as memory_queries
from apps.memory.events import MemoriesRetrieved, MemoryFormed, MemoryKind
from apps.memory.items import MemoryItem, StoredMemory, memory_item
from apps.memory.projections import MEMORY_STREAM
from apps.memory.retrieval_session import (
    RetrievalSession,
)
from apps.memory.rules import FALLBACK_IMPORTANCE
from apps.memory.selection import RetrievalSettings
from apps.reflection import events as reflection_events
from apps.reflection import queries
from apps.reflection.commands import ReflectionContext, reflect
from apps.reflection.events import DropReason, Insight, Reflected
from apps.reflection.inputs import InsightsInput
from apps.reflection.llm_tasks.insights import CitedInsight, Insights
from apps.reflection.llm_tasks.questions import SalientQuestions
from apps.reflection.models import REFLECTIONS, ReflectionRow
from apps.reflection.queries import trees
from apps.reflection.rules import TREE_DEPTH_MAX
from tests.support.builders import identity_of
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory
from tests.support.trees import walk

pytestmark = pytest.mark.django_db

KLAUS = identity_of(
    "Klaus Mueller", 20, ("kind", "inquisitive"), "Oak Hill College Dorm: Klaus Mueller's room"
)
CALENDAR = GameCalendar(start=datetime.fromisoformat("2023-02-13"), tick_seconds=10)
QUESTIONS = SalientQuestions(questions=("What of the paper?", "What of Maria?", "And else?"))


@dataclass
class Stream:
    """Klaus's stream in a simulation of its own."""

    simulation_id: UUID = field(default_factory=uuid4)
    store: EventStore = field(
        default_factory=lambda: EventStore(
            EventRegistry([*memory_events.EVENTS, *reflection_events.EVENTS]),
            Projector([MEMORY_STREAM, REFLECTIONS]),
        )
    )
    count: int = 0

    def formed(
        self,
        description: str,
        *,
        evidence: Sequence[int] = (),
        perceived: bool = False,
        importance: int = 5,
    ) -> MemoryFormed:
        StoredVectors(HashingEmbedding()).ensure([description])
        self.count += 1
        return MemoryFormed(
            number=self.count,
            kind=MemoryKind.REFLECTION if evidence else MemoryKind.OBSERVATION,
            description=description,
            importance=importance,
            evidence=tuple(evidence),
            perceived=perceived,
            embedded_by="hashing-v1",
            dimensions=384,
        )

    def write(self, tick: int, *events: Event) -> None:
        self.store.append(
            simulation_id=self.simulation_id,
            tick=tick,
            stream=KLAUS.slug,
            events=[NewEvent(event=event) for event in events],
        )

    def importance(self, tick: int) -> int:
        found = queries.importance_since_last(self.simulation_id, KLAUS.slug, as_of_tick=tick)
        return found.rated


def reflected(*insights: Insight) -> Reflected:
    return Reflected(importance=151, questions=("?",), insights=insights, dropped=())


class TestImportanceSinceLast:
    def test_counts_from_the_turn_of_the_last_reflection_on(
        self, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        # What the reflection's own turn perceived was not thought over in it.
        stream = Stream()
        stream.write(1, stream.formed("seed", importance=9))
        stream.write(5, stream.formed("a", perceived=True, importance=4))
        stream.write(7, stream.formed("b", perceived=True, importance=3), reflected())
        stream.write(9, stream.formed("c", perceived=True, importance=2))
        assert [stream.importance(tick) for tick in (4, 5, 6, 7, 8, 9)] == [0, 4, 4, 3, 3, 5]
        with django_assert_num_queries(2):
            stream.importance(9)


class TestReflect:
    def test_asks_looks_up_and_keeps_what_is_founded(self) -> None:
        stream = Stream()
        stream.write(
            1,
            stream.formed("Klaus Mueller is writing a paper"),
            stream.formed("Klaus Mueller likes Maria Lopez"),
        )
        model = ScriptedModel(
            {
                "reflection.questions": QUESTIONS,
                "reflection.insights": insights(
                    (1, "Klaus is dedicated", (1, 2, 9)),
                    (2, "klaus is  dedicated.", (1,)),
                    (2, "Klaus can fly", (44,)),
                    (2, "Ok", (2,)),
                ),
            }
        )
        event, retrieval, asked = self.reflection(stream, model)
        recalled = [
            new.event for new in retrieval.events() if isinstance(new.event, MemoriesRetrieved)
        ]
        assert [one.query for one in recalled] == list(QUESTIONS.questions)
        assert {one.purpose for one in recalled} == {"reflection.insights"}
        first, second, _ = [one.numbers for one in recalled]
        assert set(first) == {1, 2}
        assert event.insights == (
            Insight(
                question=0,
                memory=3,
                statement="Klaus is dedicated",
                evidence=first,
                not_offered=(9,),
                importance=FALLBACK_IMPORTANCE,
            ),
            Insight(
                question=1,
                memory=4,
                statement="Ok",
                evidence=first[1:2],
                importance=FALLBACK_IMPORTANCE,
            ),
        )
        assert [(one.statement, one.cited, one.reason) for one in event.dropped] == [
            ("klaus is dedicated.", (1,), DropReason.REPEATS),
            ("Klaus can fly", (44,), DropReason.WITHOUT_EVIDENCE),
        ]
        assert event.importance == 151
        # What the model read has the numbers that its citations are looked up by.
        [inputs] = [one for one in asked if isinstance(one, InsightsInput)]
        descriptions = {
            row.number: row.description
            for row in memory_queries.recent(stream.simulation_id, KLAUS.slug, as_of_tick=1)
        }
        assert [item.description for item in inputs.memories] == [
            descriptions[number] for number in first
        ], "each once"
        assert [one.text for one in inputs.questions] == list(QUESTIONS.questions)
        listed = {one.number: place for place, one in enumerate(inputs.memories, start=1)}
        assert inputs.questions[1].places == tuple(listed[number] for number in second)

    def test_keeps_no_insight_that_was_had_before(self) -> None:
        stream = Stream()
        stream.write(1, stream.formed("Klaus Mueller is writing a paper"))
        model = ScriptedModel(
            {
                "reflection.questions": QUESTIONS,
                "reflection.insights": insights(
                    (1, "KLAUS IS KIND.", (1,)), (1, "Klaus Mueller is writing a paper", (1,))
                ),
            }
        )
        event, _, _ = self.reflection(stream, model, known=["Klaus is kind"])
        assert event.insights == ()
        assert {one.reason for one in event.dropped} == {DropReason.REPEATS}

    def test_asks_for_no_insights_where_nothing_comes_to_mind(self) -> None:
        model = ScriptedModel({"reflection.questions": QUESTIONS})
        event, _, asked = self.reflection(Stream(), model)
        assert len(asked) == 1
        assert (event.insights, event.dropped) == ((), ())

    def reflection(
        self, stream: Stream, model: ScriptedModel, known: Sequence[str] = ()
    ) -> tuple[Reflected, RetrievalSession, list[object]]:
        llm = agent_llm_in_memory(
            model, tick=10, stream=KLAUS.slug, simulation_id=stream.simulation_id
        )
        retrieval = RetrievalSession(
            simulation_id=stream.simulation_id,
            agent=KLAUS.slug,
            as_of_tick=9,
            llm=llm,
            settings=RetrievalSettings(tick_seconds=10),
            calendar=CALENDAR,
        )
        context = ReflectionContext(
            agent_name=KLAUS.name,
            summary=None,
            now=datetime.fromisoformat("2023-02-13T17:00"),
            recent=(),
            known=known,
            importance=151,
            items=items,
        )
        event = reflect(llm, retrieval, context, next_number=stream.count + 1)
        return event, retrieval, [request.inputs for request in model.asked]


def items(memories: Iterable[StoredMemory]) -> tuple[MemoryItem, ...]:
    return tuple(
        memory_item(memory, time_at=CALENDAR.time_at, name_of=lambda _: "")
        for memory in memories
    )


def insights(*told: tuple[int, str, tuple[int, ...]]) -> Insights:
    return Insights(
        insights=tuple(
            CitedInsight(question=question, statement=statement, because_of=cited)
            for question, statement, cited in told
        )
    )


@pytest.fixture
def thinker() -> Stream:
    """Klaus saw three things, concluded two, and something from those."""
    stream = Stream()
    stream.write(1, *(stream.formed(text) for text in ("seen", "heard", "felt")))
    for tick, number, statement, evidence in (
        (5, 4, "first thought", (1, 2)),
        (6, 5, "second thought", (2, 3)),
        (9, 6, "higher thought", (4, 5, 1)),
    ):
        insight = Insight(question=0, memory=number, statement=statement, evidence=evidence)
        stream.write(tick, reflected(insight), stream.formed(statement, evidence=evidence))
    return stream


class TestTrees:
    def test_unfold_each_memory_once(self, thinker: Stream) -> None:
        (tree,) = trees(thinker.simulation_id, KLAUS.slug, as_of_tick=9)
        nodes = [(depth, node.memory) for depth, node in walk(tree)]
        assert [(depth, row.number, tuple(row.evidence)) for depth, row in nodes] == [
            (0, 6, (4, 5, 1)),
            (1, 4, (1, 2)),
            (2, 1, ()),
            (2, 2, ()),
            (1, 5, (2, 3)),
            (2, 2, ()),
            (2, 3, ()),
            (1, 1, ()),
        ]
        row = tree.memory
        assert (row.kind, row.description, row.formed_tick) == (
            MemoryKind.REFLECTION,
            "higher thought",
            9,
        )

    def test_are_as_they_were_at_the_time(self, thinker: Stream) -> None:
        earlier = trees(thinker.simulation_id, KLAUS.slug, as_of_tick=8)
        assert [tree.memory.number for tree in earlier] == [5, 4]

    def test_can_be_asked_for_by_number(self, thinker: Stream) -> None:
        asked = trees(thinker.simulation_id, KLAUS.slug, as_of_tick=9, roots=[4, 99, 2])
        assert [tree.memory.number for tree in asked] == [4, 2]

    def test_end_at_a_depth(self) -> None:
        stream = Stream()
        stream.write(1, stream.formed("0"))
        for number in range(1, TREE_DEPTH_MAX + 4):
            stream.write(number + 1, stream.formed(str(number), evidence=[number]))
        (tree,) = trees(stream.simulation_id, KLAUS.slug, as_of_tick=99)
        assert [depth for depth, _ in walk(tree)] == list(range(TREE_DEPTH_MAX + 1))


class TestReflectionRows:
    def test_are_listed_newest_first_and_rebuilt_alike(self, thinker: Stream) -> None:
        rows = queries.list_reflections(thinker.simulation_id, KLAUS.slug, as_of_tick=9)
        rows = rows.order_by("-tick")
        assert [row.tick for row in rows] == [9, 6, 5]
        assert rows[0].insights[0]["evidence"] == [4, 5, 1]
        assert [row.tick for row in rows.filter(tick__lt=9)] == [6, 5]
        for order in Order:
            rebuild(thinker.store, thinker.simulation_id, order=order)
        assert check(thinker.store, thinker.simulation_id).problems == ()

    def test_are_shown_and_edited_by_nobody(self, thinker: Stream) -> None:
        client = Client()
        client.force_login(User.objects.create_superuser("isabella"))
        row = ReflectionRow.objects.get(simulation_id=thinker.simulation_id, tick=9)
        assert client.get("/admin/reflection/reflectionrow/").status_code == 200
        address = f"/admin/reflection/reflectionrow/{row.pk}/change/"
        assert client.get(address).status_code == 200
        assert client.post(address, {}).status_code == 403
