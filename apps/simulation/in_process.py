"""Runs a simulation in this process until it rests, without any worker."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

import structlog
from django.db import OperationalError, connection

from apps.simulation.conductor import Conducting, Conductor
from apps.simulation.dispatch import Dispatcher, DueTurn, OneByOne, OnThreads
from apps.simulation.ports import Ports
from apps.simulation.turn import take_turn

OUTAGE_SECONDS_MAX = 120.0
OUTAGE_RETRY_SECONDS = 0.5

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How to run: on how many threads (0: one turn after another), in lock-step or not.

    `watch` is told the settled tick as it moves; `mend` is called when the database is away
    and may bring it back. `holder` is whom the lease belongs to.
    """

    holder: str = field(default_factory=lambda: f"in process {uuid4().hex}")

    threads: int = 0
    lock_step: bool = False
    watch: Callable[[int], None] = lambda _settled: None
    mend: Callable[[], None] = lambda: None


def run_until_rest(ports: Ports, simulation_id: UUID, manner: Manner) -> None:
    """Conduct the simulation until it rests: its end is reached, or it is paused.

    A database that goes away is waited for, up to a bound.

    :raises LeaseLost: if another conductor works on the simulation.
    :raises OperationalError: if the database stays away.
    """

    def take(turn: DueTurn) -> None:
        take_turn(ports, simulation_id=simulation_id, agent=turn.agent, tick=turn.tick)

    dispatcher: Dispatcher = (
        OnThreads(take, threads=manner.threads) if manner.threads else OneByOne(take)
    )
    conducting = Conducting(
        holder=manner.holder, lock_step=manner.lock_step, watch=manner.watch
    )
    try:
        _conduct(ports, simulation_id, dispatcher, conducting, manner)
    finally:
        dispatcher.close()


def _conduct(
    ports: Ports,
    simulation_id: UUID,
    dispatcher: Dispatcher,
    conducting: Conducting,
    manner: Manner,
) -> None:
    away_since: float | None = None

    def back_again(settled: int) -> None:
        nonlocal away_since
        away_since = None
        manner.watch(settled)

    while True:
        try:
            conductor = Conductor(
                ports,
                simulation_id,
                dispatcher=dispatcher,
                conducting=replace(conducting, watch=back_again),
            )
            conductor.conduct()
        except OperationalError as error:
            away_since = away_since or time.monotonic()
            if time.monotonic() - away_since > OUTAGE_SECONDS_MAX:
                raise
            logger.warning("database went away", error=str(error))
            connection.close()
            time.sleep(OUTAGE_RETRY_SECONDS)
            manner.mend()
        else:
            return
