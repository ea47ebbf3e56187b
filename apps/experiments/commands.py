"""Commands of experiments: request, advance, pause, resume, cancel, delete (E5)."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone

from apps import history
from apps.django_support.background_work import BackgroundWork
from apps.django_support.heartbeat import held
from apps.experiments.design import ExperimentDesign, budget_json
from apps.experiments.design_checks import check_design
from apps.experiments.design_files import design_json
from apps.experiments.event_table import ExperimentChanged, append, lock, progress_of
from apps.experiments.events import (
    ExperimentCancelled,
    ExperimentPaused,
    ExperimentRequested,
    ExperimentResumed,
)
from apps.experiments.experiment_estimates import estimate_experiment
from apps.experiments.models import ExperimentRow
from apps.experiments.progress import ExperimentProgress
from apps.experiments.run_steps import ExperimentStep, pause_runs
from apps.experiments.step_state import StepOptions
from apps.kernel.errors import DomainError
from apps.llm.calls.budget import Budget, ensure_budget_priced
from apps.simulation.ports import Ports

PAUSED_BY_USER = "paused-by-user"
_State = ExperimentRow.State
logger = structlog.get_logger(__name__)


class ExperimentNotRunning(DomainError):
    """Only an experiment that is running can be paused."""

    code: ClassVar[str] = "experiment-not-running"


class ExperimentNotPaused(DomainError):
    """Only an experiment that is paused can be resumed."""

    code: ClassVar[str] = "experiment-not-paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class _ExperimentWork(BackgroundWork[ExperimentRow]):
    """Experiments, whose state is derived from their events."""

    def stop(self, work_id: UUID, code: str, problem: str) -> None:
        """Pause the experiment with its runs."""
        with transaction.atomic():
            row = lock(work_id)
            if row.state == _State.RUNNING:
                event = ExperimentPaused(code=code, problem=problem)
                pause_runs(
                    append(work_id, event, progress_of(work_id)),
                    reason="the experiment was paused by an error",
                )


EXPERIMENTS = _ExperimentWork(
    model=ExperimentRow,
    noun="experiment",
    open_states=(_State.RUNNING,),
    in_steps=True,
    awaits="its runs",
    not_paused=ExperimentNotPaused,
)


class ExperimentOver(DomainError):
    """The experiment is over: finished or cancelled."""

    code: ClassVar[str] = "experiment-over"


class ExperimentAtWork(DomainError):
    """The experiment is at work; pause or cancel it first."""

    code: ClassVar[str] = "experiment-at-work"


def request_experiment(
    ports: Ports,
    design: ExperimentDesign,
    chains: Iterable[str],
    *,
    by: str,
    reason: str = "",
    owner_id: int | None = None,
) -> ExperimentRow:
    """Record the request; workers, or a command, carry it out.

    :param chains: the names of all LLM tasks, for the estimate.
    :raises DomainError: if a run could not be created or measured; see `check_design`.
    """
    check_design(ports, design)
    estimate = estimate_experiment(ports, design, chains)
    requested = ExperimentRequested(
        design=design_json(design), estimate=estimate.to_json(), reason=reason
    )
    with transaction.atomic():
        row = ExperimentRow.objects.create(
            owner_id=owner_id, name=design.name, title=design.title
        )
        append(row.pk, requested, None, by=by)
        row.refresh_from_db()
    return row


def waiting_experiments() -> list[UUID]:
    """Return the experiments that are not over or paused and have no process at a step."""
    return EXPERIMENTS.ids()


def advance_experiment(ports: Ports, experiment_id: UUID, *, running_max: int = 0) -> None:
    """Take the next step of an experiment; the runs are those of schedulers and workers.

    Does nothing if it is over, paused, deleted, or taken by another process.

    :param running_max: how many simulations of an owner may run at once; 0 for no limit.
    """
    row = EXPERIMENTS.take(experiment_id)
    if row is None:
        return
    with EXPERIMENTS.carried_out(experiment_id):
        try:
            ExperimentStep(ports, row, StepOptions(running_max=running_max)).take()
        except ExperimentChanged as error:
            logger.info("experiment changed meanwhile", reason=error.message)


@contextmanager
def kept_from_workers(experiment_id: UUID) -> Iterator[None]:
    """Keep workers away from an experiment while this process carries it out.

    Other processes may carry it out, too: workers may take it when the last heartbeat lapses.
    """
    ExperimentRow.objects.filter(pk=experiment_id).update(seen_at=timezone.now())
    with held(ExperimentRow, experiment_id):
        yield


def pause_experiment(experiment_id: UUID, *, by: str, reason: str = "") -> ExperimentProgress:
    """Pause the experiment with its runs, their surveys and their news searches.

    What these have paid for is kept; they go on where they were with their runs.

    :raises ExperimentNotRunning: if it does not run.
    """
    with transaction.atomic():
        row = lock(experiment_id)
        if row.state != _State.RUNNING:
            raise ExperimentNotRunning(
                f"the experiment is {row.state}; only one that runs pauses"
            )
        problem = reason or f"paused by {by}"
        event = ExperimentPaused(code=PAUSED_BY_USER, problem=problem)
        progress = append(experiment_id, event, progress_of(experiment_id), by=by)
        pause_runs(progress, reason="the experiment was paused")
    return progress


def resume_experiment(
    experiment_id: UUID, *, by: str, budget: Budget | None = None
) -> ExperimentProgress:
    """Let a paused experiment go on with the runs that were held.

    :param budget: another budget of all runs together; None to keep the old one.
    :raises ExperimentNotPaused: if it is not paused.
    :raises PriceUnknown: if the budget is of money, and the price of a model is unknown.
    """
    with transaction.atomic():
        row = lock(experiment_id)
        if row.state != _State.PAUSED:
            raise ExperimentNotPaused(
                f"the experiment is {row.state}; only a paused one resumes"
            )
        progress = progress_of(experiment_id)
        for run in progress.started:
            if budget is not None and run.simulation is not None:
                ensure_budget_priced(budget, history.model_of(run.simulation))
        changed = None if budget is None else budget_json(budget)
        return append(experiment_id, ExperimentResumed(budget=changed), progress, by=by)


def cancel_experiment(experiment_id: UUID, *, by: str, reason: str = "") -> ExperimentProgress:
    """End the experiment and pause its runs, their surveys and their news searches.

    What is measured and what is answered stays.

    :raises ExperimentOver: if it is finished or cancelled.
    """
    with transaction.atomic():
        row = lock(experiment_id)
        if row.state not in {_State.RUNNING, _State.PAUSED}:
            raise ExperimentOver(f"the experiment is {row.state}")
        event = ExperimentCancelled(reason=reason)
        progress = append(experiment_id, event, progress_of(experiment_id), by=by)
        pause_runs(progress, reason="the experiment was cancelled")
    return progress


def delete_experiment(experiment_id: UUID) -> None:
    """Delete an experiment that does not run, with its events; its simulations stay.

    :raises ExperimentAtWork: if it is running.
    """
    with transaction.atomic():
        row = lock(experiment_id)
        if row.state == _State.RUNNING:
            raise ExperimentAtWork
        row.delete()
