"""Replays: the request of one, and how a process carries it out (V5)."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.kernel.errors import Conflict
from apps.replays.comparison import Replay, divergence_json, replay
from apps.replays.models import ReplayRow
from apps.simulation.locks import lock_simulation_row
from apps.work.kinds import PROGRESS_SECONDS, TakenWork, WorkKind, WorkProgress
from apps.work.rows import OPEN, WorkState


class ReplayInProgress(Conflict):
    """The simulation is being replayed already."""


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
        unfinished = rows.filter(state__in=OPEN).first()
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


def _carry_out(taken: TakenWork[ReplayRow]) -> None:
    """Take the turns again and record what differs.

    A resumed replay starts at its first tick again, because it writes no events.
    """
    row, recorded_at = taken.row, time.monotonic()
    found = Replay()
    turns = replay(taken.ports, row.simulation_id, from_tick=row.from_tick, to_tick=row.to_tick)
    for found in turns:
        if time.monotonic() - recorded_at > PROGRESS_SECONDS:
            recorded_at = time.monotonic()
            REPLAYS.record(row.pk, **_values(found))
    REPLAYS.end(row.pk, WorkState.DONE, **_values(found))


class _ReplayKind(WorkKind[ReplayRow]):
    """Replays, whose progress counts ticks."""

    def progress_of(self, rows: Sequence[ReplayRow]) -> Mapping[UUID, WorkProgress]:
        """Return the ticks up to that of the latest compared turn, all if it is done."""
        return {row.pk: _progress(row) for row in rows}


REPLAYS = _ReplayKind(name="replay", model=ReplayRow, parts="ticks", step=_carry_out)


def _progress(row: ReplayRow) -> WorkProgress:
    total = row.to_tick - row.from_tick + 1
    if row.state == WorkState.DONE:
        return WorkProgress(done=total, total=total)
    return WorkProgress(
        done=0 if row.tick is None else row.tick - row.from_tick + 1, total=total
    )


def _values(found: Replay) -> dict[str, Any]:
    """Return the values of a row for what was compared so far."""
    return asdict(found) | {"divergence": divergence_json(found.divergence)}
