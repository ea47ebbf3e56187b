"""`manage.py carry_out WORK`: carry background work of any kind out in this process."""

import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from apps import wiring
from apps.console.in_process import exit_at_termination, restart_database
from apps.counterfactuals.commands import COUNTERFACTUALS, missing_runs, request_runs
from apps.django_support.service_command import ServiceCommand, members_of_file, progress_bar
from apps.evaluation.rankings.commands import RANKINGS
from apps.evaluation.rankings.report_pages import write_report
from apps.experiments.commands import EXPERIMENTS, request_experiment
from apps.experiments.design import read_design
from apps.experiments.event_table import progress_of
from apps.experiments.experiment_report import write_report_folder
from apps.experiments.in_process_experiments import InProcessOptions, run_experiment
from apps.experiments.progress import ExperimentProgress
from apps.experiments.queries import lived_ticks
from apps.kernel.request_models import read_value, read_values
from apps.kernel.requested_values import Id
from apps.replays.trial_sample import TrialRequest
from apps.replays.trials import request_trial
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lease import Lease
from apps.simulation.queries import calendar_of
from apps.work.kinds import WorkKind
from apps.work.rows import OPEN, RESUMABLE, WorkState

OPERATOR = "the operator"
BATCH_LOOK_SECONDS = 1.0
"""Between two looks at the batches of work; each server is asked less often."""


class Command(ServiceCommand):
    help = (
        "Carry work out that was requested, such as an experiment or a survey; repeat an "
        "interrupted command to continue. `manage.py operate` requests work and shows results."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "work",
            help="the id of work, or the file of an experiment or of a model trial to request",
        )
        parser.add_argument(
            "--output", type=Path, help="the folder of the report of an experiment or ranking"
        )
        parser.add_argument(
            "--at-once", type=int, default=1, help="runs of an experiment at the same time"
        )
        parser.add_argument(
            "--threads", type=int, default=8, help="turns of a run at once; 0: one"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        work_id, folder = _work_id(options["work"]), options["output"]
        kind = _kind_of(work_id)
        self.stdout.write(f"{kind.noun} {work_id}")
        self.stdout.flush()
        if folder is not None and kind not in _REPORTS:
            raise CommandError(f"a {kind.noun} has no report in a folder")
        with exit_at_termination(f"carry_out {work_id}"):
            if kind.get(work_id).state in RESUMABLE:
                kind.resume(work_id, by=OPERATOR)
            if kind.get(work_id).state in OPEN:
                _RUNNERS.get(kind, _carry_out)(kind, work_id, options)
            row = kind.get(work_id)
            if folder is not None:
                _REPORTS[kind](row, folder)
            if row.state != WorkState.DONE:
                is_cancelled = row.state == WorkState.CANCELLED
                hint = "" if is_cancelled else f"; continue it with carry_out {work_id}"
                raise CommandError(f"{kind.unfinished_problem(row)}{hint}")


def _work_id(work: str) -> UUID:
    """Return the id; of a file, that of the work that it requests.

    :raises DomainError: if the work cannot be carried out.
    """
    with suppress(ValueError):
        return UUID(work)
    members = members_of_file(Path(work))
    if "simulation" in members:
        return _trial_id(members)
    design = read_design(members)
    return request_experiment(wiring.ports(), design, wiring.LLM_TASK_NAMES, by=OPERATOR).pk


def _trial_id(members: Mapping[str, Any]) -> UUID:
    """Request the trial of a model of a file, which names the simulation; return its id."""
    others = {name: value for name, value in members.items() if name != "simulation"}
    simulation_id: UUID = read_value(Id, str(members["simulation"]), "simulation")
    context = {"calendar": calendar_of(simulation_id)}
    request = read_values(TrialRequest, others, context=context)
    return request_trial(wiring.ports(), simulation_id, request, by=OPERATOR).pk


def _kind_of(work_id: UUID) -> WorkKind[Any]:
    """Return the kind of the work.

    :raises CommandError: if there is none of that id.
    """
    for kind in wiring.WORK_KINDS.values():
        if kind.rows.filter(pk=work_id).exists():
            return kind
    raise CommandError(f"there is no work {work_id}: {', '.join(wiring.WORK_KINDS)}")


def _carry_out(kind: WorkKind[Any], work_id: UUID, _options: Mapping[str, Any]) -> None:
    """Carry work out that needs no simulation to run, after the end of each of its batches."""
    with progress_bar(kind.parts) as on_progress:
        while kind.carry_out(wiring.ports(), work_id, on_progress=on_progress):
            if not kind.awaits_batch(work_id):
                break
            time.sleep(BATCH_LOOK_SECONDS)


def _carry_out_experiment(
    _kind: WorkKind[Any], work_id: UUID, options: Mapping[str, Any]
) -> None:
    """Carry out the runs of an experiment that no other process carries out."""

    def show(progress: ExperimentProgress) -> None:
        show_ticks(lived_ticks(progress))

    in_process = InProcessOptions(
        at_once=options["at_once"],
        threads=options["threads"],
        on_step=show,
        on_outage=restart_database,
    )
    ticks = progress_of(work_id).requested.estimate["ticks"]
    with progress_bar("tick", total=ticks) as show_ticks:
        run_experiment(wiring.ports(), work_id, in_process)


def _carry_out_counterfactual(
    kind: WorkKind[Any], work_id: UUID, options: Mapping[str, Any]
) -> None:
    """Run what has not come to the end, and compare.

    The leases keep others away, also from the simulation that runs second, and end with the
    block: an interrupted command can be continued at once.
    """
    row = kind.get(work_id)
    run_options = RunOptions(threads=options["threads"])
    with ExitStack() as leases:
        missing = missing_runs(row)
        for one in missing:
            leases.enter_context(Lease(one.pk, run_options.holder))
        request_runs(row, running_max=0, holder=run_options.holder)
        for one in missing:
            with progress_bar("tick", total=row.until_tick, initial=one.committed_tick) as show:
                run_until_rest(wiring.ports(), one.pk, replace(run_options, on_progress=show))
    kind.carry_out(wiring.ports(), work_id)


_RUNNERS: Mapping[WorkKind[Any], Callable[[WorkKind[Any], UUID, Mapping[str, Any]], None]] = {
    EXPERIMENTS: _carry_out_experiment,
    COUNTERFACTUALS: _carry_out_counterfactual,
}
"""Of work that runs simulations, which schedulers and workers do for the service."""
_REPORTS: Mapping[WorkKind[Any], Callable[[Any, Path], object]] = {
    EXPERIMENTS: lambda row, folder: write_report_folder(wiring.ports(), row.pk, folder),
    RANKINGS: write_report,
}
