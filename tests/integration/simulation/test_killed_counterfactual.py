"""A process that is killed in the middle of a counterfactual leaves nothing half done."""

import os
import signal
import subprocess
from uuid import UUID

import pytest
from django.db import connection

from apps import wiring
from apps.counterfactuals.commands import (
    CounterfactualSpec,
    advance_counterfactual,
    request_counterfactual,
    waiting_counterfactuals,
)
from apps.counterfactuals.models import CounterfactualRow
from apps.lineage.models import LineageRow
from apps.simulation.commands.branch_interventions import BranchIntervention
from apps.simulation.engine.forks import ForkSpec
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.models import ClockRow, CommandRow, SimulationRow, Status
from tests.support.lost import lose_process
from tests.support.preloaded import PreloadedProcess
from tests.support.towns import found

pytestmark = pytest.mark.django_db(transaction=True)


def killed(step: str, named: UUID) -> None:
    """Kill a process with SIGKILL when it has come to the middle of a step."""
    base, _, query = os.environ["DATABASE_URL"].partition("?")
    url = f"{base.rpartition('/')[0]}/{connection.settings_dict['NAME']}"
    command = ("-m", "tests.integration.simulation.counterfactual_and_waits")
    environment = os.environ | {"DATABASE_URL": url + (f"?{query}" if query else "")}
    with PreloadedProcess(
        [*command, step, str(named)], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "waiting\n"
        finally:
            process.send_signal(signal.SIGKILL)


def run_all() -> None:
    """Do what schedulers and workers do with the simulations that run."""
    for row in SimulationRow.objects.filter(status=Status.RUNNING):
        run_until_rest(wiring.ports(), row.pk, RunOptions())


def test_a_killed_request_leaves_nothing() -> None:
    parent = found()
    killed("request", parent.pk)
    assert list(SimulationRow.with_deleted.values_list("pk", flat=True)) == [parent.pk]
    for model in (CounterfactualRow, LineageRow, CommandRow):
        assert not model._default_manager.exists()
    assert not ClockRow.objects.exists()


def test_a_killed_comparison_is_made_by_another_process() -> None:
    parent = found()
    voice = BranchIntervention(kind="inner-voice", agent="maria-lopez", text="You are tired")
    spec = CounterfactualSpec(
        fork=ForkSpec(name="a branch", at_tick=0), until_tick=60, interventions=(voice,)
    )
    row = request_counterfactual(wiring.ports(), parent.pk, spec, by="a tester")
    advance_counterfactual(row.pk)
    run_all()
    killed("advance", row.pk)
    row.refresh_from_db()
    assert (row.state, row.first_difference, row.differences) == ("running", "", [])
    # Nobody else takes it before the process counts as lost.
    assert waiting_counterfactuals() == []
    lose_process(CounterfactualRow.objects.filter(pk=row.pk))
    [again] = waiting_counterfactuals()
    advance_counterfactual(again)
    row.refresh_from_db()
    assert row.state == "compared"
    assert row.first_difference.split("/")[1] == "commands"
