"""`manage.py experiment run FILE.yaml`: many runs under conditions, measured and compared."""

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from apps import wiring
from apps.console.options import user_named
from apps.console.termination import exit_at_termination
from apps.console.work_here import OPERATOR, restart_database
from apps.django_support.progress_bar import progress_bar
from apps.django_support.service_command import ServiceCommand
from apps.evaluation.statistics.rank_tests import is_scipy_installed
from apps.experiments.commands import EXPERIMENTS, request_experiment
from apps.experiments.design import ExperimentDesign, load_design
from apps.experiments.design_checks import ExperimentEstimate, check_design, estimate_experiment
from apps.experiments.event_table import progress_of
from apps.experiments.experiment_report import write_report_folder
from apps.experiments.in_process_experiments import InProcessOptions, run_experiment
from apps.experiments.measure_registry import MEASURES
from apps.experiments.models import ExperimentRow
from apps.experiments.progress import ExperimentProgress
from apps.experiments.queries import lived_ticks
from apps.kernel.request_models import read_values
from apps.llm.calls.budget import Budget
from apps.work.rows import WorkState

ACTIONS = ("run", "estimate", "report", "pause", "resume", "cancel", "list", "measures")


class Command(ServiceCommand):
    help = "Carry out an experiment in this process; it can be killed and continued."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=ACTIONS)
        parser.add_argument("file", type=Path, nargs="?", help="YAML; for run and estimate")
        parser.add_argument("--experiment", type=UUID, help="an experiment that exists")
        parser.add_argument(
            "--continue", dest="continued", type=UUID, help="run: continue this experiment"
        )
        parser.add_argument("--output", type=Path, help="the folder of the report")
        parser.add_argument(
            "--owner",
            help="the user that owns the simulations and whose questionnaires can be asked",
        )
        parser.add_argument("--budget-tokens", type=int, help="resume: another limit")
        parser.add_argument("--budget-money", help="resume: another limit")
        parser.add_argument(
            "--at-once", type=int, default=1, help="runs at the same time in this process"
        )
        parser.add_argument(
            "--threads", type=int, default=8, help="turns of a run at once; 0: one"
        )
        parser.add_argument(
            "--workers",
            action="store_true",
            help="run: leave it to the workers of the service",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["action"] == "measures":
            for one in MEASURES.values():
                self.stdout.write(f"{one.name}: {one.description}")
            return
        getattr(self, f"_{options['action']}")(options)

    def _estimate(self, options: dict[str, Any]) -> None:
        design = _design(options)
        check_design(wiring.ports(), design)
        found = estimate_experiment(wiring.ports(), design, wiring.LLM_TASK_NAMES)
        for line in _estimate_lines(design, found):
            self.stdout.write(line)

    def _run(self, options: dict[str, Any]) -> None:
        experiment_id: UUID | None = options["continued"]
        if experiment_id is None:
            owner = _owner(options)
            row = request_experiment(
                wiring.ports(),
                _design(options),
                wiring.LLM_TASK_NAMES,
                by=owner.get_username() if owner else OPERATOR,
                owner_id=owner.pk if owner else None,
            )
            experiment_id = row.pk
        elif progress_of(experiment_id).state is WorkState.PAUSED:
            EXPERIMENTS.resume(experiment_id, by=OPERATOR)
        with exit_at_termination(f"experiment run --continue {experiment_id}"):
            self.stdout.write(f"experiment {experiment_id}")
            self.stdout.flush()
            if not options["workers"]:
                self._run_here(experiment_id, options)

    def _run_here(self, experiment_id: UUID, options: dict[str, Any]) -> None:
        """Carry the experiment out to its end, and write the report."""
        progress = self._carry_out(experiment_id, options)
        if options["output"]:
            self._write_report(experiment_id, options["output"])
        if progress.state is not WorkState.DONE:
            raise CommandError(
                f"{progress.state}: {progress.problem}; continue it with "
                f"experiment run --continue {experiment_id}"
            )
        if failed := [run for run in progress.runs.values() if run.state is WorkState.FAILED]:
            reasons = "; ".join(f"{run.key}: {run.problem}" for run in failed)
            raise CommandError(f"{len(failed)} runs have failed: {reasons}")

    def _carry_out(self, experiment_id: UUID, options: dict[str, Any]) -> ExperimentProgress:
        """Run the experiment here, and print each run that is over."""
        printed: set[str] = {
            run.key
            for run in progress_of(experiment_id).runs.values()
            if run.finished is not None
        }

        def show(progress: ExperimentProgress) -> None:
            show_ticks(lived_ticks(progress))
            for run in progress.runs.values():
                if run.finished is not None and run.key not in printed:
                    printed.add(run.key)
                    self.stdout.write(
                        f"{progress.finished_runs}/{len(progress.design.measured_runs)} "
                        f"{run.key}: {run.finished.calls:,} calls, "
                        f"{run.finished.tokens:,} tokens"
                    )
                    self.stdout.flush()

        in_process = InProcessOptions(
            at_once=options["at_once"],
            threads=options["threads"],
            on_step=show,
            on_outage=restart_database,
        )
        ticks = progress_of(experiment_id).requested.estimate["ticks"]
        with progress_bar("tick", total=ticks) as show_ticks:
            return run_experiment(wiring.ports(), experiment_id, in_process)

    def _report(self, options: dict[str, Any]) -> None:
        if not options["output"]:
            raise CommandError("name the folder: --output")
        self._write_report(_experiment(options), options["output"])

    def _write_report(self, experiment_id: UUID, folder: Path) -> None:
        if not is_scipy_installed():
            self.stdout.write("no tests and no plots: install requirements-evaluation.txt")
        for path in write_report_folder(wiring.ports(), experiment_id, folder):
            self.stdout.write(f"{path}: {path.stat().st_size:,} bytes")

    def _pause(self, options: dict[str, Any]) -> None:
        self._change(options, EXPERIMENTS.pause)

    def _resume(self, options: dict[str, Any]) -> None:
        given = {"tokens": options["budget_tokens"], "money": options["budget_money"]}
        budget = read_values(Budget, given) if any(given.values()) else None
        self._change(options, EXPERIMENTS.resume, budget=budget)

    def _cancel(self, options: dict[str, Any]) -> None:
        self._change(options, EXPERIMENTS.cancel)

    def _change(
        self, options: dict[str, Any], change: Callable[..., None], **values: Any
    ) -> None:
        experiment_id = _experiment(options)
        change(experiment_id, by=OPERATOR, **values)
        self.stdout.write(EXPERIMENTS.get(experiment_id).state)

    def _list(self, _options: dict[str, Any]) -> None:
        for row in ExperimentRow.objects.order_by("requested_at"):
            self.stdout.write(
                f"{row.pk} {row.name}: {row.state}, {row.finished_runs} of {row.runs} runs"
            )


def _owner(options: dict[str, Any]) -> User | None:
    return user_named(options["owner"]) if options["owner"] else None


def _design(options: dict[str, Any]) -> ExperimentDesign:
    if options["file"] is None:
        raise CommandError("name the file of the experiment")
    return load_design(options["file"], _owner(options))


def _experiment(options: dict[str, Any]) -> UUID:
    experiment_id: UUID | None = options["experiment"]
    if experiment_id is None:
        raise CommandError("name the experiment: --experiment ID; `experiment list` lists them")
    return experiment_id


def _estimate_lines(design: ExperimentDesign, found: ExperimentEstimate) -> list[str]:
    total = found.total
    return [
        f"{len(design.conditions)} conditions with {len(design.seeds)} seeds: "
        f"{len(design.measured_runs)} measured runs and {design.shared_pasts} of shared pasts",
        f"{found.ticks:,} ticks to run, {found.shared_ticks:,} shared by forks",
        f"{total.calls:,} calls, {total.tokens:,} tokens, cost {total.cost:f}",
    ]
