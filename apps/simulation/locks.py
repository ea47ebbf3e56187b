"""The lock on a simulation's row, which serializes requests to change the simulation."""

from uuid import UUID

from apps.simulation.models import SimulationRow
from apps.simulation.queries import get_simulation


def lock_simulation_row(simulation_id: UUID) -> SimulationRow:
    """Return the simulation, its row locked until the end of the transaction.

    :raises SimulationUnknown: if there is none of that id.
    """
    row = SimulationRow.objects.select_for_update().filter(pk=simulation_id).first()
    return row or get_simulation(simulation_id)
