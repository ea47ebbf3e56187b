"""The next step of an experiment: runs observed, measured, forked, started and finished."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import structlog
from django.db import transaction

from apps import history
from apps.django_support.outage_log import outage_of
from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches.queries import verified_news
from apps.evaluation.social.grapevine import Diffusion, diffusion
from apps.evaluation.social.guest_list import GuestList, guest_list
from apps.evaluation.social.news import news_of
from apps.experiments.argued_measures import ATTENDANCE, Gathering, NewsMeasure, values_of_news
from apps.experiments.design import ExperimentDesign, tick_of_moment
from apps.experiments.event_table import ExperimentChanged, lock
from apps.experiments.measure_registry import MEASURES, RunAtTick, Value
from apps.experiments.measuring_work import (
    MEASURING_KINDS,
    Measured,
    kind_of,
    measures_by_work,
    request_work,
    values_of_survey,
)
from apps.experiments.progress import (
    ExperimentFinished,
    ExperimentPaused,
    ExperimentProgress,
    MeasurementStarted,
    RunContinued,
    RunFailed,
    RunFinished,
    RunHeld,
    RunMeasured,
    RunProgress,
)
from apps.experiments.queries import budget_problem, remaining_budget, spent_by_run
from apps.experiments.run_starts import RunStarts, StepState, simulation_of
from apps.history import SimulationRow
from apps.kernel.errors import SmallvilleError, problem_of_error
from apps.simulation.engine.lifecycle import (
    StillRunning,
    TooManyRunning,
    request_pause,
)
from apps.work.rows import OVER, WorkState


@dataclass(frozen=True)
class MeasuredRun(RunAtTick):
    """A run with its finished work, of which the news searches, by the name of the measure."""

    searches: Mapping[str, NewsSearchRow] = field(default_factory=dict)

    def spread(self, news: NewsMeasure) -> Diffusion:
        """Return who knows a piece of news, by its words or by a search."""
        if news.news:
            told = verified_news(self.searches[news.name])
            agents: Collection[str] = told.searched or ()
        else:
            told = news_of(news.topic, news.about, news.asks, news.name)
            agents = self.agents
        return diffusion(self.log, told, agents, as_of_tick=self.tick)

    def guests(self, news: Gathering, spread: Diffusion) -> GuestList | None:
        """Return the guests of a gathering; None before its end."""
        calendar = self.constants.calendar
        ticks = range(
            tick_of_moment(news.begins, calendar), tick_of_moment(news.ends, calendar)
        )
        if ticks.stop > self.tick:
            return None
        return guest_list(
            self.simulation_id,
            world=self.constants.world,
            calendar=calendar,
            place=news.place,
            ticks=ticks,
            news=spread,
            hosts=news.hosts,
        )


def measure(run: MeasuredRun, design: ExperimentDesign) -> dict[str, Value]:
    """Return the values of all measures but surveys, by name in order of the design."""
    values: dict[str, Value] = {
        name: MEASURES.item(name).function(run) for name in design.plain_measures
    }
    for news in design.news:
        values |= _of_news(run, news)
    return values


def _of_news(run: MeasuredRun, news: NewsMeasure) -> dict[str, Value]:
    spread = run.spread(news)
    if not isinstance(news, Gathering):
        found: tuple[Value, ...] = (spread.knowing, spread.share, spread.unexplained)
        if news.news:
            found += (spread.hallucinated, spread.unverified)
    elif (guests := run.guests(news, spread)) is None:
        found = (None,) * len(ATTENDANCE)
    else:
        share = guests.came_knowing / guests.knew if guests.knew else None
        found = (guests.knew, guests.accepted, guests.came, guests.came_knowing, share)
    return dict(zip(values_of_news(news), found, strict=True))


MEASUREMENTS_PER_STEP = 5
"""So that a step of a worker stays short; the next step measures the rest."""


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
        elif row.status == SimulationRow.Status.PAUSED and run.state is WorkState.RUNNING:
            self._record(RunHeld(run=run.key, tick=row.committed_tick, reason=row.reason))
        elif row.status == SimulationRow.Status.RUNNING and run.state is WorkState.PAUSED:
            self._record(RunContinued(run=run.key))

    def _measure(self, run: RunProgress, row: SimulationRow) -> bool:
        """Measure the moments that the run has come to; False if one has to wait."""
        for tick in self._moments(run.planned):
            if tick in run.values or tick > row.committed_tick:
                continue
            if self._measured >= MEASUREMENTS_PER_STEP:
                return False
            work = self._finished_work(run, row, tick)
            if work is None:
                return False
            self._measured += 1
            at_tick = MeasuredRun(self._ports, row.pk, tick, work)
            values = measure(at_tick, self.progress.design)
            for one in self.progress.design.surveys:
                values |= values_of_survey(one, work[one.questionnaire.name])
            self._record(RunMeasured(run=run.key, tick=tick, values=values))
        return True

    def _finished_work(
        self, run: RunProgress, row: SimulationRow, tick: int
    ) -> dict[str, Any] | None:
        """Return the surveys and news searches by measure; None until all are finished.

        Work that is not requested yet, or was cancelled or deleted by a user, is
        requested.
        """
        finished: dict[str, Any] = {}
        measures = measures_by_work(self.progress.design)
        for name, measure in measures.items():
            kind = kind_of(measure)
            rows = kind.rows.filter(pk=self._now(run).work.get((tick, name)))
            work = rows.exclude(state=WorkState.CANCELLED).first()
            if work is None:
                self._request_work(run, row, name, measure, tick)
            elif work.state == WorkState.DONE:
                finished[name] = work
            elif work.state == WorkState.PAUSED and self._is_running(run):
                reason = f"its {kind.noun} is paused: {work.problem}"
                self._record(RunHeld(run=run.key, tick=row.committed_tick, reason=reason))
        return finished if len(finished) == len(measures) else None

    def _is_running(self, run: RunProgress) -> bool:
        return self._now(run).state is WorkState.RUNNING

    def _request_work(
        self, run: RunProgress, row: SimulationRow, name: str, measure: Measured, tick: int
    ) -> None:
        with transaction.atomic():
            lock(self._row.pk)
            remaining = remaining_budget(self.progress)
            work = request_work(
                row.pk, measure, tick=tick, tokens_max=remaining.tokens, by=self._row.by
            )
            self._record(
                MeasurementStarted(run=run.key, tick=tick, measure=name, work=str(work.pk))
            )

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
    for kind, run in product(MEASURING_KINDS, progress.started):
        kind.pause_all(run.work.values(), WITH_EXPERIMENT, reason)
