"""Claims turns for workers, fairly, and records which processes are alive.

Next is a turn of the user, then of the simulation, with the fewest turns in work.
"""

import os
import socket
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.db import connection
from django.utils import timezone

from apps.django_support.heartbeat import lapse_limit
from apps.django_support.statements import asynchronous_commit
from apps.simulation.engine.turn_executors import ReadyTurn
from apps.simulation.models import ProcessRow, TurnRow

RESERVE = 0.25
"""The share of all threads that is reserved for users below their equal share."""

_CLAIMS_LOCK = 7_218_340_115
_LOCK = "SELECT pg_advisory_xact_lock(%(lock)s)"

# `owner` is 0 for simulations without one. A lapsed claim counts as submitted.
_CLAIM = """
WITH turn AS (
    SELECT t.id, t.simulation_id, coalesce(s.owner_id, 0) AS owner,
           t.state = 'taken' AND t.heartbeat_at >= %(lapsed)s AS is_held
    FROM simulation_turnrow t
    JOIN simulation_simulationrow s ON s.id = t.simulation_id
    WHERE t.state IN ('sent', 'taken')
), of_owner AS (
    SELECT owner, count(*) FILTER (WHERE is_held) AS held FROM turn GROUP BY owner
), of_simulation AS (
    SELECT simulation_id, count(*) FILTER (WHERE is_held) AS held
    FROM turn GROUP BY simulation_id
), threads AS (
    SELECT coalesce(sum(threads), 0) AS all_of_them,
           (SELECT count(*) FROM turn WHERE is_held) AS held
    FROM simulation_processrow WHERE kind = 'worker' AND seen_at >= %(lapsed)s
), running AS (
    SELECT greatest(1, count(DISTINCT coalesce(owner_id, 0))) AS owners
    FROM simulation_simulationrow WHERE status IN ('running', 'pausing') OR is_preparing
), next AS (
    SELECT t.id
    FROM simulation_turnrow t
    JOIN turn USING (id)
    JOIN of_owner USING (owner)
    JOIN of_simulation ON of_simulation.simulation_id = t.simulation_id
    CROSS JOIN threads CROSS JOIN running
    WHERE NOT turn.is_held AND (
        running.owners = 1 OR threads.all_of_them = 0
        OR of_owner.held < greatest(1, threads.all_of_them / running.owners)
        OR threads.held < threads.all_of_them - ceil(threads.all_of_them * %(reserve)s)
    )
    ORDER BY of_owner.held, of_simulation.held, t.sent_at, t.id
    LIMIT 1
    FOR UPDATE OF t SKIP LOCKED
)
UPDATE simulation_turnrow t
SET state = 'taken', worker = %(worker)s, heartbeat_at = %(now)s, attempts = attempts + 1
FROM next
WHERE t.id = next.id
RETURNING t.id, t.simulation_id, t.tick, t.agent
"""


@dataclass(frozen=True, slots=True)
class ClaimedTurn:
    """A turn that this worker executes: the id of its row, its simulation and the turn."""

    row_id: int
    simulation_id: UUID
    turn: ReadyTurn


def claim_next(worker: str) -> ClaimedTurn | None:
    """Claim the turn that is next in fairness; None if there is none for this worker.

    Next is a turn of the user whose turns occupy the fewest threads, then of the simulation
    with the fewest, then the oldest. While simulations of several users run or are prepared,
    the last quarter of all threads is reserved for users below an equal share: a user whose
    model is slow occupies three quarters of the threads at most.

    Claims depend on earlier claims, and are serialized by an advisory lock (a millisecond).
    """
    now = timezone.now()
    with asynchronous_commit(), connection.cursor() as cursor:
        cursor.execute(_LOCK, {"lock": _CLAIMS_LOCK})
        cursor.execute(
            _CLAIM,
            {
                "now": now,
                "lapsed": lapse_limit(),
                "reserve": RESERVE,
                "worker": worker,
            },
        )
        found = cursor.fetchone()
    if found is None:
        return None
    row_id, simulation_id, tick, agent = found
    return ClaimedTurn(row_id, simulation_id, ReadyTurn(tick, agent))


def keep_claims(worker: str, row_ids: Collection[int]) -> None:
    """Renew the heartbeats of the turns of these rows that the worker has claimed."""
    if row_ids:
        claimed = TurnRow.objects.filter(
            pk__in=row_ids, worker=worker, state=TurnRow.State.TAKEN
        )
        with asynchronous_commit():
            claimed.update(heartbeat_at=timezone.now())


FORGOTTEN_AFTER_HOURS = 24
"""Rows of processes that were killed are deleted after this time."""


def process_name() -> str:
    """Return a unique name of this process: host, process id, random digits."""
    return f"{socket.gethostname()[:100]}:{os.getpid()}:{uuid4().hex[:8]}"


def record_heartbeat(kind: ProcessRow.Kind, name: str, *, threads: int = 0) -> None:
    """Record that the process is alive, and delete rows of processes that died long ago."""
    now = timezone.now()
    with asynchronous_commit():
        is_known = ProcessRow.objects.filter(pk=name).update(seen_at=now, threads=threads)
    if not is_known:
        forgotten = now - timedelta(hours=FORGOTTEN_AFTER_HOURS)
        ProcessRow.objects.filter(seen_at__lt=forgotten).delete()
        ProcessRow.objects.update_or_create(
            pk=name,
            defaults={"kind": kind, "threads": threads, "started_at": now, "seen_at": now},
        )


def forget_process(name: str) -> None:
    """Delete the row of a process that shuts down."""
    ProcessRow.objects.filter(pk=name).delete()
