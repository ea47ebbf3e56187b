"""The one place where a simulation's row is held, so that whoever would change it waits."""

from uuid import UUID

from apps.simulation.models import SimulationRow
from apps.simulation.queries import get_simulation


def hold_row(simulation_id: UUID) -> SimulationRow:
    """Return the simulation, held to the end of the transaction.

    :raises SimulationUnknown: if there is none of that id.
    """
    row = SimulationRow.objects.select_for_update().filter(pk=simulation_id).first()
    return row or get_simulation(simulation_id)
