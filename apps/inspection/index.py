"""The simulations and the experiments that the index lists."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from apps.api.http.simulation_context import list_visible_simulations
from apps.experiments.models import ExperimentRow
from apps.experiments.queries import list_experiments
from apps.simulation import queries

SIMULATIONS_LISTED_MAX = 50
EXPERIMENTS_LISTED_MAX = 20


def listed_experiments(user: User) -> QuerySet[ExperimentRow]:
    """Return the latest experiments of a user."""
    return list_experiments(user.pk).order_by("-requested_at")[:EXPERIMENTS_LISTED_MAX]


def listed_simulations(user: User) -> list[dict[str, Any]]:
    """Return the latest simulations of a user, each as `row` and its game time `clock`."""
    rows = list(
        list_visible_simulations(user)
        .select_related("owner")
        .order_by("-created_at")[:SIMULATIONS_LISTED_MAX]
    )
    calendars = queries.calendars_of([row.pk for row in rows])

    def clock(simulation: Any) -> datetime | None:
        calendar = calendars.get(simulation.pk)
        return None if calendar is None else calendar.time_at(simulation.committed_tick)

    return [{"row": row, "clock": clock(row)} for row in rows]
