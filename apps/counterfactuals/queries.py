"""Queries of counterfactuals."""

from typing import ClassVar
from uuid import UUID

from django.db.models import QuerySet

from apps.counterfactuals.models import CounterfactualRow
from apps.kernel.errors import NotFound


class CounterfactualUnknown(NotFound):
    """The simulation has no counterfactual of that id."""

    code: ClassVar[str] = "counterfactual-unknown"


def get_counterfactual(simulation_id: UUID, counterfactual_id: UUID) -> CounterfactualRow:
    """Return the counterfactual with its branch.

    :raises CounterfactualUnknown: if the simulation has none of the id.
    """
    row = list_counterfactuals(simulation_id).filter(pk=counterfactual_id).first()
    if row is None:
        raise CounterfactualUnknown(
            f"there is no counterfactual {counterfactual_id} of this simulation"
        )
    return row


def list_counterfactuals(simulation_id: UUID) -> QuerySet[CounterfactualRow]:
    """Return the counterfactuals of the simulation with their branches, without an order."""
    rows = CounterfactualRow.objects.filter(simulation_id=simulation_id)
    return rows.select_related("simulation", "branch")
