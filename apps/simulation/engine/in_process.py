"""Runs a simulation in this process until it is at rest, without any worker."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

import structlog
from django.db import OperationalError, connection

from apps.django_support.statements import discard_interrupted_connection
from apps.simulation.engine.lease import Lease
from apps.simulation.engine.scheduler import SchedulerOptions, SimulationScheduler
from apps.simulation.engine.turn_executors import (
    LocalExecutor,
    ReadyTurn,
    SequentialExecutor,
    ThreadExecutor,
    Written,
)
from apps.simulation.ports import Ports
from apps.simulation.turn.pipeline import take_turn

REQUESTS_POLL_SECONDS = 0.25
"""No notification arrives here: requests are polled at this interval."""
OUTAGE_SECONDS_MAX = 120.0
OUTAGE_RETRY_SECONDS = 0.5

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How to run: on how many threads (0: one turn after another), in lock-step or not.

    `on_progress` is called with the committed tick; `on_outage` is called while the database
    is away and may start it again. `holder` is the holder of the lease.
    """

    holder: str = field(default_factory=lambda: f"in process {uuid4().hex}")
    threads: int = 0
    lock_step: bool = False
    on_progress: Callable[[int], None] = lambda _committed: None
    on_outage: Callable[[], None] = lambda: None


def run_until_rest(ports: Ports, simulation_id: UUID, options: RunOptions) -> None:
    """Schedule the simulation until it is at rest: its end is reached, or it is paused.

    A database that goes away is waited for, up to OUTAGE_SECONDS_MAX.

    :raises LeaseLost: if another process schedules the simulation.
    :raises OperationalError: if the database stays away.
    """

    def execute(turn: ReadyTurn) -> Written:
        events = take_turn(ports, simulation_id=simulation_id, agent=turn.agent, tick=turn.tick)
        return frozenset(type(one.event) for one in events)

    executor: LocalExecutor = (
        ThreadExecutor(execute, threads=options.threads)
        if options.threads
        else SequentialExecutor(execute)
    )
    try:
        _run_through_outages(ports, simulation_id, executor, options)
    finally:
        executor.close()


def _run_through_outages(
    ports: Ports, simulation_id: UUID, executor: LocalExecutor, options: RunOptions
) -> None:
    away_since: float | None = None

    def on_progress(committed: int) -> None:
        nonlocal away_since
        away_since = None
        options.on_progress(committed)

    while True:
        try:
            _run(ports, simulation_id, executor, replace(options, on_progress=on_progress))
        except OperationalError as error:
            away_since = away_since or time.monotonic()
            if time.monotonic() - away_since > OUTAGE_SECONDS_MAX:
                raise
            logger.warning("database went away", error=str(error))
            connection.close()
            time.sleep(OUTAGE_RETRY_SECONDS)
            options.on_outage()
        else:
            return


def _run(
    ports: Ports, simulation_id: UUID, executor: LocalExecutor, options: RunOptions
) -> None:
    with Lease(simulation_id, options.holder) as lease:
        scheduler = SimulationScheduler(
            ports,
            simulation_id,
            executor=executor,
            options=SchedulerOptions(
                ensure_lease=lease.ensure_held,
                lock_step=options.lock_step,
                on_progress=options.on_progress,
                requests_poll_seconds=REQUESTS_POLL_SECONDS,
            ),
        )
        try:
            while (seconds := scheduler.step()) is not None:
                executor.wait(seconds)
        except OperationalError:
            raise
        except BaseException:
            # An interruption at the terminal, for example: the clocks in memory are committed.
            discard_interrupted_connection()
            if lease.is_held:
                scheduler.close()
            raise
