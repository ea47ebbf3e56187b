"""Two processes of one experiment carry out a run each at the same time."""

from pathlib import Path

import pytest

from apps.experiments.models import ExperimentRow
from apps.simulation.models import SimulationRow, Status
from apps.work.rows import WorkState
from tests.faults.console.test_killed_experiments import requested, started
from tests.support.processes import wait_until

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

DESIGN = """
name: shared
agents: [Isabella Rodriguez, Klaus Mueller, Maria Lopez]
seeds: {from: 1, to: 60}  # more than end before the second process has started
moments: [2023-02-13T06:30]
measures: [conversations]
"""
PATIENCE_SECONDS = 120.0


def holders() -> set[str]:
    """Return the processes that carry out runs now."""
    rows = SimulationRow.objects.filter(status=Status.RUNNING).exclude(lease_holder="")
    return set(rows.values_list("lease_holder", flat=True))


def test_each_process_carries_out_runs_of_its_own(tmp_path: Path) -> None:
    experiment = requested(DESIGN)
    with started(tmp_path, experiment) as first:
        with started(tmp_path, experiment) as second:
            wait_until(
                lambda: len(holders()) == 2,
                seconds=PATIENCE_SECONDS,
                told=lambda: f"the first process has ended: {first.poll() is not None}",
            )
            assert SimulationRow.objects.filter(status=Status.RUNNING).count() == 2
            first.terminate()
            second.communicate(timeout=PATIENCE_SECONDS)
        first.communicate(timeout=PATIENCE_SECONDS)
    assert ExperimentRow.objects.get().state == WorkState.PAUSED
    assert not SimulationRow.objects.exclude(status=Status.PAUSED).exists()
