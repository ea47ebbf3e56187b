"""The log on a real PostgreSQL: what goes in, what is refused, what comes out in order."""

import threading
from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.eventlog.codec import EventRegistry, UnknownEventType
from apps.eventlog.event import Event, EventId
from apps.eventlog.models import EventRow
from apps.eventlog.projection import Projector
from apps.eventlog.store import (
    AlreadyWritten,
    EventStore,
    NewEvent,
    StreamPassed,
    events_of,
    log_sha256,
)

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class BellRung(Event):
    """A bell was rung so many times."""

    type: ClassVar[str] = "test.bell-rung.v1"
    times: int
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeverListed(Event):
    """An event of a type that is on no list."""

    type: ClassVar[str] = "test.never-listed.v1"


@pytest.fixture
def store() -> EventStore:
    return EventStore(EventRegistry([BellRung]), Projector([]))


@pytest.fixture
def town() -> UUID:
    return uuid4()


def ring(store: EventStore, town: UUID, tick: int, stream: str, *times: int) -> None:
    events = [NewEvent(event=BellRung(times=each)) for each in times]
    store.append(simulation_id=town, tick=tick, stream=stream, events=events)


class TestAppend:
    def test_gives_each_event_its_place(self, store: EventStore, town: UUID) -> None:
        ring(store, town, 3, "ada", 1, 2)
        assert [str(recorded.place) for recorded in store.read(town)] == ["3/ada/0", "3/ada/1"]

    def test_drops_a_turn_that_is_taken_twice_whole(
        self, store: EventStore, town: UUID
    ) -> None:
        ring(store, town, 3, "ada", 1, 2)
        with pytest.raises(AlreadyWritten):
            ring(store, town, 3, "ada", 7, 8, 9)
        assert [recorded.event for recorded in store.read(town)] == [
            BellRung(times=1),
            BellRung(times=2),
        ]

    def test_refuses_what_comes_after_a_later_tick(self, store: EventStore, town: UUID) -> None:
        ring(store, town, 5, "ada", 1)
        with pytest.raises(StreamPassed):
            ring(store, town, 4, "ada", 2)

    def test_lets_commands_come_at_any_tick_each_after_those_of_its_own(
        self, store: EventStore, town: UUID
    ) -> None:
        # People's clocks differ: what is asked of one may take effect before what was asked
        # of another.
        for tick, times in ((9, 1), (4, 2), (9, 3), (4, 4)):
            rung = [NewEvent(event=BellRung(times=times))]
            store.append(
                simulation_id=town,
                tick=tick,
                stream="commands",
                events=rung,
                allow_same_tick=True,
            )
        told = [(str(one.place), one.event) for one in store.read(town)]
        assert told == [
            ("4/commands/0", BellRung(times=2)),
            ("4/commands/1", BellRung(times=4)),
            ("9/commands/0", BellRung(times=1)),
            ("9/commands/1", BellRung(times=3)),
        ]

    def test_lets_streams_be_written_in_any_order_of_ticks(
        self, store: EventStore, town: UUID
    ) -> None:
        ring(store, town, 9, "ada", 1)
        ring(store, town, 2, "bob", 2)
        assert [recorded.stream for recorded in store.read(town)] == ["bob", "ada"]

    def test_refuses_a_type_that_is_not_on_the_list(
        self, store: EventStore, town: UUID
    ) -> None:
        with pytest.raises(UnknownEventType):
            store.append(
                simulation_id=town,
                tick=1,
                stream="ada",
                events=[NewEvent(event=NeverListed())],
            )
        assert not EventRow.objects.exists()

    def test_lets_one_of_many_that_take_the_same_turn_write_it(
        self, store: EventStore, town: UUID
    ) -> None:
        # Eight workers were handed the same turn; one of them writes, seven are told.
        outcomes: list[str] = []
        start = threading.Barrier(8)

        def work(number: int) -> None:
            start.wait()
            try:
                ring(store, town, 1, "ada", number)
                outcomes.append("written")
            except AlreadyWritten:
                outcomes.append("dropped")
            finally:
                connection.close()

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["dropped"] * 7 + ["written"]
        assert EventRow.objects.count() == 1

    def test_hands_out_positions_in_the_order_of_commit(
        self, store: EventStore, town: UUID
    ) -> None:
        # A second writer must not become visible between two events of a first.
        inside = threading.Event()
        seen: list[int] = []

        def second() -> None:
            inside.wait()
            ring(store, town, 1, "bob", 2)
            seen.extend(EventRow.objects.order_by("position").values_list("tick", flat=True))
            connection.close()

        thread = threading.Thread(target=second)
        thread.start()
        with transaction.atomic():
            ring(store, town, 7, "ada", 1)
            inside.set()
            thread.join(timeout=0.3)
            assert thread.is_alive(), "the second writer waits for the first to commit"
        thread.join()
        assert seen == [7, 1]


class TestAppendOnly:
    def test_refuses_update_and_delete(self, store: EventStore, town: UUID) -> None:
        ring(store, town, 1, "ada", 1)
        with pytest.raises(IntegrityError, match="append-only"):
            EventRow.objects.own().update(tick=2)
        with pytest.raises(IntegrityError, match="append-only"):
            EventRow.objects.all().delete()
        assert EventRow.objects.get().tick == 1

    def test_lets_one_whole_simulation_be_deleted(self, store: EventStore, town: UUID) -> None:
        other = uuid4()
        ring(store, town, 1, "ada", 1)
        ring(store, other, 1, "ada", 1)
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT set_config('smallville.deleting', %s, true)", [str(town)]
                )
            EventRow.objects.filter(simulation_id=town).delete()
        with pytest.raises(IntegrityError, match="append-only"):
            EventRow.objects.filter(simulation_id=other).delete()
        assert EventRow.objects.get().simulation_id == other


class TestRead:
    def test_goes_on_after_a_place(self, store: EventStore, town: UUID) -> None:
        ring(store, town, 1, "bob", 1, 2)
        ring(store, town, 1, "ada", 1, 2)
        ring(store, town, 2, "ada", 3)
        rows = events_of(town, after=EventId(1, "ada", 1))
        assert [str(row) for row in rows] == [
            "1/bob/0 test.bell-rung.v1",
            "1/bob/1 test.bell-rung.v1",
            "2/ada/0 test.bell-rung.v1",
        ]

    def test_stops_at_a_tick(self, store: EventStore, town: UUID) -> None:
        ring(store, town, 1, "ada", 1)
        ring(store, town, 2, "ada", 2)
        assert [recorded.tick for recorded in store.read(town, until_tick=1)] == [1]


turns = st.lists(
    st.tuples(
        st.integers(0, 6),
        st.sampled_from(["ada", "bob", "Zoe", "simulation"]),
        st.lists(st.tuples(st.integers(), st.text(max_size=20)), min_size=1, max_size=3),
    ),
    unique_by=lambda turn: (turn[0], turn[1]),
    max_size=8,
)


class TestLogSha256:
    @given(written=turns)
    @settings(
        max_examples=25,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    def test_does_not_depend_on_the_order_of_commit(
        self, store: EventStore, written: list[tuple[int, str, list[tuple[int, str]]]]
    ) -> None:
        first, second = uuid4(), uuid4()
        by_stream_order = sorted(written, key=lambda turn: (turn[1], turn[0]))
        by_tick_order = sorted(written, key=lambda turn: (turn[0], turn[1]))
        for town, order in ((first, by_stream_order), (second, by_tick_order)):
            for tick, stream, bells in order:
                events = [
                    NewEvent(event=BellRung(times=times, words=_storable(words)))
                    for times, words in bells
                ]
                store.append(simulation_id=town, tick=tick, stream=stream, events=events)
        assert log_sha256(first) == log_sha256(second)

    def test_depends_on_every_part_of_an_event(self, store: EventStore) -> None:
        hashes = set()
        for tick, stream, times in ((1, "ada", 1), (2, "ada", 1), (1, "bob", 1), (1, "ada", 2)):
            town = uuid4()
            ring(store, town, tick, stream, times)
            hashes.add(log_sha256(town))
        assert len(hashes) == 4


def _storable(words: str) -> str:
    # PostgreSQL's jsonb holds no NUL and no lone surrogates; users' text is checked before.
    return words.replace("\x00", "").encode("utf-8", "ignore").decode()
