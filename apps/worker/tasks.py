"""Celery tasks: each names what to do by ids, makes one call, and may come twice."""

import os
import socket
import threading
from typing import Any
from uuid import UUID, uuid4

import psycopg
import structlog
from celery import shared_task
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down
from django.db import OperationalError, close_old_connections, connection

from apps import wiring
from apps.access import answers
from apps.eventlog.store import AlreadyWritten, StreamPassed
from apps.interaction import commands as interviews
from apps.kernel.errors import Refusal
from apps.simulation import commands, queries
from apps.simulation import turn as turns_of_people
from apps.simulation.conductor import Conducting, Conductor
from apps.simulation.dispatch import DueTurn
from apps.simulation.queries import LeaseLost, SimulationUnknown
from apps.worker import turns
from apps.worker.bell import ring
from apps.worker.heartbeats import WorkerHeartbeat

SLICE_SECONDS = 10.0

_shutting_down = threading.Event()
_heartbeat: WorkerHeartbeat | None = None
logger = structlog.get_logger(__name__)


@worker_shutting_down.connect
def give_up_conducting(**_signal: Any) -> None:
    """Let conductors stop at once; another worker takes over their simulations."""
    _shutting_down.set()


@worker_ready.connect
def start_heartbeat(sender: Any, **_signal: Any) -> None:
    """Record from now on that this worker process is alive."""
    global _heartbeat  # noqa: PLW0603 (one for each process)
    _heartbeat = WorkerHeartbeat(threads=sender.controller.concurrency)
    _heartbeat.start()


@worker_shutdown.connect
def stop_heartbeat(**_signal: Any) -> None:
    """Delete the row of this worker process."""
    if _heartbeat is not None:
        _heartbeat.stop()


@shared_task(name="smallville.take_turn")
def take_turn(*, simulation_id: str, agent: str, tick: int, **_later: Any) -> None:
    """Take one turn. Delivered twice, it is taken once."""
    simulation, turn = UUID(simulation_id), DueTurn(tick, agent)
    with structlog.contextvars.bound_contextvars(
        simulation=simulation_id, agent=agent, tick=tick
    ):
        close_old_connections()
        try:
            _take_claimed(simulation, turn)
        finally:
            connection.close()


@shared_task(name="smallville.conduct")
def conduct(*, simulation_id: str, **_later: Any) -> None:
    """Conduct a simulation for a slice of time, and ring for the next slice."""
    simulation = UUID(simulation_id)
    with structlog.contextvars.bound_contextvars(simulation=simulation_id):
        close_old_connections()
        try:
            rests = _conduct_slice(simulation)
        except LeaseLost:
            return
        except SimulationUnknown:
            logger.info("simulation is gone")
            return
        except Refusal as refusal:
            # Nothing that trying again would mend: the world's files have changed, say.
            commands.stop_at_once(simulation, reason=refusal.message)
            return
        except (OperationalError, psycopg.OperationalError) as error:
            # The beat rings again when the database is back.
            logger.warning("database went away", error=str(error))
            return
        except Exception as error:
            # A mistake of ours: trying again for ever would only hide it.
            logger.exception("conductor failed")
            commands.stop_at_once(simulation, reason=f"a mistake in the service: {error!r}")
            return
        finally:
            connection.close()
    if not rests and not _shutting_down.is_set():
        conduct.delay(simulation_id=simulation_id)


@shared_task(name="smallville.answer_interview")
def answer_interview(*, interview_id: str, **_later: Any) -> None:
    """Answer an interview. Delivered twice, it is answered once."""
    with structlog.contextvars.bound_contextvars(interview=interview_id):
        close_old_connections()
        try:
            interviews.answer_interview(wiring.ports(), UUID(interview_id))
        except Refusal as refusal:
            # It stands in the interview, for whoever asked.
            logger.info("interview without an answer", reason=refusal.message)
        finally:
            connection.close()


@shared_task(name="smallville.look_around")
def look_around(**_later: Any) -> None:
    """Ring for every simulation and every interview that waits and that nobody works on."""
    close_old_connections()
    try:
        for simulation_id in queries.list_due():
            conduct.delay(simulation_id=str(simulation_id))
        for interview_id in interviews.waiting_interviews():
            answer_interview.delay(interview_id=str(interview_id))
    finally:
        connection.close()


@shared_task(name="smallville.forget_old_answers")
def forget_old_answers(**_later: Any) -> None:
    """Let go of answers that were kept for repeated requests, once they are a day old."""
    close_old_connections()
    try:
        answers.forget_old_answers()
    finally:
        connection.close()


def _take_claimed(simulation_id: UUID, turn: DueTurn) -> None:
    if not turns.claim(simulation_id, turn, worker=_worker_name()):
        return

    def finish() -> None:
        turns.mark_done(simulation_id, turn)
        ring(simulation_id)

    try:
        with turns.heartbeat(simulation_id, turn):
            turns_of_people.take_turn(
                wiring.ports(),
                simulation_id=simulation_id,
                agent=turn.agent,
                tick=turn.tick,
                finish=finish,
            )
    except (AlreadyWritten, StreamPassed):
        finish()
    except SimulationUnknown:
        logger.info("simulation is gone")
    except Exception as error:
        # Where the database is away nothing can be put on record: this raises again, the
        # heartbeat lapses, and the turn is sent again.
        logger.exception("turn failed")
        connection.close()
        turns.mark_failed(simulation_id, turn, error, worker=_worker_name())
        ring(simulation_id)


def _conduct_slice(simulation_id: UUID) -> bool:
    dispatcher = turns.ByCelery(simulation_id, _send)
    try:
        conductor = Conductor(
            wiring.ports(),
            simulation_id,
            dispatcher=dispatcher,
            conducting=Conducting(
                holder=f"{_worker_name()} {uuid4().hex[:8]}", stop=_shutting_down.is_set
            ),
        )
        return conductor.conduct(seconds=SLICE_SECONDS)
    finally:
        dispatcher.close()


def _send(simulation_id: UUID, turn: DueTurn) -> None:
    take_turn.delay(simulation_id=str(simulation_id), agent=turn.agent, tick=turn.tick)


def _worker_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"
