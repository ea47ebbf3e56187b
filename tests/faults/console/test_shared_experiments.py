"""Two processes of one experiment carry out a run each at the same time."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from apps.experiments.models import ExperimentRow
from apps.simulation.models import SimulationRow, Status
from tests.support.processes import ROOT, environment_of

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

DESIGN = """
name: shared
agents: [Isabella Rodriguez, Klaus Mueller, Maria Lopez]
seeds: {from: 1, to: 20}
moments: [2023-02-13T06:30]
measures: [conversations]
"""
PATIENCE_SECONDS = 120.0


def started(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "manage.py", "experiment", "run", *arguments],
        cwd=ROOT,
        env=environment_of(folder),
        stdout=subprocess.PIPE,
        text=True,
    )


def holders() -> set[str]:
    """Return the processes that carry out runs now."""
    rows = SimulationRow.objects.filter(status=Status.RUNNING).exclude(lease_holder="")
    return set(rows.values_list("lease_holder", flat=True))


def test_each_process_carries_out_runs_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "experiment.yaml"
    file.write_text(DESIGN)
    with started(tmp_path, str(file)) as first:
        assert first.stdout is not None
        experiment = first.stdout.readline().split()[-1]
        with started(tmp_path, "--continue", experiment) as second:
            ends_at = time.monotonic() + PATIENCE_SECONDS
            while len(holders()) < 2:
                assert first.poll() is None, "it has ended alone"
                assert time.monotonic() < ends_at
                time.sleep(0.02)
            assert SimulationRow.objects.filter(status=Status.RUNNING).count() == 2
            first.terminate()
            second.communicate(timeout=PATIENCE_SECONDS)
        first.communicate(timeout=PATIENCE_SECONDS)
    assert ExperimentRow.objects.get().state == ExperimentRow.State.PAUSED
    assert not SimulationRow.objects.exclude(status=Status.PAUSED).exists()
