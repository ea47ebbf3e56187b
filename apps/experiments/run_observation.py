"""Observes the runs of an experiment: measured, held, finished, lost."""

from django.db import transaction

from apps.evaluation.models import NewsSearchRow, SurveyRow
from apps.eventlog.store import log_sha256
from apps.experiments.budgets import remaining_budget, spent_by_run
from apps.experiments.design import NewsMeasure, SurveyMeasure
from apps.experiments.event_table import lock
from apps.experiments.events import (
    NewsSearchStarted,
    RunContinued,
    RunFailed,
    RunFinished,
    RunHeld,
    RunMeasured,
    SurveyStarted,
)
from apps.experiments.measuring import RunAtTick, measure
from apps.experiments.progress import RunProgress, RunState
from apps.experiments.run_news_searches import search_for
from apps.experiments.run_surveys import request_for, values_of_survey
from apps.experiments.step_state import StepState, simulation_of
from apps.simulation.models import SimulationRow, Status

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
        if row.settled_tick >= run.until_tick and self._is_measured(run):
            self._finish(run, row)
        elif row.settled_tick >= run.until_tick:
            return  # its surveys are answered
        elif row.status == Status.PAUSED and run.state is RunState.RUNNING:
            self._record(RunHeld(run=run.key, tick=row.settled_tick, reason=row.reason))
        elif row.status == Status.RUNNING and run.state is RunState.HELD:
            self._record(RunContinued(run=run.key))

    def _measure(self, run: RunProgress, row: SimulationRow) -> bool:
        """Measure the moments that the run has come to; False if one has to wait."""
        for tick in self._moments(run.planned):
            if tick in run.values or tick > row.settled_tick:
                continue
            if self._measured >= MEASUREMENTS_PER_STEP:
                return False
            values = self._values_of_surveys(self._now(run), row, tick)
            searches = self._finished_searches(self._now(run), row, tick)
            if values is None or searches is None:
                return False
            self._measured += 1
            at_tick = RunAtTick(self._ports, row.pk, tick, searches)
            counted = measure(at_tick, self.progress.design)
            self._record(RunMeasured(run=run.key, tick=tick, values=counted | values))
        return True

    def _values_of_surveys(
        self, run: RunProgress, row: SimulationRow, tick: int
    ) -> dict[str, float | None] | None:
        """Return the values of all surveys at the tick; None until they are answered."""
        values: dict[str, float | None] = {}
        are_answered = True
        for one in self.progress.design.surveys:
            survey_id = self._now(run).surveys.get((tick, one.questionnaire.name))
            survey = SurveyRow.objects.filter(pk=survey_id).first()
            if survey is None:  # not requested yet, or deleted by a user
                self._request_survey(run, row, one, tick)
                are_answered = False
                continue
            if survey.state == SurveyRow.State.FINISHED:
                values |= values_of_survey(one, survey)
                continue
            are_answered = False
            if survey.state == SurveyRow.State.PAUSED and self._is_running(run):
                reason = f"its survey is paused: {survey.problem}"
                self._record(RunHeld(run=run.key, tick=row.settled_tick, reason=reason))
        return values if are_answered else None

    def _finished_searches(
        self, run: RunProgress, row: SimulationRow, tick: int
    ) -> dict[str, NewsSearchRow] | None:
        """Return the searches for news at the tick by measure; None until all are finished."""
        found: dict[str, NewsSearchRow] = {}
        news = self.progress.design.searched_news
        for one in news:
            search_id = self._now(run).news_searches.get((tick, one.name))
            search = NewsSearchRow.objects.filter(pk=search_id).first()
            if search is None:  # not requested yet, or deleted by a user
                self._request_search(run, row, one, tick)
                continue
            if search.state == NewsSearchRow.State.FINISHED:
                found[one.name] = search
            elif search.state == NewsSearchRow.State.PAUSED and self._is_running(run):
                reason = f"its news search is paused: {search.problem}"
                self._record(RunHeld(run=run.key, tick=row.settled_tick, reason=reason))
        return found if len(found) == len(news) else None

    def _is_running(self, run: RunProgress) -> bool:
        return self._now(run).state is RunState.RUNNING

    def _request_search(
        self, run: RunProgress, row: SimulationRow, one: NewsMeasure, tick: int
    ) -> None:
        with transaction.atomic():
            lock(self._row.pk)
            remaining = remaining_budget(self.progress)
            search = search_for(
                row.pk, one, tick=tick, tokens_max=remaining.tokens, by=self._row.by
            )
            self._record(
                NewsSearchStarted(
                    run=run.key, tick=tick, measure=one.name, search=str(search.pk)
                )
            )

    def _request_survey(
        self, run: RunProgress, row: SimulationRow, one: SurveyMeasure, tick: int
    ) -> None:
        with transaction.atomic():
            lock(self._row.pk)
            remaining = remaining_budget(self.progress)
            survey = request_for(
                row.pk, one, tick=tick, tokens_max=remaining.tokens, by=self._row.by
            )
            name = one.questionnaire.name
            self._record(
                SurveyStarted(run=run.key, tick=tick, questionnaire=name, survey=str(survey.pk))
            )

    def _finish(self, run: RunProgress, row: SimulationRow) -> None:
        used = spent_by_run(self.progress)[run.key]
        self._record(
            RunFinished(
                run=run.key,
                tick=row.settled_tick,
                calls=used.calls,
                tokens=used.tokens,
                cost=str(used.cost),
                log_sha256=log_sha256(row.pk),
            )
        )

    def _is_measured(self, run: RunProgress) -> bool:
        if not self.progress.design.is_measured(run.planned):
            return True
        return all(tick in run.values for tick in self._moments(run.planned))
