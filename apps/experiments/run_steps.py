"""The next step of an experiment: runs observed, measured, forked, started and finished."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import structlog
from django.db import DatabaseError, InterfaceError, transaction
from django.utils import timezone

from apps.evaluation.models import SurveyRow
from apps.evaluation.surveys.commands import resume_survey
from apps.eventlog.store import log_sha256
from apps.experiments.budgets import is_spent, remaining_budget, spent_by_run
from apps.experiments.design import PlannedRun, SurveyMeasure
from apps.experiments.design_checks import (
    calendar_of_level,
    commands_of,
    simulation_name,
    simulation_spec,
    world_of,
)
from apps.experiments.event_table import ExperimentChanged, append, lock, progress_of
from apps.experiments.events import (
    ExperimentEvent,
    ExperimentFinished,
    ExperimentPaused,
    RunContinued,
    RunFailed,
    RunFinished,
    RunHeld,
    RunMeasured,
    RunStarted,
    SurveyStarted,
)
from apps.experiments.measuring import RunAtTick, measure
from apps.experiments.models import ExperimentRow
from apps.experiments.progress import OVER, ExperimentProgress, RunProgress, RunState
from apps.experiments.run_surveys import request_for, values_of_survey
from apps.kernel.errors import SmallvilleError
from apps.kernel.game_time import GameCalendar
from apps.simulation.commands.branch_interventions import request_interventions
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.engine.lifecycle import (
    StillRunning,
    change_budget,
    create_simulation,
    request_pause,
    request_run,
)
from apps.simulation.engine.running_limit import TooManyRunning, ensure_may_run
from apps.simulation.models import SimulationRow, Status
from apps.simulation.ports import Ports

MEASUREMENTS_PER_STEP = 5
"""A step of a worker stays short; the next one goes on."""
BUDGET_SPENT = "budget-spent"
RUNS_HELD = "runs-held"
_WAIT = (TooManyRunning, StillRunning)
"""What prevents a run now, and not later."""
logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOptions:
    """How a step starts runs.

    `at_once` is how many run at the same time, None for the number of the design. `holder` is
    the process that will schedule them, "" for the schedulers of the service. `running_max` is
    how many simulations of an owner may run, 0 for no limit.
    """

    at_once: int | None = None
    holder: str = ""
    running_max: int = 0


class ExperimentStep:
    """One step; `has_acted` says whether it has recorded an event."""

    def __init__(self, ports: Ports, row: ExperimentRow, options: StepOptions) -> None:
        """Read the events of the experiment."""
        self._ports, self._row, self._options = ports, row, options
        self._measured = 0
        self.progress: ExperimentProgress = progress_of(row.pk)
        self.has_acted = False

    def take(self) -> None:
        """Observe the runs, keep the budget, start what can be started, and end.

        :raises ExperimentChanged: if another process has recorded an event meanwhile.
        """
        if self.progress.state is not ExperimentRow.State.RUNNING:
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
        except (ExperimentChanged, DatabaseError, InterfaceError):
            raise
        except SmallvilleError as error:
            self._record(RunFailed(run=run.key, code=error.code, problem=error.message))
        except Exception as error:
            problem = f"an error of the service: {error!r}"
            self._record(RunFailed(run=run.key, code=SmallvilleError.code, problem=problem))
            raise

    def _observe(self, run: RunProgress) -> None:
        """Record what the simulation of a run has come to."""
        row = _simulation_of(run)
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
            if values is None:
                return False
            self._measured += 1
            counted = measure(RunAtTick(self._ports, row.pk, tick), self.progress.design)
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
            if survey_id is None:
                self._request_survey(run, row, one, tick)
                are_answered = False
                continue
            survey = SurveyRow.objects.get(pk=survey_id)
            if survey.state == SurveyRow.State.FINISHED:
                values |= values_of_survey(one, survey)
                continue
            are_answered = False
            if survey.state == SurveyRow.State.PAUSED and run.state is RunState.RUNNING:
                reason = f"its survey is paused: {survey.problem}"
                self._record(RunHeld(run=run.key, tick=row.settled_tick, reason=reason))
        return values if are_answered else None

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
                tokens=used.prompt_tokens + used.completion_tokens,
                cost=str(used.cost),
                log_sha256=log_sha256(row.pk),
            )
        )

    def _pause_if_spent(self) -> bool:
        problem = is_spent(self.progress)
        if not problem or self.progress.finished_runs == len(self.progress.runs):
            return False
        self._record(ExperimentPaused(code=BUDGET_SPENT, problem=problem))
        pause_runs(self.progress, reason="the budget of the experiment is spent")
        return True

    def _start_or_continue(self, run: RunProgress) -> None:
        running = sum(one.state is RunState.RUNNING for one in self.progress.runs.values())
        at_once = self._options.at_once or self.progress.design.runs_at_once
        if running >= at_once:
            return
        if run.continues:
            self._continue(run)
        elif run.state is RunState.WAITING and self._may_start(run):
            self._start(run)

    def _may_start(self, run: RunProgress) -> bool:
        """Return whether the past that the run shares is there; fail with its base."""
        base = self.progress.runs[self.progress.design.base_of(run.planned).key]
        if base.key == run.key:
            return not self._is_full()
        parent = _simulation_of(base)
        is_lost = parent is None and base.simulation is not None
        if is_lost or base.state is RunState.FAILED:
            problem = f"the run {base.key}, whose past it shares, has failed or was deleted"
            self._record(RunFailed(run=run.key, code="base-failed", problem=problem))
            return False
        fork_tick = self.progress.design.fork_tick(run.planned, self._calendar(run.planned))
        return parent is not None and parent.settled_tick >= fork_tick and not self._is_full()

    def _is_full(self) -> bool:
        """Return whether the owner has as many simulations running as may run."""
        if not self._options.running_max or self._row.owner_id is None:
            return False
        running = SimulationRow.objects.filter(
            owner_id=self._row.owner_id, status__in=[Status.RUNNING, Status.PAUSING]
        )
        return running.count() >= self._options.running_max

    def _start(self, run: RunProgress) -> None:
        """Create or fork the simulation and request its run, in one transaction."""
        with transaction.atomic():
            lock(self._row.pk)
            row, parent, fork_tick = self._created(run.planned)
            until_tick = self.progress.design.until_tick(
                run.planned, self._calendar(run.planned)
            )
            self._request_run(row.pk, until_tick)
            self._record(
                RunStarted(
                    run=run.key,
                    simulation=str(row.pk),
                    parent="" if parent is None else str(parent),
                    fork_tick=fork_tick,
                    until_tick=until_tick,
                )
            )

    def _created(self, planned: PlannedRun) -> tuple[SimulationRow, UUID | None, int]:
        """Return a new simulation, and if it is a branch, the parent and the fork's tick."""
        design, owner_id = self.progress.design, self._row.owner_id
        budget = remaining_budget(self.progress)
        base = design.base_of(planned)
        if base.key == planned.key:
            spec = simulation_spec(design, planned, budget)
            return create_simulation(self._ports, spec, owner_id=owner_id), None, 0
        parent = self.progress.runs[base.key].simulation
        assert parent is not None
        fork = ForkSpec(
            name=simulation_name(design, planned),
            at_tick=design.fork_tick(planned, self._calendar(planned)),
            budget=budget,
        )
        branch = fork_simulation(self._ports, parent, fork, owner_id=owner_id)
        world = world_of(self._ports, design, planned.condition.world)
        level = commands_of(world, design.interventions[planned.condition.intervention])
        request_interventions(self._ports, branch.pk, level.commands, by=self._row.by)
        return branch, parent, fork.at_tick

    def _continue(self, run: RunProgress) -> None:
        """Request the rest of a run that was held, with what remains of the budget."""
        assert run.simulation is not None
        for survey_id in run.surveys.values():
            survey = SurveyRow.objects.get(pk=survey_id)
            if survey.state == SurveyRow.State.PAUSED:
                remaining = remaining_budget(self.progress).tokens
                more = None if remaining is None else survey.tokens + remaining
                resume_survey(survey, tokens_max=more)
        with transaction.atomic():
            lock(self._row.pk)
            row = _simulation_of(run)
            if row is not None and row.settled_tick < run.until_tick:
                self._set_budget(row)
                self._request_run(row.pk, run.until_tick)
            self._record(RunContinued(run=run.key))

    def _set_budget(self, row: SimulationRow) -> None:
        if row.status != Status.PAUSED:
            return
        change_budget(row.pk, remaining_budget(self.progress, of=row.pk))

    def _request_run(self, simulation_id: UUID, until_tick: int) -> None:
        ensure_may_run(simulation_id, running_max=self._options.running_max)
        request_run(simulation_id, until_tick=until_tick, holder=self._options.holder)

    def _end(self) -> None:
        runs = self.progress.runs.values()
        if self.progress.state is not ExperimentRow.State.RUNNING:
            return
        if all(run.state in OVER for run in runs):
            self._record(ExperimentFinished())
            return
        held = [run for run in runs if run.state is RunState.HELD and not run.continues]
        can_go_on = any(
            run.state is RunState.RUNNING or run.continues or self._can_begin(run)
            for run in runs
        )
        if held and not can_go_on:
            reasons = "; ".join(f"{run.key}: {run.problem}" for run in held[:3])
            self._record(ExperimentPaused(code=RUNS_HELD, problem=f"held are {reasons}"))

    def _can_begin(self, run: RunProgress) -> bool:
        base = self.progress.design.base_of(run.planned)
        return run.state is RunState.WAITING and base.key == run.key

    def _is_measured(self, run: RunProgress) -> bool:
        if not self.progress.design.is_measured(run.planned):
            return True
        return all(tick in run.values for tick in self._moments(run.planned))

    def _moments(self, planned: PlannedRun) -> tuple[int, ...]:
        return self.progress.design.moment_ticks(self._calendar(planned))

    def _calendar(self, planned: PlannedRun) -> GameCalendar:
        one = planned.condition
        return calendar_of_level(self._ports, self.progress.design, one.world, one.settings)

    def _now(self, run: RunProgress) -> RunProgress:
        """Return the run as of the latest event."""
        return self.progress.runs[run.key]

    def _record(self, event: ExperimentEvent) -> None:
        self.progress = append(self._row.pk, event, version=self.progress.version)
        self.has_acted = True
        touch(self._row.pk)


def pause_runs(progress: ExperimentProgress, *, reason: str) -> None:
    """Pause the simulations of the runs that are not over."""
    for run in progress.started:
        if run.state not in OVER and (row := _simulation_of(run)) is not None:
            request_pause(row.pk, reason=reason)


def _simulation_of(run: RunProgress) -> SimulationRow | None:
    if run.simulation is None:
        return None
    return SimulationRow.objects.filter(pk=run.simulation).first()


def touch(experiment_id: UUID) -> None:
    """Record that this process works on the experiment, if it has taken it."""
    rows = ExperimentRow.objects.filter(pk=experiment_id, taken_at__isnull=False)
    rows.update(taken_at=timezone.now())
