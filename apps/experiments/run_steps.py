"""The next step of an experiment: runs observed, measured, forked, started and finished."""

from collections.abc import Callable
from itertools import product

import structlog
from django.db import transaction

from apps.django_support.outage_log import outage_of
from apps.experiments.budgets import budget_problem
from apps.experiments.event_table import ExperimentChanged
from apps.experiments.events import (
    ExperimentFinished,
    ExperimentPaused,
    RunFailed,
)
from apps.experiments.measuring_work import MEASURING_WORK
from apps.experiments.progress import ExperimentProgress, RunProgress
from apps.experiments.run_observation import RunObservation
from apps.experiments.run_starts import RunStarts
from apps.experiments.step_state import simulation_of
from apps.kernel.errors import SmallvilleError, problem_of_error
from apps.simulation.engine.lifecycle import (
    StillRunning,
    TooManyRunning,
    request_pause,
)
from apps.work.rows import OVER, WorkState

BUDGET_SPENT = "budget-spent"
RUNS_HELD = "runs-held"
WITH_EXPERIMENT = "paused-with-experiment"
"""The problem of a survey or a news search whose experiment is paused or over."""
_WAIT = (TooManyRunning, StillRunning)
"""What prevents a run now, and not later."""
logger = structlog.get_logger(__name__)


class ExperimentStep(RunObservation, RunStarts):
    """One step; `has_acted` says whether it has recorded an event."""

    def take(self) -> None:
        """Observe the runs, keep the budget, start what can be started, and end.

        :raises ExperimentChanged: if another process has recorded an event meanwhile.
        """
        if self.progress.state is not WorkState.RUNNING:
            return
        for run in self.progress.started:
            if run.state not in OVER:
                self._attempt(run, self._observe)
        if not self._pause_if_spent():
            for run in list(self.progress.runs.values()):
                self._attempt(run, self._start_or_continue)
        self._end()

    def _attempt(self, run: RunProgress, act: Callable[[RunProgress], None]) -> None:
        """Do something with a run; what cannot be done lets this run fail, and no other.

        :raises Exception: an error of the service, once the run has failed by it.
        """
        try:
            act(self._now(run))
        except _WAIT as error:
            logger.info("run waits", run=run.key, reason=error.message)
        except ExperimentChanged:
            raise
        except Exception as error:
            if outage_of(error) is not None:
                raise
            code, problem = problem_of_error(error)
            self._record(RunFailed(run=run.key, code=code, problem=problem))
            if not isinstance(error, SmallvilleError):
                raise

    def _pause_if_spent(self) -> bool:
        problem = budget_problem(self.progress)
        if not problem or self.progress.is_over:
            return False
        with transaction.atomic():
            self._record(ExperimentPaused(code=BUDGET_SPENT, problem=problem))
            pause_runs(self.progress, reason="the budget of the experiment is spent")
        return True

    def _end(self) -> None:
        runs = self.progress.runs.values()
        if self.progress.state is not WorkState.RUNNING:
            return
        if self.progress.is_over:
            self._record(ExperimentFinished())
            return
        held = [run for run in runs if run.state is WorkState.PAUSED and not run.continues]
        can_go_on = any(
            run.state is WorkState.RUNNING or run.continues or self._can_begin(run)
            for run in runs
        )
        if held and not can_go_on:
            reasons = "; ".join(f"{run.key}: {run.problem}" for run in held[:3])
            with transaction.atomic():
                self._record(ExperimentPaused(code=RUNS_HELD, problem=f"held are {reasons}"))
                pause_measurements(self.progress, reason="all runs of the experiment are held")

    def _can_begin(self, run: RunProgress) -> bool:
        base = self.progress.design.base_of(run.planned)
        return run.state is WorkState.PENDING and base.key == run.key


def pause_runs(progress: ExperimentProgress, *, reason: str) -> None:
    """Pause the simulations of the runs that are not over, and what measures them."""
    for run in progress.started:
        if run.state not in OVER and (row := simulation_of(run)) is not None:
            request_pause(row.pk, reason=reason)
    pause_measurements(progress, reason=reason)


def pause_measurements(progress: ExperimentProgress, *, reason: str) -> None:
    """Pause the surveys and news searches of all runs; no model call of them begins any more.

    They are resumed with their runs.
    """
    for kind, run in product(MEASURING_WORK, progress.started):
        kind.kind.pause_all(kind.ids(run).values(), WITH_EXPERIMENT, reason)
