"""How many simulations of one owner may run at the same time."""

from uuid import UUID

from django.contrib.auth import get_user_model

from apps.simulation.engine.lifecycle import CannotRun
from apps.simulation.models import SimulationRow, Status
from apps.simulation.queries import get_simulation


class TooManyRunning(CannotRun):
    """The owner has as many simulations running as are allowed at the same time."""


def ensure_may_run(simulation_id: UUID, *, running_max: int) -> None:
    """Check that the simulation's owner has fewer simulations running than may run.

    Call it in the transaction of the request: of two requests at once, the second counts the
    simulation of the first.

    :param running_max: how many may run at the same time; 0 for no limit.
    :raises TooManyRunning: if as many others run; their names are for the owner only, and the
        request may be another user's.
    """
    row = get_simulation(simulation_id)
    if not running_max or row.owner_id is None:
        return
    owners = get_user_model()._default_manager.select_for_update(no_key=True)
    owners.get(pk=row.owner_id)
    others = SimulationRow.objects.filter(
        owner_id=row.owner_id, status__in=[Status.RUNNING, Status.PAUSING]
    ).exclude(pk=row.pk)
    running = others.count()
    if running < running_max:
        return
    raise TooManyRunning(
        f"{running} simulations of this owner are running, and at most {running_max} may; "
        "pause one of them (GET /simulations lists yours, POST …/simulations/ID/pause), or ask "
        "the operator to raise SIMULATIONS_RUNNING_PER_USER_MAX"
    )
