"""Turns as Celery tasks: rows say which are in work, the broker only rings.

A turn is claimed by a conditional update: zero rows mean that somebody else has it. Whoever
holds it keeps its heartbeat fresh; one that has lapsed is sent again, whatever the broker
remembers.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID

import structlog
from django.db import OperationalError, connection
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.kernel.errors import Refusal
from apps.simulation.dispatch import DueTurn, Finished, TurnFailed, TurnGivenUp, reason_of
from apps.simulation.models import TurnRow
from apps.worker.bell import Listener

HEARTBEAT_SECONDS = 4.0
LAPSED_SECONDS = 15.0
ERROR_CHARACTERS_MAX = 4_000
SILENT_ATTEMPTS_MAX = 8

Send = Callable[[UUID, DueTurn], None]


logger = structlog.get_logger(__name__)


class ByCelery:
    """Hands turns to Celery workers."""

    def __init__(self, simulation_id: UUID, send: Send) -> None:
        """Take the simulation and what sends a turn's task."""
        self._simulation_id = simulation_id
        self._send = send
        self._listener = Listener()

    def start(self) -> list[DueTurn]:
        """Return the turns that an earlier conductor has handed out."""
        rows = self._rows().filter(state__in=[TurnRow.State.SENT, TurnRow.State.TAKEN])
        self._rows().filter(state=TurnRow.State.DONE).delete()
        return sorted(DueTurn(row.tick, row.agent) for row in rows)

    def hand_out(self, turn: DueTurn) -> None:
        """Put the turn on record as sent, and ring."""
        now = timezone.now()
        sent = {
            "state": TurnRow.State.SENT,
            "worker": "",
            "error": "",
            "fatal": False,
            "sent_at": now,
            "heartbeat_at": now,
        }
        # A turn that is tried again keeps its count; another one begins a new row.
        if not self._rows().filter(agent=turn.agent, tick=turn.tick).update(**sent):
            TurnRow.objects.update_or_create(
                simulation_id=self._simulation_id,
                agent=turn.agent,
                defaults={"tick": turn.tick, "attempts": 0} | sent,
            )
        self._send(self._simulation_id, turn)

    def finished(self, timeout_seconds: float) -> list[Finished]:
        """Wait for the bell; return the turns that are done or have failed."""
        back = self._take_back()
        if not back:
            self._listener.wait(timeout_seconds)
            back = self._take_back()
        if not back:
            self._send_lapsed_again()
        return back

    def close(self) -> None:
        """Stop listening; the turns in work go on."""
        self._listener.close()

    def _take_back(self) -> list[Finished]:
        back = []
        for row in self._rows().filter(state__in=[TurnRow.State.DONE, TurnRow.State.FAILED]):
            turn = DueTurn(row.tick, row.agent)
            back.append(Finished(turn, _error_of(row), row.attempts))
            if row.state == TurnRow.State.DONE:
                row.delete()
            else:
                # Kept for its count, and told once.
                self._rows().filter(pk=row.pk).update(state=TurnRow.State.TOLD)
        return back

    def _send_lapsed_again(self) -> None:
        """Send turns again whose worker has fallen silent, but not for ever."""
        lapsed = timezone.now() - timedelta(seconds=LAPSED_SECONDS)
        rows = self._rows().filter(
            state__in=[TurnRow.State.SENT, TurnRow.State.TAKEN], heartbeat_at__lt=lapsed
        )
        for row in rows:
            # The worker may come back in this very moment: only what is as it was is changed.
            still = self._rows().filter(
                pk=row.pk, state=row.state, heartbeat_at=row.heartbeat_at
            )
            if row.attempts >= SILENT_ATTEMPTS_MAX:
                still.update(
                    state=TurnRow.State.FAILED,
                    fatal=True,
                    error=f"{row.agent} at tick {row.tick}: {row.attempts} workers fell silent "
                    "over this turn",
                )
            elif still.update(state=TurnRow.State.SENT, heartbeat_at=timezone.now()):
                self._send(self._simulation_id, DueTurn(row.tick, row.agent))

    def _rows(self) -> QuerySet[TurnRow]:
        return TurnRow.objects.filter(simulation_id=self._simulation_id)


def claim(simulation_id: UUID, turn: DueTurn, *, worker: str) -> bool:
    """Take the turn if it is to be had; False when somebody else has it or it is done."""
    now = timezone.now()
    lapsed = Q(
        state=TurnRow.State.TAKEN, heartbeat_at__lt=now - timedelta(seconds=LAPSED_SECONDS)
    )
    claimed = _row_of(simulation_id, turn).filter(Q(state=TurnRow.State.SENT) | lapsed)
    return bool(
        claimed.update(
            state=TurnRow.State.TAKEN,
            worker=worker,
            heartbeat_at=now,
            attempts=F("attempts") + 1,
        )
    )


def mark_done(simulation_id: UUID, turn: DueTurn) -> None:
    """Put on record that the turn is written, whoever has written it."""
    _row_of(simulation_id, turn).update(state=TurnRow.State.DONE)


def mark_failed(simulation_id: UUID, turn: DueTurn, error: Exception, *, worker: str) -> None:
    """Put on record why the turn failed, if this worker still has it."""
    _row_of(simulation_id, turn).filter(state=TurnRow.State.TAKEN, worker=worker).update(
        state=TurnRow.State.FAILED,
        error=reason_of(turn, error)[:ERROR_CHARACTERS_MAX],
        fatal=isinstance(error, Refusal),
    )


@contextmanager
def heartbeat(simulation_id: UUID, turn: DueTurn) -> Iterator[None]:
    """Keep the turn's heartbeat fresh for as long as the block runs."""
    over = threading.Event()

    def beat() -> None:
        try:
            while not over.wait(HEARTBEAT_SECONDS):
                try:
                    _row_of(simulation_id, turn).update(heartbeat_at=timezone.now())
                except OperationalError as error:
                    # The next beat comes in time, if the database is back by then.
                    logger.warning("heartbeat missed", error=str(error))
                    connection.close()
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name=f"heartbeat {turn.agent}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()


def _error_of(row: TurnRow) -> Exception | None:
    if row.state == TurnRow.State.DONE:
        return None
    return TurnGivenUp(row.error) if row.fatal else TurnFailed(row.error)


def _row_of(simulation_id: UUID, turn: DueTurn) -> QuerySet[TurnRow]:
    return TurnRow.objects.filter(simulation_id=simulation_id, agent=turn.agent, tick=turn.tick)
