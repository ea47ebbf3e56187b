"""The Celery tasks: each makes one call, and may be delivered twice."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any
from uuid import UUID

import structlog
from celery import current_app, shared_task
from celery.signals import worker_init, worker_ready, worker_shutdown, worker_shutting_down
from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from apps import wiring
from apps.access import idempotency
from apps.django_support.heartbeat import HEARTBEAT_SECONDS, PeriodicThread
from apps.django_support.outage_log import outage_of
from apps.eventlog.store import AlreadyWritten, StreamPassed
from apps.kernel.errors import DomainError
from apps.llm import batched_calls
from apps.metrics.exposition import start_metrics
from apps.simulation.engine.turn_claims import (
    ClaimedTurn,
    claim_next,
    forget_process,
    keep_claims,
    process_name,
    record_heartbeat,
)
from apps.simulation.models import ProcessRow
from apps.simulation.notifications import Reason, wake_scheduler
from apps.simulation.queries import SimulationUnknown
from apps.simulation.turn import pipeline as turns_of_agents
from apps.work.kinds import CARRY_OUT_WORK
from apps.work.rows import OVER
from apps.worker import turns
from apps.worker.turns import TurnSlots

TURNS_PER_MESSAGE_MAX = 100
MESSAGE_EXPIRES_SECONDS = 60.0
"""The scheduler sends another message before, if turns still wait."""

_shutting_down = threading.Event()
_slots = TurnSlots(settings.WORKER_THREADS)
_claimed: dict[int, ClaimedTurn] = {}
logger = structlog.get_logger(__name__)


def _record_heartbeat() -> None:
    record_heartbeat(ProcessRow.Kind.WORKER, worker_name(), threads=settings.WORKER_THREADS)
    keep_claims(worker_name(), list(_claimed))


_heartbeat = PeriodicThread("heartbeat", HEARTBEAT_SECONDS, _record_heartbeat)


@worker_init.connect
def record_metrics(**_signal: Any) -> None:
    """Record the metrics of the worker, and serve them if METRICS_PORT is set."""
    start_metrics("worker")


@worker_ready.connect
def start_heartbeat(**_signal: Any) -> None:
    """Record from now on that this worker process is alive."""
    _heartbeat.start()


@worker_shutting_down.connect
def stop_claiming(**_signal: Any) -> None:
    """Finish the turns that have begun, and claim no others."""
    _shutting_down.set()


@worker_shutdown.connect
def stop_heartbeat(**_signal: Any) -> None:
    """Delete the row of this worker process."""
    _heartbeat.stop()
    try:
        with _own_connection():
            forget_process(worker_name())
    except (DatabaseError, InterfaceError) as error:
        # The row does not count as alive after LAPSE_SECONDS.
        logger.warning("process not forgotten", error=str(error))


@shared_task(name="smallville.execute_turns", expires=MESSAGE_EXPIRES_SECONDS)
def execute_turns(**_later: Any) -> None:
    """Execute submitted turns, the next in fairness first, until none is left.

    Does nothing if all slots of the process are occupied: their threads continue to claim.
    """
    is_repeated = True
    while is_repeated and _slots.acquire():
        try:
            with _own_connection():
                is_interrupted = _execute_claimed()
        finally:
            is_repeated = _slots.release()
        if is_interrupted:
            return


def wake_worker() -> None:
    """Send a message that lets some worker claim turns.

    :raises Exception: if the broker is away; each broker has its own exceptions.
    """
    with current_app.producer_or_acquire() as producer:
        # The scheduler does not wait for a broker that is away.
        producer.connection.ensure_connection(max_retries=0)
        execute_turns.apply_async(producer=producer, retry=False)


@shared_task(name=CARRY_OUT_WORK)
def carry_out_work(*, kind: str, work_id: str, **_later: Any) -> None:
    """Carry out background work, or its next step; the row has its outcome."""
    with structlog.contextvars.bound_contextvars(work=kind, work_id=work_id), _own_connection():
        try:
            wiring.WORK_KINDS[kind].carry_out(
                wiring.ports(),
                UUID(work_id),
                running_max=settings.SIMULATIONS_RUNNING_PER_USER_MAX,
            )
        except DomainError as error:
            logger.info("work stopped", reason=error.message)
        except Exception as error:
            if outage_of(error) is None:
                raise
            logger.warning("work interrupted", exc_info=error)


@shared_task(name="smallville.look_around")
def look_around(**_later: Any) -> None:
    """Send the messages again of work that waits and has no worker, and of the next steps."""
    with _own_connection():
        for kind in wiring.WORK_KINDS.values():
            for work_id in kind.ids():
                carry_out_work.delay(kind=kind.name, work_id=str(work_id))


@shared_task(name="smallville.forget_old_answers")
def forget_old_answers(**_later: Any) -> None:
    """Delete the responses that were stored for repeated requests and are a day old."""
    with _own_connection():
        idempotency.delete_old_responses()


@shared_task(name="smallville.drop_batches")
def drop_batches(**_later: Any) -> None:
    """Cancel the batches of work that was cancelled or deleted, and delete old ones."""

    def is_wanted(kind: str, work_id: UUID) -> bool:
        return wiring.WORK_KINDS[kind].rows.filter(pk=work_id).exclude(state__in=OVER).exists()

    with _own_connection():
        batched_calls.drop_batches(is_wanted)


@contextmanager
def _own_connection() -> Iterator[None]:
    """Let the block use a working connection, and return it to the pool."""
    close_old_connections()
    try:
        yield
    finally:
        connection.close()


@cache
def worker_name() -> str:
    """Return the name of this process in the rows that it claims."""
    return process_name()


def _execute_claimed() -> bool:
    """Execute turns until there is none for this process; return whether it must stop."""
    for _ in range(TURNS_PER_MESSAGE_MAX):
        if _shutting_down.is_set():
            return True
        claim = claim_next(worker_name())
        if claim is None:
            return False
        with structlog.contextvars.bound_contextvars(
            simulation=str(claim.simulation_id), agent=claim.turn.agent, tick=claim.turn.tick
        ):
            _claimed[claim.row_id] = claim
            try:
                is_executed = _execute(claim)
            finally:
                del _claimed[claim.row_id]
        if not is_executed:
            # The scheduler sends another message, after the outage perhaps.
            return True
    # Another message continues, so that other tasks have their turn.
    execute_turns.delay()
    return True


def _execute(claim: ClaimedTurn) -> bool:
    """Execute the turn; return False if an outage has interrupted it."""
    finish = partial(turns.mark_done, claim)
    try:
        turns_of_agents.take_turn(
            wiring.ports(),
            simulation_id=claim.simulation_id,
            agent=claim.turn.agent,
            tick=claim.turn.tick,
            finish=finish,
        )
    except (AlreadyWritten, StreamPassed):
        finish()
    except SimulationUnknown:
        logger.info("simulation was deleted")
    except Exception as error:
        # If the database is away, recording raises again: the heartbeat lapses, and the turn
        # is submitted again.
        connection.close()
        if outage_of(error) is not None:
            logger.warning("turn interrupted", exc_info=error)
            turns.give_back(claim, worker=worker_name())
            return False
        logger.exception("turn failed")
        turns.mark_failed(claim, error, worker=worker_name())
    # Not in the turn's transaction: transactions that notify commit one after another, each
    # waiting for the disk. The scheduler's poll replaces a lost notification.
    wake_scheduler(claim.simulation_id, Reason.TURN)
    return True
