"""An experiment whose process is killed or terminated gives the same tables."""

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
import yaml

from apps import wiring
from apps.evaluation.models import SurveyRow
from apps.experiments.commands import request_experiment
from apps.experiments.design import read_design
from apps.experiments.models import ExperimentEventRow, ExperimentRow
from apps.experiments.run_steps import WITH_EXPERIMENT
from apps.interaction.models import InterviewRow
from apps.simulation.models import SimulationRow, Status
from apps.work.rows import WorkState
from tests.support.preloaded import PreloadedProcess
from tests.support.processes import ROOT, environment_of

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

DESIGN = """
name: killed
agents: [Isabella Rodriguez, Klaus Mueller, Maria Lopez]
seeds: [1, 2]
interventions:
  none: {}
  tired:
    at: 2023-02-13T06:30
    commands: [{kind: inner-voice, agent: Maria Lopez, text: You are too tired to talk}]
moments: [2023-02-13T06:30, 2023-02-13T07:30]
measures: [network, conversations, plans, quality.memories_per_agent_day]
"""
SURVEYED = """
name: terminated
agents: [Isabella Rodriguez, Klaus Mueller, Maria Lopez]
seeds: [1]
moments: [2023-02-13T06:20]
measures: [{survey: {questionnaire: news, condition: no-reflection}}]
"""
TABLES = ("results.csv", "summary.csv")
PATIENCE_SECONDS = 120.0


def signal_when(
    is_due: Callable[[], bool], process: subprocess.Popen[str], number: signal.Signals
) -> None:
    """Send a process the signal when something has happened."""
    ends_at = time.monotonic() + PATIENCE_SECONDS
    while not is_due():
        assert process.poll() is None, f"it has ended before {number.name}"
        assert time.monotonic() < ends_at
        time.sleep(0.02)
    process.send_signal(number)


def started(
    folder: Path, experiment: UUID, *options: str, stderr: int | None = None
) -> "subprocess.Popen[str]":
    """Start a process that carries an experiment out."""
    return PreloadedProcess(
        ("manage.py", "carry_out", str(experiment), *options),
        cwd=ROOT,
        env=environment_of(folder),
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )


def requested(design: str) -> UUID:
    """Request an experiment, and return its id."""
    asked = read_design(yaml.safe_load(design))
    return request_experiment(wiring.ports(), asked, wiring.LLM_TASK_NAMES, by="a test").pk


def killed_when(is_due: Callable[[], bool], folder: Path, experiment: UUID) -> None:
    """Kill a process with SIGKILL when something has happened."""
    with started(folder, experiment) as process:
        signal_when(is_due, process, signal.SIGKILL)


def told_by_terminated(is_due: Callable[[], bool], folder: Path, experiment: UUID) -> str:
    """Send a process SIGTERM when something has happened; return what it has said."""
    with started(folder, experiment, stderr=subprocess.PIPE) as process:
        signal_when(is_due, process, signal.SIGTERM)
        _, told = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 128 + signal.SIGTERM, told
    assert "Traceback" not in told
    return told


def recorded(kind: str, count: int) -> Callable[[], bool]:
    """Return whether so many events of a type are recorded."""
    rows = ExperimentEventRow.objects.filter(type=f"experiment.{kind}.v1")
    return lambda: rows.count() >= count


def ended(folder: Path, experiment: UUID, name: str) -> None:
    """Carry an experiment out to its end, and write its report."""
    with started(folder, experiment, "--output", str(folder / name)) as process:
        assert process.stdout is not None
        printed = process.stdout.read()
    assert process.returncode == 0, printed


def test_three_kills_change_no_byte_of_the_tables(tmp_path: Path) -> None:
    # In the first run, while its past is forked, and between the last runs.
    experiment = requested(DESIGN)
    killed_when(recorded("run-started", 1), tmp_path, experiment)
    killed_when(recorded("run-started", 2), tmp_path, experiment)
    killed_when(recorded("run-finished", 3), tmp_path, experiment)
    assert ExperimentRow.objects.get().state == WorkState.RUNNING
    ended(tmp_path, experiment, "killed")
    assert ExperimentRow.objects.get().state == WorkState.DONE
    ended(tmp_path, requested(DESIGN), "undisturbed")
    for name in TABLES:
        tables = [
            (tmp_path / folder / name).read_bytes() for folder in ("killed", "undisturbed")
        ]
        assert tables[0] == tables[1], name
        assert tables[0].count(b"\n") > 50


def test_sigterm_pauses_in_a_run_and_in_a_survey_and_changes_no_byte(tmp_path: Path) -> None:
    experiment = requested(SURVEYED)
    told = told_by_terminated(recorded("run-started", 1), tmp_path, experiment)
    row = ExperimentRow.objects.get()
    hint = f"paused: interrupted by SIGTERM; continue it with carry_out {row.pk}"
    assert hint in told
    assert row.state == WorkState.PAUSED
    assert SimulationRow.objects.get().status == Status.PAUSED

    answered = InterviewRow.objects.filter(state=WorkState.DONE)
    assert hint in told_by_terminated(answered.exists, tmp_path, experiment)
    row.refresh_from_db()
    assert row.state == WorkState.PAUSED
    survey = SurveyRow.objects.get()
    assert (survey.state, survey.problem_code) == (WorkState.PAUSED, WITH_EXPERIMENT)
    assert not InterviewRow.objects.filter(state=WorkState.RUNNING).exists()

    ended(tmp_path, experiment, "terminated")
    ended(tmp_path, requested(SURVEYED), "undisturbed")
    for name in TABLES:
        tables = [
            (tmp_path / folder / name).read_bytes() for folder in ("terminated", "undisturbed")
        ]
        assert tables[0] == tables[1], name
