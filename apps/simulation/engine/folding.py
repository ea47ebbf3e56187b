"""Deletes rows that no read can reach any more; the log stays whole (V4, V5)."""

from collections import Counter
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from apps.eventlog.store import acquire_append_lock
from apps.kernel.followed_items import followed
from apps.lineage.history_rows import own_rows
from apps.lineage.models import LineageRow
from apps.lineage.views import inheritance_of
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports


def fold_rows(ports: Ports) -> Counter[str]:
    """Delete the rows of deleted simulations that begin after the past that branches share.

    A simulation that is deleted with `keep_branches` keeps its history for its branches, which
    read it up to the last tick that one of them shares. All other rows can be read as of some
    moment. Events and model calls stay, so that a rebuild writes the deleted rows again.

    :returns: the number of deleted rows by table.
    """
    deleted: Counter[str] = Counter()
    hidden = SimulationRow.with_deleted.filter(is_deleted=True).order_by("created_at", "pk")
    for simulation_id in followed(hidden.values_list("pk", flat=True), "simulation"):
        deleted += _fold(ports, simulation_id)
    return deleted


def _fold(ports: Ports, simulation_id: UUID) -> Counter[str]:
    """Delete the rows of one deleted simulation that begin after its last shared tick."""
    deleted: Counter[str] = Counter()
    with transaction.atomic():
        acquire_append_lock(simulation_id)
        shares = LineageRow.objects.filter(ancestor=simulation_id)
        last_tick = shares.aggregate(last=Max("until_tick"))["last"]
        if last_tick is None:  # its last branch was deleted meanwhile, and all rows with it
            return deleted
        for model in ports.store.projector.models:
            after = {f"{inheritance_of(model).begins}__gt": last_tick}
            count, _ = own_rows(model, simulation_id).filter(**after).delete()
            deleted[model._meta.db_table] += count
    return +deleted
