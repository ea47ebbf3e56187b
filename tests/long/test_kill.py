"""Processes are killed in mid-day; the run ends with the history of an undisturbed one (O3)."""

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import OperationalError, connection

from apps import wiring
from apps.eventlog.rebuild import check
from apps.simulation.engine import lifecycle
from apps.simulation.models import SimulationRow, Status
from tests.support.postmaster import kill_database
from tests.support.processes import Stack, stack, wait_until
from tests.support.snapshots import simulated
from tests.support.towns import found, history_of

pytestmark = pytest.mark.django_db(transaction=True)

HALF_PAST_EIGHT = "2023-02-13T08:30"
DISTURBED_AT = (2_200, 2_700)  # ticks: 6:06, when Isabella is up, and 7:30, when all three are
SCHEDULERS = ("first", "second", "third")
SECONDS_MAX = 150.0


def kill_worker(processes: Stack) -> None:
    """Kill one of two workers in the middle of whatever it does; another takes its place."""
    processes.kill("one")
    processes.start_worker("one")


def kill_scheduler(processes: Stack) -> None:
    """Kill the scheduler that has the lease; another one takes over when the lease lapses."""
    processes.kill(scheduler_at_work(processes))


def kill_every_process(processes: Stack) -> None:
    """Kill schedulers, workers and database at once; start what an operator would start."""
    for name in list(processes.running):
        processes.kill(name)
    kill_database()
    processes.start_worker("one")
    processes.start_worker("two")
    processes.start_scheduler("first")


def kill_the_database(_processes: Stack) -> None:
    """Kill the PostgreSQL server under running workers."""
    kill_database()


class TestKilling:
    @pytest.mark.parametrize(
        "kill", [kill_worker, kill_scheduler, kill_the_database, kill_every_process]
    )
    def test_changes_nothing_that_happens(
        self, kill: Callable[[Stack], None], tmp_path: Path
    ) -> None:
        expected = simulated(HALF_PAST_EIGHT)
        row = found()
        with stack(
            tmp_path, RULE_MODEL_DELAY_SECONDS_MAX="0.4", LOG_LEVEL="DEBUG"
        ) as processes:
            processes.start_worker("one")
            processes.start_worker("two")
            for name in SCHEDULERS:
                processes.start_scheduler(name)
            lifecycle.request_run(row.pk, until_tick=expected.committed_tick)
            for tick in DISTURBED_AT:
                wait_for_tick(row, tick, processes)
                assert row.status == Status.RUNNING, "the run was over before it was struck"
                kill(processes)
            wait_until(
                lambda: refreshed(row) is not None and row.status == Status.PAUSED,
                seconds=SECONDS_MAX,
                told=lambda: logs_of(tmp_path),
            )
        assert row.committed_tick == expected.committed_tick, row.reason
        assert history_of(row.pk) == history_of(expected.pk)
        assert check(wiring.event_store(), row.pk).problems == ()
        assert calls_made_twice(tmp_path) == {}


def scheduler_at_work(processes: Stack) -> str:
    """Return the name of the scheduler that holds the lease."""
    left = [name for name in SCHEDULERS if name in processes.running]
    holder = SimulationRow.objects.exclude(lease_holder="").get().lease_holder
    process_id = int(holder.split(":")[1])
    [at_work] = [name for name in left if processes.running[name].pid == process_id]
    return at_work


def wait_for_tick(row: SimulationRow, tick: int, processes: Stack) -> None:
    wait_until(
        lambda: refreshed(row) is not None and row.committed_tick >= tick,
        seconds=SECONDS_MAX,
        told=lambda: logs_of(processes.folder),
    )


def refreshed(row: SimulationRow) -> SimulationRow | None:
    """Return the row as it is now, None while the database is away."""
    try:
        row.refresh_from_db()
    except OperationalError:
        connection.close()
        return None
    return row


def logs_of(folder: Path) -> str:
    return "\n".join(
        f"--- {log.name}\n{log.read_text()[-2_000:]}" for log in sorted(folder.glob("*.log"))
    )


def calls_made_twice(folder: Path) -> dict[str, list[str]]:
    """Return the calls that were asked again after their answer was kept, with the times.

    The workers say when they ask a model and when the call log's row is committed. Asking
    again is right only for calls whose answer was lost with the process that had it.
    """
    asked: dict[str, list[str]] = defaultdict(list)
    kept: dict[str, str] = {}
    lines = [
        json.loads(line)
        for log in folder.glob("*.log")
        for line in log.read_text().splitlines()
        if line.startswith("{")
    ]
    for line in lines:
        if line.get("event") == "model asked":
            asked[line["call"]].append(line["timestamp"])
        elif line.get("event") == "model call kept":
            kept.setdefault(line["call"], line["timestamp"])
    assert kept, "the workers have not said what they did"
    return {
        call: times
        for call, times in asked.items()
        if call in kept and any(asked_at > kept[call] for asked_at in times)
    }
