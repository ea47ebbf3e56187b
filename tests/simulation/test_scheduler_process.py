"""One scheduler process drives many simulations; what befalls one concerns no other."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from apps import wiring
from apps.django_support.heartbeat import LAPSE_SECONDS
from apps.simulation.engine import lifecycle
from apps.simulation.engine.lease import take_lease
from apps.simulation.engine.scheduler import SchedulerOptions, SimulationScheduler
from apps.simulation.engine.turn_executors import ReadyTurn, ThreadExecutor
from apps.simulation.models import ProcessRow, SimulationRow, Status
from apps.simulation.notifications import Reason
from apps.simulation.queries import WorldChanged, list_due, process_seen_at
from apps.simulation.turn.pipeline import take_turn
from apps.worker.scheduling import Listener, SchedulerProcess
from apps.worker.stepping import EnsureLease
from tests.support.processes import wait_until
from tests.support.towns import LOCK_STEP, found, history_of, live

pytestmark = pytest.mark.django_db(transaction=True)

ONE = ("Isabella Rodriguez",)
HALF_PAST_MIDNIGHT = "2023-02-13T00:30"
SECONDS_MAX = 60.0
Open = Callable[[UUID], None]


@contextmanager
def scheduling(
    before_opening: Open = lambda _id: None, *, name: str = "a scheduler"
) -> Iterator[SchedulerProcess]:
    """Have a scheduler in a thread of this process, whose turns other threads execute."""
    executors: list[ThreadExecutor] = []

    def open_scheduler(simulation_id: UUID, ensure_lease: EnsureLease) -> SimulationScheduler:
        before_opening(simulation_id)

        def execute(turn: ReadyTurn) -> None:
            ports = wiring.ports()
            take_turn(ports, simulation_id=simulation_id, agent=turn.agent, tick=turn.tick)

        on_executed = partial(process.notify, simulation_id, Reason.TURN)
        executors.append(ThreadExecutor(execute, threads=2, on_executed=on_executed))
        return SimulationScheduler(
            wiring.ports(),
            simulation_id,
            executor=executors[-1],
            options=SchedulerOptions(ensure_lease=ensure_lease),
        )

    process = SchedulerProcess(name, open_scheduler)
    listener = Listener(process.notify, process.resync)
    listener.start()
    thread = threading.Thread(target=process.run)
    thread.start()
    try:
        yield process
    finally:
        process.stop()
        thread.join()
        listener.stop()
        for executor in executors:
            executor.close()


def run(row: SimulationRow, ticks: int = 120) -> SimulationRow:
    return lifecycle.request_run(row.pk, until_tick=ticks)


def wait_for(what: Callable[[], bool]) -> None:
    wait_until(what, seconds=SECONDS_MAX, told=lambda: str(list_rows()))


def list_rows() -> list[tuple[object, ...]]:
    return list(
        SimulationRow.objects.values_list("status", "reason", "committed_tick", "lease_holder")
    )


def is_at_rest(row: SimulationRow) -> bool:
    row.refresh_from_db()
    return row.status == Status.PAUSED and not row.lease_holder


class TestSimulations:
    def test_are_scheduled_together_with_the_history_of_each_alone(self) -> None:
        expected = history_of(live(found(), HALF_PAST_MIDNIGHT, LOCK_STEP).pk)
        rows = [found() for _ in range(3)]
        with scheduling():
            for row in rows:
                run(row, ticks=180)
            wait_for(lambda: all(is_at_rest(row) for row in rows))
        assert {row.reason for row in rows} == {"reached the requested end"}
        assert {history_of(row.pk) for row in rows} == {expected}

    def test_pause_and_go_on(self) -> None:
        row = found(agents=ONE)
        with scheduling():
            lifecycle.request_run(row.pk, pace=60)
            wait_for(lambda: is_scheduled(row))
            lifecycle.request_pause(row.pk, reason="lunch")
            wait_for(lambda: is_at_rest(row))
            assert row.reason == "lunch"
            run(row)
            wait_for(lambda: is_at_rest(row))
        assert row.committed_tick == 120

    def test_are_given_back_when_the_process_ends(self) -> None:
        row = found(agents=ONE)
        with scheduling():
            assert_seen()
            lifecycle.request_run(row.pk, pace=60)
            wait_for(lambda: is_scheduled(row))
        row.refresh_from_db()
        assert row.lease_until is None
        assert list_due() == [row.pk]
        assert process_seen_at(ProcessRow.Kind.SCHEDULER) is None, "its row is deleted"


def is_scheduled(row: SimulationRow) -> bool:
    row.refresh_from_db()
    return row.lease_holder == "a scheduler" and row.committed_tick > 0


def assert_seen() -> None:
    wait_for(lambda: ProcessRow.objects.filter(kind=ProcessRow.Kind.SCHEDULER).exists())
    seen = process_seen_at(ProcessRow.Kind.SCHEDULER)
    assert seen is not None
    assert timezone.now() - seen < timedelta(seconds=SECONDS_MAX)


class TestFailure:
    def test_of_one_simulation_stops_that_one_with_a_reason(self) -> None:
        broken, refused, sound = (found(agents=ONE) for _ in range(3))

        def fail(simulation_id: UUID) -> None:
            if simulation_id == broken.pk:
                raise ZeroDivisionError("a defect")
            if simulation_id == refused.pk:
                raise WorldChanged("the files of the world have changed")

        with scheduling(fail):
            for row in (broken, refused, sound):
                run(row)
            wait_for(lambda: all(is_at_rest(row) for row in (broken, refused, sound)))
        assert broken.reason.startswith("an error of the service (ZeroDivisionError); its log")
        assert refused.reason == "the files of the world have changed"
        assert sound.reason == "reached the requested end"

    def test_of_the_database_is_survived(self) -> None:
        row = found(agents=ONE)
        failures = iter([True, True, False])

        def fail(_simulation_id: UUID) -> None:
            if next(failures, False):
                raise OperationalError("the server closed the connection unexpectedly")

        with scheduling(fail):
            run(row)
            wait_for(lambda: is_at_rest(row))
        assert row.committed_tick == 120

    def test_of_a_slow_simulation_holds_up_no_other(self) -> None:
        slow, quick = found(agents=ONE), found(agents=ONE)
        go_on = threading.Event()

        def wait(simulation_id: UUID) -> None:
            if simulation_id == slow.pk:
                assert go_on.wait(SECONDS_MAX)

        with scheduling(wait):
            run(slow)
            run(quick)
            wait_for(lambda: is_at_rest(quick))
            slow.refresh_from_db()
            assert slow.committed_tick == 0
            go_on.set()
            wait_for(lambda: is_at_rest(slow))

    def test_is_not_repeated_for_ever_but_when_a_user_asks_again(self) -> None:
        row = found(agents=ONE)
        opened = threading.Semaphore(0)
        failures = iter([True, False])

        def fail(_simulation_id: UUID) -> None:
            opened.release()
            if next(failures, False):
                raise ZeroDivisionError("a defect")

        with scheduling(fail):
            run(row)
            wait_for(lambda: is_at_rest(row))
            assert "an error of the service" in row.reason
            run(row)
            wait_for(lambda: is_at_rest(row))
        assert row.committed_tick == 120


class TestLease:
    def test_of_another_process_is_respected_until_it_lapses(self) -> None:
        row = found(agents=ONE)
        assert take_lease(row.pk, "a scheduler that was killed")
        with scheduling() as process:
            run(row)
            process.resync()
            row.refresh_from_db()
            assert row.lease_holder == "a scheduler that was killed"
            lapsed = timezone.now() - timedelta(seconds=LAPSE_SECONDS)
            SimulationRow.objects.filter(pk=row.pk).update(lease_until=lapsed)
            wait_for(lambda: is_at_rest(row))
        assert row.committed_tick == 120

    def test_that_is_lost_ends_the_scheduling_of_that_simulation(self) -> None:
        lost, kept = found(agents=ONE), found(agents=ONE)
        with scheduling():
            for row in (lost, kept):
                lifecycle.request_run(row.pk, pace=60)
            wait_for(lambda: is_scheduled(lost) and is_scheduled(kept))
            until = timezone.now() + timedelta(seconds=10 * LAPSE_SECONDS)
            SimulationRow.objects.filter(pk=lost.pk).update(
                lease_holder="another", lease_until=until
            )
            tick = kept.committed_tick
            wait_for(lambda: is_scheduled(kept) and kept.committed_tick > tick + 24)
            lost.refresh_from_db()
            assert lost.lease_holder == "another"
        lost.refresh_from_db()
        assert lost.lease_holder == "another", "what is not held is not given back"
        connection.close()
