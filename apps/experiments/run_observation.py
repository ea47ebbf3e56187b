"""Observes the runs of an experiment: measured, held, finished, lost."""

from typing import Any

from django.db import transaction

from apps import history
from apps.experiments.budgets import remaining_budget, spent_by_run
from apps.experiments.event_table import lock
from apps.experiments.events import (
    RunContinued,
    RunFailed,
    RunFinished,
    RunHeld,
    RunMeasured,
)
from apps.experiments.measuring import MeasuredRun, measure
from apps.experiments.measuring_work import OF_NEWS_SEARCHES, OF_SURVEYS, MeasuringWork
from apps.experiments.progress import RunProgress
from apps.experiments.run_surveys import values_of_survey
from apps.experiments.step_state import StepState, simulation_of
from apps.history import SimulationRow, Status
from apps.work.rows import WorkState

MEASUREMENTS_PER_STEP = 5
"""A step of a worker stays short; the next one goes on."""


class RunObservation(StepState):
    """The part of a step that records what has come of the runs."""

    _measured = 0

    def _observe(self, run: RunProgress) -> None:
        """Record what the simulation of a run has come to."""
        row = simulation_of(run)
        if row is None:
            problem = "its simulation was deleted"
            self._record(RunFailed(run=run.key, code="simulation-deleted", problem=problem))
            return
        if self.progress.design.is_measured(run.planned) and not self._measure(run, row):
            return
        run = self._now(run)
        if row.committed_tick >= run.until_tick and self._is_measured(run):
            self._finish(run, row)
        elif row.committed_tick >= run.until_tick:
            return  # its surveys are answered
        elif row.status == Status.PAUSED and run.state is WorkState.RUNNING:
            self._record(RunHeld(run=run.key, tick=row.committed_tick, reason=row.reason))
        elif row.status == Status.RUNNING and run.state is WorkState.PAUSED:
            self._record(RunContinued(run=run.key))

    def _measure(self, run: RunProgress, row: SimulationRow) -> bool:
        """Measure the moments that the run has come to; False if one has to wait."""
        for tick in self._moments(run.planned):
            if tick in run.values or tick > row.committed_tick:
                continue
            if self._measured >= MEASUREMENTS_PER_STEP:
                return False
            surveys = self._finished_work(OF_SURVEYS, run, row, tick)
            searches = self._finished_work(OF_NEWS_SEARCHES, run, row, tick)
            if surveys is None or searches is None:
                return False
            self._measured += 1
            at_tick = MeasuredRun(self._ports, row.pk, tick, searches)
            values = measure(at_tick, self.progress.design)
            for one in self.progress.design.surveys:
                values |= values_of_survey(one, surveys[one.questionnaire.name])
            self._record(RunMeasured(run=run.key, tick=tick, values=values))
        return True

    def _finished_work(
        self, kind: MeasuringWork, run: RunProgress, row: SimulationRow, tick: int
    ) -> dict[str, Any] | None:
        """Return the rows of a kind of work by measure; None until all are finished.

        Work that is not requested yet, or was cancelled or deleted by a user, is
        requested.
        """
        finished: dict[str, Any] = {}
        measures = kind.measures(self.progress.design)
        for name, measured in measures.items():
            work = kind.row(self._now(run), tick, name)
            if work is None:
                self._request_work(kind, run, row, name, measured, tick)
            elif work.state == WorkState.DONE:
                finished[name] = work
            elif work.state == WorkState.PAUSED and self._is_running(run):
                reason = f"its {kind.kind.noun} is paused: {work.problem}"
                self._record(RunHeld(run=run.key, tick=row.committed_tick, reason=reason))
        return finished if len(finished) == len(measures) else None

    def _is_running(self, run: RunProgress) -> bool:
        return self._now(run).state is WorkState.RUNNING

    def _request_work(
        self,
        kind: MeasuringWork,
        run: RunProgress,
        row: SimulationRow,
        name: str,
        measured: Any,
        tick: int,
    ) -> None:
        with transaction.atomic():
            lock(self._row.pk)
            remaining = remaining_budget(self.progress)
            work = kind.request(
                row.pk, measured, tick=tick, tokens_max=remaining.tokens, by=self._row.by
            )
            self._record(kind.started(run.key, tick, name, work.pk))

    def _finish(self, run: RunProgress, row: SimulationRow) -> None:
        used = spent_by_run(self.progress)[run.key]
        self._record(
            RunFinished(
                run=run.key,
                tick=row.committed_tick,
                calls=used.calls,
                tokens=used.tokens,
                cost=str(used.cost),
                log_sha256=history.log_sha256(row.pk),
            )
        )

    def _is_measured(self, run: RunProgress) -> bool:
        if not self.progress.design.is_measured(run.planned):
            return True
        return all(tick in run.values for tick in self._moments(run.planned))
