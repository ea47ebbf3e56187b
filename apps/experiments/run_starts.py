"""Starts the runs of an experiment, created or forked, and continues those that were held."""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apps.experiments.design import PlannedRun
from apps.experiments.design_checks import (
    calendars_of_conditions,
    commands_of,
    simulation_name,
    simulation_spec,
    world_of,
)
from apps.experiments.event_table import append, lock, progress_of
from apps.experiments.measuring_work import work_of
from apps.experiments.models import ExperimentRow
from apps.experiments.progress import (
    ExperimentEvent,
    ExperimentProgress,
    RunContinued,
    RunFailed,
    RunProgress,
    RunStarted,
)
from apps.experiments.queries import remaining_budget
from apps.history import SimulationRow
from apps.kernel.game_time import GameCalendar
from apps.simulation.commands.branch_interventions import request_interventions
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.engine.lease import leased_by_others
from apps.simulation.engine.lifecycle import (
    change_budget,
    create_simulation,
    ensure_may_run,
    request_run,
)
from apps.simulation.ports import Ports
from apps.work.rows import WorkState


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOptions:
    """How a step starts runs.

    `holder` is the process that will schedule them, "" for the schedulers of the service.
    `at_once` is how many run at the same time, without those that another process schedules;
    None for the number of the design. `running_max` is how many simulations of an owner may
    run, 0 for no limit.
    """

    at_once: int | None = None
    holder: str = ""
    running_max: int = 0


class StepState:
    """The experiment of a step: its events so far, and how to record others.

    `has_acted` says whether the step has recorded an event.
    """

    def __init__(self, ports: Ports, row: ExperimentRow, options: StepOptions) -> None:
        """Read the events of the experiment."""
        self._ports, self._row, self._options = ports, row, options
        self.progress: ExperimentProgress = progress_of(row.pk)
        self._calendars = calendars_of_conditions(ports, self.progress.design)
        self.has_acted = False

    def _moments(self, planned: PlannedRun) -> tuple[int, ...]:
        return self.progress.design.moment_ticks(self._calendar(planned))

    def _calendar(self, planned: PlannedRun) -> GameCalendar:
        return self._calendars[planned.condition.world, planned.condition.settings]

    def _now(self, run: RunProgress) -> RunProgress:
        """Return the run as of the latest event."""
        return self.progress.runs[run.key]

    def _record(self, event: ExperimentEvent) -> None:
        self.progress = append(self._row.pk, event, self.progress)
        self.has_acted = True
        ExperimentRow.objects.filter(pk=self._row.pk).update(taken_at=timezone.now())


def simulation_of(run: RunProgress) -> SimulationRow | None:
    """Return the simulation of a run, None if there is none or it was deleted."""
    if run.simulation is None:
        return None
    return SimulationRow.objects.filter(pk=run.simulation).first()


class RunStarts(StepState):
    """The part of a step that starts and continues runs."""

    def _start_or_continue(self, run: RunProgress) -> None:
        at_once = self._options.at_once or self.progress.design.runs_at_once
        if len(self.progress.running_simulations - self._of_others) >= at_once:
            return
        if run.continues:
            self._continue(run)
        elif run.state is WorkState.PENDING and self._may_start(run):
            self._start(run)

    @cached_property
    def _of_others(self) -> set[UUID]:
        """The simulations that other processes carried out when the step came to its starts."""
        if not self._options.holder:
            return set()
        return leased_by_others(self.progress.running_simulations, self._options.holder)

    def _may_start(self, run: RunProgress) -> bool:
        """Return whether the past that the run shares is there; fail with its base."""
        base = self.progress.runs[self.progress.design.base_of(run.planned).key]
        if base.key == run.key:
            return not self._is_full()
        parent = simulation_of(base)
        is_lost = parent is None and base.simulation is not None
        if is_lost or base.state is WorkState.FAILED:
            problem = f"the run {base.key}, whose past it shares, has failed or was deleted"
            self._record(RunFailed(run=run.key, code="base-failed", problem=problem))
            return False
        fork_tick = self.progress.design.fork_tick(run.planned, self._calendar(run.planned))
        return parent is not None and parent.committed_tick >= fork_tick and not self._is_full()

    def _is_full(self) -> bool:
        """Return whether the owner has as many simulations running as may run."""
        if not self._options.running_max or self._row.owner_id is None:
            return False
        running = SimulationRow.objects.filter(
            owner_id=self._row.owner_id,
            status__in=[SimulationRow.Status.RUNNING, SimulationRow.Status.PAUSING],
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
        with transaction.atomic():
            lock(self._row.pk)
            row = simulation_of(run)
            if row is not None:
                self._set_budget(row)  # that of its measurements, too
            if row is not None and row.committed_tick < run.until_tick:
                self._request_run(row.pk, run.until_tick)
            self._resume_measurements(run)
            self._record(RunContinued(run=run.key))

    def _resume_measurements(self, run: RunProgress) -> None:
        """Let the surveys and news searches that are paused use what remains of the budget."""
        remaining = remaining_budget(self.progress).tokens
        for kind, work in work_of(run, WorkState.PAUSED):
            more = None if remaining is None else work.tokens + remaining
            kind.resume(work.pk, by=self._row.by, tokens_max=more)

    def _set_budget(self, row: SimulationRow) -> None:
        if row.status != SimulationRow.Status.PAUSED:
            return
        change_budget(row.pk, remaining_budget(self.progress, of=row.pk))

    def _request_run(self, simulation_id: UUID, until_tick: int) -> None:
        ensure_may_run(simulation_id, running_max=self._options.running_max)
        request_run(simulation_id, until_tick=until_tick, holder=self._options.holder)
