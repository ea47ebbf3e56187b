"""The lock on a simulation's row, which serializes requests, and the numbers given under it."""

from collections.abc import Iterator
from typing import Literal
from uuid import UUID

from apps.simulation.models import SimulationRow
from apps.simulation.queries import get_simulation


def lock_simulation_row(simulation_id: UUID) -> SimulationRow:
    """Return the simulation, its row locked until the end of the transaction.

    :raises SimulationUnknown: if there is none of that id.
    """
    row = SimulationRow.objects.select_for_update().filter(pk=simulation_id).first()
    return row or get_simulation(simulation_id)


NumberedKind = Literal["interviews", "ranking-tasks", "news-findings"]


def take_numbers(row: SimulationRow, kind: NumberedKind, many: int) -> Iterator[int]:
    """Yield the next numbers of a kind, from 1, of a simulation whose row is locked.

    What has a number can be deleted, but its calls stay on the call log: no other request may
    have their ids.
    """
    first = row.numbers_taken.get(kind, 0) + 1
    row.numbers_taken |= {kind: first + many - 1}
    row.save(update_fields=["numbers_taken"])
    return iter(range(first, first + many))
