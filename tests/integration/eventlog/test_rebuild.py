"""A check finds what is wrong with a log or its rows; a rebuild writes the rows again."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import pytest
from django.db import connection, transaction

from apps.eventlog.codec import EventRegistry, Upcaster
from apps.eventlog.event import CommandEvent, Recorded
from apps.eventlog.models import EventRow
from apps.eventlog.projection import Projection, Projector
from apps.eventlog.rebuild import LogCheck, Order, check, rebuild
from apps.eventlog.store import EventStore, log_sha256
from apps.reaction.events import ReactionDecided
from apps.reaction.models import REACTIONS, WeighedRow
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db


@dataclass(frozen=True, slots=True, kw_only=True)
class BellOrdered(CommandEvent):
    """A user ordered a bell to be rung."""

    type: ClassVar[str] = "test.bell-ordered.v1"


ORDERED = BellOrdered(by="a researcher", reason="")


def weighed(about: str) -> ReactionDecided:
    return ReactionDecided(subjects=(about,), choice="go on", about=about, what="")


def new_log() -> ProjectedLog:
    """Return a log of Ada's turns at 2 and 5 and of Ben's at 4, appended out of order."""
    log = ProjectedLog([ReactionDecided, BellOrdered], [REACTIONS])
    log.append(2, "ada", weighed("ben"))
    log.append(5, "ada", weighed("cem"), weighed("dov"))
    log.append(4, "ben", weighed("ada"))
    return log


def insert(
    log: ProjectedLog, tick: int, stream: str, *ordinals: int, of: str = ReactionDecided.type
) -> None:
    """Insert rows of a type into the log past its store."""
    EventRow.objects.bulk_create(
        EventRow(
            simulation_id=log.simulation_id,
            tick=tick,
            stream=stream,
            ordinal=ordinal,
            type=of,
            data={"subjects": [f"{ordinal}"], "choice": "talk", "about": "", "what": ""},
        )
        for ordinal in ordinals
    )


OLDER = Upcaster(
    old="test.decided.v1",
    new=ReactionDecided.type,
    convert=lambda data: {**data, "choice": "go on"},
)


def checked(log: ProjectedLog) -> LogCheck:
    return check(log.store, log.simulation_id)


class TestCheck:
    def test_of_a_whole_log_counts_events_and_rows(self) -> None:
        log, elsewhere = new_log(), new_log()
        elsewhere.append(9, "ada", weighed("ben"))
        assert checked(log) == LogCheck(
            events=4, rows=4, log_sha256=log_sha256(log.simulation_id), problems=()
        )

    def test_lets_streams_begin_at_tick_0(self) -> None:
        log = ProjectedLog([ReactionDecided], [REACTIONS])
        log.append(0, "ada", weighed("ben"))
        assert checked(log).problems == ()

    def test_finds_an_empty_log(self) -> None:
        log = ProjectedLog([ReactionDecided], [REACTIONS])
        assert checked(log).problems == ("the log has no events of this simulation",)

    def test_finds_missing_events_of_a_turn(self) -> None:
        log = new_log()
        insert(log, 7, "ada", 1, 3)
        rebuild(log.store, log.simulation_id)
        assert checked(log).problems == (
            "7/ada: ordinal 0 is missing before 1",
            "7/ada: ordinal 2 is missing before 3",
        )

    def test_finds_a_turn_that_was_appended_too_late(self) -> None:
        log = new_log()
        insert(log, 4, "ada", 0)
        rebuild(log.store, log.simulation_id)
        assert checked(log).problems == ("4/ada/0 was committed after tick 5",)

    def test_lets_commands_come_in_any_order_of_ticks(self) -> None:
        # The clocks of agents differ: a command to one may take effect before an earlier
        # command to another.
        log = new_log()
        for tick in (9, 4, 9, 4):
            log.append(tick, "", ORDERED)
        assert checked(log).problems == ()
        insert(log, 4, "commands", 3)
        rebuild(log.store, log.simulation_id)
        assert checked(log).problems == ("4/commands: ordinal 2 is missing before 3",)

    def test_finds_rows_that_differ_and_changes_none(self) -> None:
        log = new_log()
        WeighedRow.objects.own().filter(subject="ben").update(choice="talk")
        before = log.snapshot([WeighedRow])
        surplus, missing = checked(log).problems
        whose = f"(UUID('{log.simulation_id}'), 'ada', 'ben', 2"
        assert surplus == (
            f"reaction.WeighedRow: the log does not imply {whose}, 'talk', True, '', '2/ada/0')"
        )
        assert missing == (
            f"reaction.WeighedRow: the log implies {whose}, 'go on', True, '', '2/ada/0'), "
            "which is missing"
        )
        assert log.snapshot([WeighedRow]) == before

    def test_shows_ten_rows_of_each_kind_at_most_in_order(self) -> None:
        log = ProjectedLog([ReactionDecided], [REACTIONS])
        agents = [f"p{number:02}" for number in range(12)]
        for agent in reversed(agents):
            log.append(1, agent, weighed("ben"))
        WeighedRow.objects.own().update(choice="talk")
        problems = checked(log).problems
        assert [problem.partition("'p")[2][:2] for problem in problems] == 2 * [
            agent[1:] for agent in agents[:10]
        ]

    def test_finds_a_row_that_is_surplus(self) -> None:
        log = new_log()
        [row] = WeighedRow.objects.filter(simulation_id=log.simulation_id, subject="ben")
        row.pk, row.event = None, "2/ada/9"
        row.save()
        [surplus] = checked(log).problems
        assert surplus.endswith("'2/ada/9')")


@dataclass
class Journal:
    """Handlers that note which event they were given."""

    applied: list[str]

    def note(self, _event: ReactionDecided | BellOrdered, recorded: Recorded) -> None:
        self.applied.append(str(recorded.place))


class TestRebuild:
    def test_writes_the_rows_again_and_no_others(self) -> None:
        log, elsewhere = new_log(), new_log()
        others = elsewhere.snapshot([WeighedRow])
        before = log.rows(WeighedRow, "agent", "subject", "tick")
        WeighedRow.objects.filter(simulation_id=log.simulation_id, agent="ada").delete()
        assert rebuild(log.store, log.simulation_id) == 4
        assert log.rows(WeighedRow, "agent", "subject", "tick") == before
        assert elsewhere.snapshot([WeighedRow]) == others

    def test_converts_old_types_which_stay_on_the_log(self) -> None:
        log = new_log()
        insert(log, 7, "ada", 0, of=OLDER.old)
        history = log_sha256(log.simulation_id)
        registry = EventRegistry([ReactionDecided, BellOrdered], [OLDER])
        rebuild(EventStore(registry, log.store.projector), log.simulation_id)
        assert log.row(WeighedRow, tick=7)["choice"] == "go on"
        assert log_sha256(log.simulation_id) == history
        types = EventRow.objects.filter(simulation_id=log.simulation_id, tick=7)
        assert [row.type for row in types] == [OLDER.old]

    @pytest.mark.parametrize(
        ("order", "expected"),
        [
            (Order.CANONICAL, ["2/ada/0", "4/ben/0", "5/ada/0", "5/ada/1"]),
            (Order.COMMIT, ["2/ada/0", "5/ada/0", "5/ada/1", "4/ben/0"]),
        ],
    )
    def test_reads_the_log_in_the_order(self, order: Order, expected: list[str]) -> None:
        log, journal = new_log(), Journal([])
        projection = Projection(models=(WeighedRow,), handlers={ReactionDecided: journal.note})
        log.store.projector = Projector([projection])
        rebuild(log.store, log.simulation_id, order=order)
        assert journal.applied == expected


@pytest.mark.django_db(transaction=True)
class TestConcurrentAppend:
    """A turn is being appended: what reads log and rows waits for it to be committed."""

    def result_of(self, read: Callable[[ProjectedLog], object]) -> object:
        """Return what a thread reads that began within the transaction of an append."""
        log, results = new_log(), list[object]()

        def work() -> None:
            results.append(read(log))
            connection.close()

        thread = threading.Thread(target=work)
        with transaction.atomic():
            log.append(7, "ada", weighed("eve"))
            thread.start()
            thread.join(timeout=0.3)
            assert thread.is_alive(), "the reader waits for the append to be committed"
        thread.join()
        [result] = results
        return result

    def test_is_awaited_by_a_check(self) -> None:
        assert self.result_of(lambda log: checked(log).problems) == ()

    def test_is_awaited_by_a_rebuild(self) -> None:
        assert self.result_of(lambda log: rebuild(log.store, log.simulation_id)) == 5


class TestProjector:
    def test_gives_an_event_to_every_projection_that_lists_it(self) -> None:
        first, second, third = Journal([]), Journal([]), Journal([])
        log = ProjectedLog(
            [ReactionDecided],
            [
                Projection(models=(), handlers={ReactionDecided: first.note}),
                Projection(models=(), handlers={ReactionDecided: second.note}),
                Projection(models=(), handlers={BellOrdered: third.note}),
            ],
        )
        log.append(1, "ada", weighed("ben"))
        assert first.applied == second.applied == ["1/ada/0"]
        assert third.applied == []
