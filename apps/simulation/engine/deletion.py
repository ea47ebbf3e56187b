"""Deletes simulations, and rows that no read can reach any more (V4).

The past that living branches share is kept.
"""

from collections import Counter
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Max, Model

from apps.access.membership import forget_members
from apps.eventlog.models import EventRow
from apps.eventlog.store import acquire_append_lock
from apps.kernel.errors import Conflict
from apps.kernel.followed_items import followed
from apps.lineage.branches import ancestors_of, branches_of
from apps.lineage.history_rows import own_rows
from apps.lineage.models import LineageRow
from apps.lineage.views import inheritance_of
from apps.llm.calls.django_call_log import forget_calls
from apps.metrics.totals import keep_totals_of_deleted
from apps.simulation.models import ClockRow, CommandRow, SimulationRow, TurnRow
from apps.simulation.ports import Ports

_OPERATIONAL: tuple[type[Model], ...] = (ClockRow, TurnRow, CommandRow)


class HasBranches(Conflict):
    """Branches of the simulation share its past."""


def delete_rows(ports: Ports, row: SimulationRow, *, keep_branches: bool) -> None:
    """Delete the log and all rows of a simulation whose row and log are locked.

    With `keep_branches` the history stays for the branches that share it.

    :raises HasBranches: if it has branches, and they are not to be kept.
    """
    branches = branches_of(row.pk)
    if branches and not keep_branches:
        # Branches may be private simulations of other users: their names are not told.
        raise HasBranches(
            f"branches share the past of this simulation: {len(branches)}; keep their past "
            "with keep_branches=true, or delete them first (GET …/forks lists those that you "
            "may see)"
        )
    keep_totals_of_deleted(row.pk, committed_ticks=row.committed_tick)
    forget_members(row.pk)
    for model in _OPERATIONAL:
        model._default_manager.filter(simulation_id=row.pk).delete()
    if branches:
        _hide(row)
        return
    ancestors = [share.simulation_id for share in ancestors_of(row.pk)]
    _delete_history(ports, row.pk)
    _delete_unneeded(ports, ancestors)


def _hide(row: SimulationRow) -> None:
    """Keep the history for branches only, without what belongs to users."""
    for relation in SimulationRow._meta.related_objects:
        related = relation.related_model
        related._default_manager.filter(**{relation.field.name: row}).delete()
    row.is_deleted, row.owner = True, None
    row.reason = "deleted; its branches share its past"
    row.save(update_fields=["is_deleted", "owner", "reason"])


def _delete_unneeded(ports: Ports, ancestors: list[UUID]) -> None:
    """Delete the deleted ancestors of a deleted branch that no other branch shares."""
    for ancestor in ancestors:
        hidden = SimulationRow.with_deleted.select_for_update().filter(
            pk=ancestor, is_deleted=True
        )
        if hidden.exists() and not branches_of(ancestor):
            acquire_append_lock(ancestor)
            _delete_history(ports, ancestor)


def _delete_history(ports: Ports, simulation_id: UUID) -> None:
    """Delete the log, the rows, the calls and the lineage of a simulation."""
    for model in ports.store.projector.models:
        own_rows(model, simulation_id).delete()
    forget_calls(simulation_id)
    with connection.cursor() as cursor:
        # The trigger that keeps the log append-only reads this setting.
        cursor.execute(
            "SELECT set_config('smallville.deleting', %s, true)", [str(simulation_id)]
        )
    own_rows(EventRow, simulation_id).delete()
    LineageRow.objects.filter(branch=simulation_id).delete()
    SimulationRow.with_deleted.filter(pk=simulation_id).delete()


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
