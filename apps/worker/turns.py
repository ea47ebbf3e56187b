"""Executes turns by Celery workers: rows say which, messages only wake the workers.

The scheduler writes a row for each turn that is ready. A message without content wakes a
worker, which claims the turn that is next in fairness (`apps.simulation.engine.turn_claims`).
Messages and workers may be lost: the rows say what is still to be executed.
"""

import threading
import time
from collections.abc import Callable
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from apps.django_support.heartbeat import lapse_limit
from apps.django_support.statements import asynchronous_commit
from apps.kernel.errors import DomainError
from apps.metrics.instruments import record_turn_redelivery
from apps.metrics.totals import add_turns
from apps.simulation.engine.turn_claims import ClaimedTurn
from apps.simulation.engine.turn_executors import (
    ExecutedTurn,
    ReadyTurn,
    TurnAbandoned,
    TurnExecutor,
    TurnFailed,
    failure_reason,
)
from apps.simulation.models import TurnRow

ERROR_CHARACTERS_MAX = 4_000
SILENT_ATTEMPTS_MAX = 8
COLLECTED_MAX = 8
"""Turns that are collected in one step, so that other simulations have theirs soon."""
RESEND_SECONDS_MIN = 2.0
RESEND_SECONDS_MAX = 15.0
"""How soon another message is sent for turns that nobody claims, and the longest interval."""

logger = structlog.get_logger(__name__)

_SUBMITTED = (TurnRow.State.SENT, TurnRow.State.TAKEN)


class CeleryExecutor(TurnExecutor):
    """Executes the turns of one simulation by Celery workers."""

    def __init__(
        self,
        simulation_id: UUID,
        send: Callable[[], None],
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the simulation, and the function that sends the message that wakes a worker."""
        self._simulation_id = simulation_id
        self._send = send
        self._monotonic = monotonic
        self._resend_seconds = RESEND_SECONDS_MIN
        self._resend_at = 0.0

    def start(self) -> list[ReadyTurn]:
        """Return the turns that an earlier scheduler has submitted."""
        rows = self._rows().filter(state__in=_SUBMITTED)
        self._rows().filter(state=TurnRow.State.DONE).delete()
        return sorted(ReadyTurn(row.tick, row.agent) for row in rows)

    def submit(self, turn: ReadyTurn) -> None:
        """Record the turn as submitted, and wake a worker."""
        now = timezone.now()
        submitted = {
            "state": TurnRow.State.SENT,
            "worker": "",
            "error": "",
            "fatal": False,
            "sent_at": now,
            "heartbeat_at": now,
        }
        with asynchronous_commit():
            # Another attempt of the turn keeps its count; another turn starts from zero.
            if not self._rows().filter(agent=turn.agent, tick=turn.tick).update(**submitted):
                TurnRow.objects.update_or_create(
                    simulation_id=self._simulation_id,
                    agent=turn.agent,
                    defaults={"tick": turn.tick, "attempts": 0} | submitted,
                )
        self._resend_seconds = RESEND_SECONDS_MIN
        self._send_message()

    def collect(self) -> list[ExecutedTurn]:
        """Return turns that are done or have failed, a few at a time."""
        executed = self._rows().filter(state__in=[TurnRow.State.DONE, TurnRow.State.FAILED])
        rows = list(executed.order_by("tick", "agent")[:COLLECTED_MAX])
        done = [row.pk for row in rows if row.state == TurnRow.State.DONE]
        failed = [row.pk for row in rows if row.state == TurnRow.State.FAILED]
        if rows:
            with asynchronous_commit():
                TurnRow.objects.filter(pk__in=done).delete()
                # Their rows stay, with the number of attempts, and are collected once.
                TurnRow.objects.filter(pk__in=failed).update(state=TurnRow.State.COLLECTED)
        return [
            ExecutedTurn(ReadyTurn(row.tick, row.agent), _error_of(row), attempts=row.attempts)
            for row in rows
        ]

    def withdraw(self) -> list[ReadyTurn]:
        """Delete the turns that no worker has claimed, and return them."""
        withdrawn = []
        for row in self._rows().filter(state=TurnRow.State.SENT):
            deleted, _ = self._rows().filter(pk=row.pk, state=TurnRow.State.SENT).delete()
            if deleted:
                withdrawn.append(ReadyTurn(row.tick, row.agent))
        return withdrawn

    def resubmit_lapsed(self) -> None:
        """Submit turns again whose worker has died, and wake a worker for unclaimed ones."""
        taken = self._rows().filter(state=TurnRow.State.TAKEN)
        for row in taken.filter(heartbeat_at__lt=lapse_limit()):
            self._resubmit(row)
        waiting = self._rows().filter(state=TurnRow.State.SENT)
        if self._monotonic() >= self._resend_at and waiting.exists():
            self._resend_seconds = min(RESEND_SECONDS_MAX, 2 * self._resend_seconds)
            self._send_message()

    def _resubmit(self, row: TurnRow) -> None:
        # The worker may write its heartbeat now: only an unchanged row is updated.
        unchanged = self._rows().filter(
            pk=row.pk, state=row.state, heartbeat_at=row.heartbeat_at
        )
        if row.attempts >= SILENT_ATTEMPTS_MAX:
            unchanged.update(
                state=TurnRow.State.FAILED,
                fatal=True,
                error=f"{row.agent} at tick {row.tick}: {row.attempts} workers died during "
                "this turn",
            )
        elif unchanged.update(state=TurnRow.State.SENT, heartbeat_at=timezone.now()):
            record_turn_redelivery()
            self._send_message()

    def _send_message(self) -> None:
        self._resend_at = self._monotonic() + self._resend_seconds
        try:
            self._send()
        except Exception as error:
            # Each broker has its own exceptions. The message is sent again later.
            logger.warning("broker out of order", error=repr(error))

    def _rows(self) -> QuerySet[TurnRow]:
        return TurnRow.objects.filter(simulation_id=self._simulation_id)


def mark_done(claim: ClaimedTurn) -> None:
    """Record that the turn is written, by this worker or another."""
    _row_of(claim).update(state=TurnRow.State.DONE)


def mark_failed(claim: ClaimedTurn, error: Exception, *, worker: str) -> None:
    """Record why the turn failed, if this worker still has the claim."""
    taken = _row_of(claim).filter(state=TurnRow.State.TAKEN, worker=worker)
    with transaction.atomic():
        failed = taken.update(
            state=TurnRow.State.FAILED,
            error=failure_reason(claim.turn, error)[:ERROR_CHARACTERS_MAX],
            fatal=isinstance(error, DomainError),
        )
        if failed:
            add_turns(claim.simulation_id, failed=failed)


def give_back(claim: ClaimedTurn, *, worker: str) -> None:
    """Submit a turn again that an outage has interrupted; the attempt does not count."""
    _row_of(claim).filter(state=TurnRow.State.TAKEN, worker=worker).update(
        state=TurnRow.State.SENT,
        worker="",
        heartbeat_at=timezone.now(),
        attempts=F("attempts") - 1,
    )


def _error_of(row: TurnRow) -> Exception | None:
    if row.state == TurnRow.State.DONE:
        return None
    return TurnAbandoned(row.error) if row.fatal else TurnFailed(row.error)


def _row_of(claim: ClaimedTurn) -> QuerySet[TurnRow]:
    turn = claim.turn
    return TurnRow.objects.filter(
        simulation_id=claim.simulation_id, agent=turn.agent, tick=turn.tick
    )


class TurnSlots:
    """Limits how many turns a worker process executes at once; its other threads stay free."""

    def __init__(self, slots: int) -> None:
        self._lock = threading.Lock()
        self._free = slots
        self._was_refused = False

    def acquire(self) -> bool:
        """Occupy a slot; False if all of them are occupied."""
        with self._lock:
            if self._free == 0:
                self._was_refused = True
                return False
            self._free -= 1
            return True

    def release(self) -> bool:
        """Free a slot; return whether an `acquire` has failed since the last release.

        In that case a message was consumed whose turn may still wait for a claim.
        """
        with self._lock:
            self._free += 1
            was_refused, self._was_refused = self._was_refused, False
            return was_refused
