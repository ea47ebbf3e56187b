"""`manage.py simulate` pauses at SIGTERM, and goes on to the history of an undisturbed run."""

import signal
from pathlib import Path

import pytest

from apps.eventlog.store import log_sha256
from apps.simulation.models import SimulationRow, Status
from tests.support.processes import Stack, stack, wait_until
from tests.support.snapshots import simulated
from tests.support.towns import found

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

SECONDS_MAX = 120.0
UNTIL = "2023-02-13T06:30"


def test_goes_on_to_the_same_history_after_sigterm(tmp_path: Path) -> None:
    undisturbed, terminated = simulated(UNTIL), found()
    with stack(tmp_path) as processes:
        start(processes, "first", terminated)

        def is_under_way() -> bool:
            terminated.refresh_from_db()
            return terminated.status == Status.RUNNING and terminated.committed_tick > 0

        wait_until(is_under_way, seconds=SECONDS_MAX, told=lambda: processes.log_of("first"))
        process = processes.running.pop("first")
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS_MAX) == 128 + signal.SIGTERM, processes.log_of("first")
        terminated.refresh_from_db()
        assert terminated.status == Status.PAUSED
        assert terminated.committed_tick < undisturbed.committed_tick
        assert "Traceback" not in processes.log_of("first")
        hint = f"interrupted by SIGTERM; continue it with --continue {terminated.pk}"
        assert hint in processes.log_of("first")

        start(processes, "second", terminated)
        ended = processes.running.pop("second").wait(SECONDS_MAX)
        assert ended == 0, processes.log_of("second")
    assert log_sha256(terminated.pk) == log_sha256(undisturbed.pk)


def start(processes: Stack, name: str, row: SimulationRow) -> None:
    """Start a process that runs the simulation to the end."""
    arguments = ("--continue", str(row.pk), "--until", UNTIL)
    processes.start(name, "manage.py", "simulate", *arguments)
