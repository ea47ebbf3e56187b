"""The rows of a memory stream are what its events say, in whatever order they are built."""

import random

import pytest
from django.db import connection

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projector
from apps.llm.embeddings import text_key
from apps.llm.models import EmbeddingRow
from apps.memory.events import MemoryFormed, MemoryKind
from apps.memory.models import MemoryRow, RetrievalRow
from apps.memory.projections import MEMORY_STREAM, VectorMissing
from tests.integration.memory.streams import EMBEDDED_BY, Stream

pytestmark = pytest.mark.django_db


def rows(*streams: Stream) -> list[list[tuple[object, ...]]]:
    names = [
        [field.attname for field in model._meta.concrete_fields if not field.primary_key]
        for model in (MemoryRow, RetrievalRow)
    ]
    mine = {"simulation_id__in": [stream.simulation_id for stream in streams]}
    return [
        sorted(MemoryRow.objects.filter(**mine).values_list(*names[0]), key=repr),
        sorted(RetrievalRow.objects.filter(**mine).values_list(*names[1]), key=repr),
    ]


def validities(stream: Stream, number: int) -> list[tuple[int, int | None]]:
    return list(
        RetrievalRow.objects.filter(simulation_id=stream.simulation_id, number=number)
        .order_by("from_tick")
        .values_list("from_tick", "to_tick")
    )


class TestMemoryStream:
    def test_copies_the_vector_by_content(self) -> None:
        stream = Stream()
        stream.remember(3, (1, 0.5), description="Café, naïve, 日本 🙂")
        row = MemoryRow.objects.get(simulation_id=stream.simulation_id)
        assert list(row.embedding) == [1, 0.5]
        assert row.event_id == "3/maria-lopez/0"
        assert row.kind == MemoryKind.OBSERVATION

    def test_refuses_a_memory_whose_vector_is_missing(self) -> None:
        event = MemoryFormed(
            number=1,
            kind=MemoryKind.OBSERVATION,
            description="never embedded",
            importance=1,
            embedded_by="by-hand",
            dimensions=2,
        )
        with pytest.raises(VectorMissing, match="embed the description first") as missing:
            Stream().apply(0, event)
        assert missing.value.code == "vector-missing"

    def test_keeps_vectors_beside_what_is_scored_with_them(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT attstorage FROM pg_attribute "
                "WHERE attrelid = 'memory_memoryrow'::regclass AND attname = 'embedding'"
            )
            assert cursor.fetchone() == ("p",)

    def test_closes_the_open_retrieval_when_another_follows(self) -> None:
        stream = Stream()
        stream.remember(0, (1, 0))
        stream.retrieve(5, [1])
        stream.retrieve(9, [1])
        stream.retrieve(12, [1])
        assert validities(stream, 1) == [(5, 9), (9, 12), (12, None)]

    def test_closes_no_retrieval_of_another_memory(self) -> None:
        stream = Stream()
        stream.remember(0, (1, 0))
        stream.remember(0, (0, 1))
        stream.retrieve(5, [1])
        stream.retrieve(9, [2])
        assert validities(stream, 1) == [(5, None)]

    def test_closes_no_retrieval_of_another_agent_or_simulation(self) -> None:
        maria, elsewhere = Stream(), Stream()
        klaus = Stream(maria.simulation_id, "klaus-mueller")
        for stream in (maria, elsewhere, klaus):
            stream.remember(0, (1, 0))
            stream.retrieve(5, [1])
        maria.retrieve(9, [1])
        open_rows = RetrievalRow.objects.filter(to_tick=None)
        assert set(open_rows.values_list("simulation_id", "agent", "from_tick")) == {
            (maria.simulation_id, "maria-lopez", 9),
            (maria.simulation_id, "klaus-mueller", 5),
            (elsewhere.simulation_id, "maria-lopez", 5),
        }

    def test_takes_the_vector_of_the_model_and_the_length_it_names(self) -> None:
        stream, text = Stream(), "it rains"
        for model, vector in (("another", [0, 1]), (EMBEDDED_BY, [1, 0, 0])):
            EmbeddingRow.objects.create(
                model=model, dimensions=len(vector), text_sha256=text_key(text), vector=vector
            )
        stream.remember(3, (1, 0.5), description=text)
        row = MemoryRow.objects.get(simulation_id=stream.simulation_id)
        assert list(row.embedding) == [1, 0.5]

    def test_keeps_one_row_of_two_retrievals_in_one_turn(self) -> None:
        stream = Stream()
        stream.remember(0, (1, 0))
        stream.remember(0, (0, 1))
        stream.retrieve(2, [1])
        stream.retrieve(5, [1, 2])
        stream.retrieve(5, [1])
        assert validities(stream, 1) == [(2, 5), (5, None)]
        assert validities(stream, 2) == [(5, None)]

    def test_leaves_memories_as_they_were(self) -> None:
        stream = Stream()
        stream.remember(0, (1, 0))
        before = rows(stream)[0]
        stream.retrieve(5, [1])
        assert rows(stream)[0] == before

    def test_makes_nothing_of_a_retrieval_that_found_nothing(self) -> None:
        stream = Stream()
        stream.retrieve(5, [])
        assert rows(stream) == [[], []]

    @pytest.mark.parametrize("seed", range(5))
    def test_gives_the_same_rows_however_streams_are_interleaved(self, seed: int) -> None:
        """A live run writes in commit order, a rebuild in canonical order: they agree."""
        chance = random.Random(seed)
        maria = Stream()
        klaus = Stream(maria.simulation_id, "klaus-mueller")
        for stream in (maria, klaus):
            for tick in range(0, 30, 3):
                stream.remember(tick, (chance.randint(0, 3), 1))
                stream.retrieve(tick, [chance.randint(1, len(stream.memories))])
        live = rows(maria)
        for model in MEMORY_STREAM.models:
            model._default_manager.filter(simulation_id=maria.simulation_id).delete()
        projector = Projector([MEMORY_STREAM])
        for recorded in interleaved(chance, maria.events, klaus.events):
            projector.apply(recorded)
        assert rows(maria) == live


def interleaved(
    chance: random.Random, left: list[Recorded], right: list[Recorded]
) -> list[Recorded]:
    """Return both, each in its own order, mixed at random."""
    waiting, mixed = [list(left), list(right)], []
    while waiting:
        stream = chance.choice(waiting)
        mixed.append(stream.pop(0))
        waiting = [rest for rest in waiting if rest]
    return mixed
