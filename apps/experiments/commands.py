"""Experiments: the request of one, its next step, and what users may do with it (E5)."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone

from apps import history
from apps.django_support.heartbeat import held
from apps.experiments.design import ExperimentDesign
from apps.experiments.design_checks import check_design, estimate_experiment
from apps.experiments.event_table import ExperimentChanged, append, lock, progress_of
from apps.experiments.models import ExperimentRow
from apps.experiments.progress import (
    ExperimentCancelled,
    ExperimentPaused,
    ExperimentRequested,
    ExperimentResumed,
)
from apps.experiments.run_starts import StepOptions
from apps.experiments.run_steps import ExperimentStep, pause_runs
from apps.llm.calls.budget import Budget, ensure_budget_priced
from apps.simulation.ports import Ports
from apps.work.kinds import PAUSED_BY_USER, TakenWork, WorkKind, WorkProgress
from apps.work.rows import OPEN

logger = structlog.get_logger(__name__)


def request_experiment(
    ports: Ports,
    design: ExperimentDesign,
    tasks: Iterable[str],
    *,
    by: str,
    reason: str = "",
    owner_id: int | None = None,
) -> ExperimentRow:
    """Record the request; workers, or a command, carry it out.

    :param tasks: the names of all LLM tasks, for the estimate.
    :raises DomainError: if a run could not be created or measured; see `check_design`.
    """
    check_design(ports, design)
    estimate = estimate_experiment(ports, design, tasks)
    requested = ExperimentRequested(
        design=json.dumps(design.to_json()), estimate=estimate.to_json(), reason=reason
    )
    with transaction.atomic():
        row = ExperimentRow.objects.create(
            owner_id=owner_id, name=design.name, title=design.title
        )
        append(row.pk, requested, None, by=by)
        row.refresh_from_db()
    return row


@contextmanager
def kept_from_workers(experiment_id: UUID) -> Iterator[None]:
    """Keep workers away from an experiment while this process carries it out.

    Other processes may carry it out, too: workers may take it when the last heartbeat lapses.
    """
    ExperimentRow.objects.filter(pk=experiment_id).update(seen_at=timezone.now())
    with held(ExperimentRow, experiment_id):
        yield


def _take_step(taken: TakenWork[ExperimentRow]) -> None:
    """Take the next step of an experiment; the runs are those of schedulers and workers."""
    try:
        ExperimentStep(
            taken.ports, taken.row, StepOptions(running_max=taken.running_max)
        ).take()
    except ExperimentChanged as error:
        logger.info("experiment changed meanwhile", reason=error.message)


class _ExperimentKind(WorkKind[ExperimentRow]):
    """Experiments, whose state is derived from their events."""

    def stop(self, work_id: UUID, code: str, problem: str) -> None:
        """Pause the experiment with its runs after an error."""
        self._pause(work_id, code, problem, "the experiment was paused by an error")

    def pause(self, work_id: UUID, *, by: str, reason: str = "") -> None:
        """Pause the experiment with its runs, their surveys and their news searches.

        What these have paid for is kept; they go on where they were with their runs.

        :raises WorkOver: if it is over.
        """
        problem = reason or f"paused by {by}"
        with transaction.atomic():
            self._ensure_not_over(lock(work_id).pk)
            self._pause(work_id, PAUSED_BY_USER, problem, "the experiment was paused", by=by)

    def resume(self, work_id: UUID, *, by: str, **changes: Any) -> None:
        """Resume a paused experiment with the runs that were held.

        :param changes: `budget` is another budget of all runs together; None keeps the old one.
        :raises WorkNotPaused: if it is not paused.
        :raises PriceUnknown: if the budget is of money, and the price of a model is unknown.
        """
        budget: Budget | None = changes.get("budget")
        with transaction.atomic():
            self._ensure_resumable(lock(work_id))
            progress = progress_of(work_id)
            for run in progress.started:
                if budget is not None and run.simulation is not None:
                    ensure_budget_priced(budget, history.model_of(run.simulation))
            changed = None if budget is None else budget.to_json()
            append(work_id, ExperimentResumed(budget=changed), progress, by=by)

    def cancel(self, work_id: UUID, *, by: str, reason: str = "") -> None:
        """End the experiment and pause its runs, their surveys and their news searches.

        What is measured and what is answered stays.

        :raises WorkOver: if it is over.
        """
        with transaction.atomic():
            self._ensure_not_over(lock(work_id).pk)
            event = ExperimentCancelled(reason=reason or f"cancelled by {by}")
            progress = append(work_id, event, progress_of(work_id), by=by)
            pause_runs(progress, reason="the experiment was cancelled")

    def delete(self, work_id: UUID) -> None:
        """Delete the experiment with its events, and pause its runs; its simulations stay."""
        with transaction.atomic():
            lock(work_id)
            pause_runs(progress_of(work_id), reason="the experiment was deleted")
            super().delete(work_id)

    def progress_of(self, rows: Sequence[ExperimentRow]) -> Mapping[UUID, WorkProgress]:
        """Return the measured runs of each experiment and those that are over."""
        return {row.pk: WorkProgress(done=row.finished_runs, total=row.runs) for row in rows}

    def _pause(
        self, work_id: UUID, code: str, problem: str, reason: str, *, by: str = ""
    ) -> None:
        with transaction.atomic():
            if lock(work_id).state in OPEN:
                event = ExperimentPaused(code=code, problem=problem)
                progress = append(work_id, event, progress_of(work_id), by=by)
                pause_runs(progress, reason=reason)


EXPERIMENTS = _ExperimentKind(
    name="experiment",
    model=ExperimentRow,
    parts="runs",
    step=_take_step,
    in_steps=True,
    awaits="its runs",
)
