"""A counterfactual that is carried out here ends at SIGTERM, and goes on to the comparison."""

import signal
from pathlib import Path

import pytest

from apps import wiring
from apps.counterfactuals.commands import CounterfactualSpec, request_counterfactual
from apps.kernel.request_models import read_values
from apps.simulation.commands.branch_interventions import BranchIntervention
from apps.simulation.commands.interventions import InnerVoiceBody
from apps.simulation.engine.forks import ForkSpec
from apps.simulation.models import SimulationRow, Status
from apps.work.rows import WorkState
from tests.support.processes import stack, wait_until
from tests.support.snapshots import simulated

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

SECONDS_MAX = 120.0


def test_goes_on_to_the_comparison_after_sigterm(tmp_path: Path) -> None:
    parent = simulated("2023-02-13T06:15")
    spec = CounterfactualSpec(
        fork=ForkSpec(name="a branch", at_tick=parent.committed_tick - 30),
        until_tick=parent.committed_tick + 270,
        interventions=[
            read_values(
                BranchIntervention,
                {
                    "kind": InnerVoiceBody.kind,
                    "agent": "isabella-rodriguez",
                    "text": "You should close the cafe today",
                },
            )
        ],
    )
    row = request_counterfactual(wiring.ports(), parent.pk, spec, by="a test")
    command = ("manage.py", "carry_out", str(row.pk))
    with stack(tmp_path) as processes:
        processes.start("first", *command)

        def is_under_way() -> bool:
            return SimulationRow.objects.filter(status=Status.RUNNING).exists()

        wait_until(is_under_way, seconds=SECONDS_MAX, told=lambda: processes.log_of("first"))
        process = processes.running.pop("first")
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS_MAX) == 128 + signal.SIGTERM, processes.log_of("first")
        hint = f"interrupted by SIGTERM; continue it with carry_out {row.pk}"
        assert hint in processes.log_of("first")
        assert "Traceback" not in processes.log_of("first")

        processes.start("second", *command)
        ended = processes.running.pop("second").wait(SECONDS_MAX)
        assert ended == 0, processes.log_of("second")
    row.refresh_from_db()
    assert row.state == WorkState.DONE
    assert row.first_difference
