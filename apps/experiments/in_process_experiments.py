"""Carries out an experiment in this process, without workers and schedulers."""

import time
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import structlog
from django.db import connection

from apps.django_support.statements import discard_interrupted_connection
from apps.experiments.commands import EXPERIMENTS, kept_from_workers
from apps.experiments.event_table import ExperimentChanged
from apps.experiments.measuring_work import work_of
from apps.experiments.progress import ExperimentProgress
from apps.experiments.run_starts import StepOptions
from apps.experiments.run_steps import ExperimentStep
from apps.history import SimulationRow
from apps.kernel.errors import DomainError
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lease import leased_by_others
from apps.simulation.ports import Ports
from apps.simulation.queries import LeaseLost
from apps.work.kinds import WorkOver
from apps.work.rows import OPEN, WorkState

INTERRUPTED = "interrupted at the terminal"
WAIT_SECONDS = 0.5
"""How long nothing is tried again: for a run of another process, or of a user."""
logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class InProcessOptions:
    """How many runs this process carries out at once, each on how many threads.

    `on_step` is called after each step.
    """

    at_once: int = 1
    threads: int = 0
    on_step: Callable[[ExperimentProgress], None] = lambda _progress: None
    on_outage: Callable[[], None] = lambda: None
    holder: str = field(default_factory=lambda: f"experiment {uuid4().hex}")


def run_experiment(
    ports: Ports, experiment_id: UUID, options: InProcessOptions
) -> ExperimentProgress:
    """Take steps until the experiment is over or paused, and return its progress.

    Several processes share the runs of an experiment: each carries out `at_once` of them, and
    waits for those of the others. If a process is lost, its leases lapse and its runs go on in
    another one. Workers leave the experiment alone meanwhile. An interruption, such as at the
    terminal, pauses the experiment, and the runs come to rest.

    :raises WorkUnknown: if there is none of that id.
    """
    with kept_from_workers(experiment_id):
        return _InProcess(ports, experiment_id, options).run()


class _InProcess:
    """The runs of an experiment that this process carries out."""

    def __init__(self, ports: Ports, experiment_id: UUID, options: InProcessOptions) -> None:
        self._ports, self._id, self._options = ports, experiment_id, options
        self._step_options = StepOptions(at_once=options.at_once, holder=options.holder)

    def run(self) -> ExperimentProgress:
        """Take steps, and between them carry the runs out."""
        with ThreadPoolExecutor(max_workers=self._options.at_once) as pool:
            under_way: dict[UUID, Future[None]] = {}
            while True:
                try:
                    progress, has_acted = self._step()
                    self._options.on_step(progress)
                    if progress.state is not WorkState.RUNNING:
                        break
                    has_acted |= self._carry_out_measurements(progress)
                    for run in self._to_carry_out(progress, under_way):
                        under_way[run] = pool.submit(self._carry_out, run)
                    under_way = _wait(under_way, has_acted=has_acted)
                except KeyboardInterrupt as interruption:
                    discard_interrupted_connection()
                    reason = str(interruption) or INTERRUPTED
                    with suppress(WorkOver):
                        EXPERIMENTS.pause(self._id, by="the operator", reason=reason)
            for future in under_way.values():
                future.result()
        for run in _pausing(progress):  # paused before a thread of the pool had begun with it
            self._carry_out(run)
        return progress

    def _step(self) -> tuple[ExperimentProgress, bool]:
        row = EXPERIMENTS.get(self._id)
        step = ExperimentStep(self._ports, row, self._step_options)
        try:
            step.take()
        except ExperimentChanged as error:
            logger.info("experiment changed meanwhile", reason=error.message)
        return step.progress, step.has_acted

    def _to_carry_out(
        self, progress: ExperimentProgress, under_way: Collection[UUID]
    ) -> list[UUID]:
        """Return simulations that no process carries out, as many as may run here besides."""
        wanted = progress.running_simulations - set(under_way)
        rows = SimulationRow.objects.filter(
            pk__in=wanted - leased_by_others(wanted, self._options.holder),
            status__in=[SimulationRow.Status.RUNNING, SimulationRow.Status.PAUSING],
        ).order_by("created_at")
        return list(rows.values_list("pk", flat=True)[: self._options.at_once - len(under_way)])

    def _carry_out(self, simulation_id: UUID) -> None:
        """Run a simulation until it is at rest, in a thread of the pool."""
        options = RunOptions(
            holder=self._options.holder,
            threads=self._options.threads,
            on_outage=self._options.on_outage,
        )
        try:
            run_until_rest(self._ports, simulation_id, options)
        except LeaseLost as error:
            logger.debug("run waits for its lease", reason=error.message)
            time.sleep(WAIT_SECONDS)
        finally:
            connection.close()

    def _carry_out_measurements(self, progress: ExperimentProgress) -> bool:
        """Do the work of surveys and news searches here; return whether there was any."""
        has_acted = False
        for run in progress.started:
            for kind, work in work_of(run, *OPEN):
                try:
                    has_taken = kind.carry_out(self._ports, work.pk)
                    has_acted |= has_taken and not kind.awaits_batch(work.pk)
                except DomainError as error:
                    # The work has recorded the reason, and the next step pauses the run.
                    logger.info("measurement paused", work=kind.noun, reason=error.message)
                    has_acted = True
        return has_acted


def _wait(under_way: dict[UUID, Future[None]], *, has_acted: bool) -> dict[UUID, Future[None]]:
    """Wait a moment if there is nothing to do; return the runs that go on.

    :raises Exception: the error of a run.
    """
    if under_way:
        wait(under_way.values(), timeout=WAIT_SECONDS, return_when=FIRST_COMPLETED)
    elif not has_acted:
        time.sleep(WAIT_SECONDS)
    for future in under_way.values():
        if future.done():
            future.result()
    return {run: future for run, future in under_way.items() if not future.done()}


def _pausing(progress: ExperimentProgress) -> list[UUID]:
    """Return the simulations that have yet to come to rest."""
    runs = [run.simulation for run in progress.started if run.simulation is not None]
    rows = SimulationRow.objects.filter(pk__in=runs, status=SimulationRow.Status.PAUSING)
    return list(rows.values_list("pk", flat=True))
