"""Work of every kind goes on after the database or the worker was away in the middle of it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.db import connections

from apps.experiments.models import ExperimentEventRow
from apps.work.rows import WorkState
from apps.worker import tasks
from tests.support.processes import database_url, is_awaited, stack, wait_until
from tests.support.snapshots import simulated
from tests.support.work_of_kinds import CALLS, EVENTS, REQUESTS, Requested, run_branches

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

SECONDS_MAX = 60.0


def on_a_connection_of_its_own(work: Requested) -> None:
    """Carry the work out on another thread, as a worker does."""
    try:
        tasks.carry_out_work(kind=work.kind.name, work_id=str(work.row.pk))
    finally:
        connections.close_all()


@contextmanager
def locked(*tables: str) -> Iterator[None]:
    """Let everybody wait who reads or writes the tables."""
    with psycopg.connect(database_url()) as lock:
        for table in tables:
            lock.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield


def end_waiting_connections(table: str) -> None:
    """End the connections that wait for the table, as a restart of the server does."""
    with psycopg.connect(database_url()) as operator:
        operator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks "
            "WHERE relation = %s::regclass AND NOT granted",
            [table],
        )


@pytest.mark.parametrize("kind", REQUESTS)
def test_an_outage_gives_work_back_that_then_ends(kind: str) -> None:
    work = REQUESTS[kind](simulated("2023-02-13T06:10", agents=("Isabella Rodriguez",)))
    run_branches(work)
    assert work.kind.ids() == [work.row.pk]
    with locked(work.table), ThreadPoolExecutor(1) as worker:
        carried_out = worker.submit(on_a_connection_of_its_own, work)
        wait_until(
            lambda: is_awaited(work.table),
            seconds=SECONDS_MAX,
            told=lambda: f"it has not come to {work.table}",
        )
        assert work.kind.ids() == [], "a process is at it"
        end_waiting_connections(work.table)
        carried_out.result(SECONDS_MAX)
    assert work.kind.ids() == [work.row.pk]
    assert work.row.problem == ""
    work.take()
    assert work.state == (WorkState.RUNNING if kind == "experiment" else WorkState.DONE)
    assert not ExperimentEventRow.objects.filter(type="experiment.run-failed.v1").exists()


def test_another_worker_goes_on_soon_after_kill_9(tmp_path: Path) -> None:
    row = simulated("2023-02-13T06:10", agents=("Isabella Rodriguez",))
    # Work in one piece, in steps, of one call, and of several calls.
    names = ("replay", "counterfactual", "interview", "survey", "model-trial", "import")
    requested = [REQUESTS[name](row) for name in names]
    for one in requested:
        run_branches(one)
    with stack(tmp_path) as processes:
        with locked(EVENTS, CALLS):
            processes.start_worker("first")
            processes.start_beat()
            wait_until(
                lambda: all(one.kind.ids() == [] for one in requested),
                seconds=SECONDS_MAX,
                told=lambda: processes.log_of("first"),
            )
            processes.kill("first")
        for one in requested:
            one.row.refresh_from_db()
        waits = {one.kind.noun: one.kind.waits_of([one.row])[one.row.pk] for one in requested}
        assert {noun for noun, wait in waits.items() if wait is None} <= {"replay", "import"}
        processes.start_worker("second")
        wait_until(
            lambda: {one.state for one in requested} == {WorkState.DONE},
            seconds=SECONDS_MAX,
            told=lambda: f"{[one.state for one in requested]}: {processes.log_of('second')}",
        )
