"""Commands of replays: request one, work on it in a worker, delete it (V5)."""

import time
from typing import ClassVar
from uuid import UUID

from django.db import transaction

from apps.django_support.background_work import FINISHED, BackgroundWork, record_progress
from apps.kernel.errors import DomainError
from apps.replays.comparison import Replay, divergence_json, replay
from apps.replays.models import ReplayRow
from apps.simulation.locks import lock_simulation_row
from apps.simulation.ports import Ports

PROGRESS_SECONDS = 2.0
"""The time between two records of the progress."""


class ReplayInProgress(DomainError):
    """The simulation is being replayed already."""

    code: ClassVar[str] = "replay-in-progress"


class ReplayNotPaused(DomainError):
    """Only a replay that is paused can be resumed."""

    code: ClassVar[str] = "replay-not-paused"


REPLAYS = BackgroundWork(model=ReplayRow, noun="replay", not_paused=ReplayNotPaused)


def request_replay(
    simulation_id: UUID, *, from_tick: int, to_tick: int, by: str, reason: str = ""
) -> ReplayRow:
    """Record the request of a replay of committed ticks.

    :raises SimulationUnknown: if the simulation has been deleted.
    :raises ReplayInProgress: if another replay of it has not ended.
    """
    with transaction.atomic():
        lock_simulation_row(simulation_id)
        rows = ReplayRow.objects.filter(simulation_id=simulation_id)
        unfinished = rows.filter(state__in=REPLAYS.open_states).first()
        if unfinished is not None:
            raise ReplayInProgress(
                f"replay {unfinished.pk} has not ended; wait for it, or delete it"
            )
        return rows.create(
            simulation_id=simulation_id,
            from_tick=from_tick,
            to_tick=to_tick,
            by=by,
            reason=reason,
        )


def carry_out_replay(ports: Ports, replay_id: UUID) -> None:
    """Take the turns again and record what differs.

    Does nothing if the replay has ended, was deleted, or is taken by another process. A replay
    whose process was lost starts again at its first tick, because it writes no events.

    :raises Exception: if the comparison was not possible; the row has the reason.
    """
    row = REPLAYS.take(replay_id)
    if row is None:
        return
    with REPLAYS.carried_out(replay_id):
        found = _compare(ports, row)
        if found is not None and _record(row, found):
            REPLAYS.end(replay_id, FINISHED)


def waiting_replays() -> list[UUID]:
    """Return the replays that no worker is at, the earliest first."""
    return REPLAYS.ids()


def resume_replay(row: ReplayRow) -> ReplayRow:
    """Let a paused replay start again at its first tick.

    :raises ReplayNotPaused: if it is not paused.
    """
    return REPLAYS.resume(row.pk)


def delete_replay(row: ReplayRow) -> None:
    """Delete the replay; a worker that is at it stops."""
    row.delete()


def _compare(ports: Ports, row: ReplayRow) -> Replay | None:
    """Return the whole comparison, None if the replay was deleted meanwhile."""
    found = Replay(from_tick=row.from_tick, to_tick=row.to_tick)
    recorded_at = time.monotonic()
    turns = replay(ports, row.simulation_id, from_tick=row.from_tick, to_tick=row.to_tick)
    for found in turns:
        if time.monotonic() - recorded_at > PROGRESS_SECONDS:
            recorded_at = time.monotonic()
            if not _record(row, found):
                return None
    return found


def _record(row: ReplayRow, found: Replay) -> bool:
    """Record the progress; return whether the replay still exists."""
    return record_progress(
        ReplayRow.objects.filter(pk=row.pk),
        tick=found.tick,
        turns=found.turns,
        events=found.events,
        calls=found.calls,
        changed_calls=found.changed_calls,
        changed_call=found.changed_call,
        divergence=divergence_json(found.divergence),
    )
