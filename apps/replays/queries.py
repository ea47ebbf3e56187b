"""Queries of replays."""

from typing import ClassVar
from uuid import UUID

from django.db.models import QuerySet

from apps.kernel.errors import NotFound
from apps.replays.models import ReplayRow


class ReplayUnknown(NotFound):
    """The simulation has no replay of that id."""

    code: ClassVar[str] = "replay-unknown"


def get_replay(simulation_id: UUID, replay_id: UUID) -> ReplayRow:
    """Return the replay.

    :raises ReplayUnknown: if the simulation has none of the id.
    """
    row = list_replays(simulation_id).filter(pk=replay_id).first()
    if row is None:
        raise ReplayUnknown(f"there is no replay {replay_id} in this simulation")
    return row


def list_replays(simulation_id: UUID) -> QuerySet[ReplayRow]:
    """Return the replays of the simulation, without an order."""
    return ReplayRow.objects.filter(simulation_id=simulation_id)
