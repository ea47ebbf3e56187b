"""The simulations that the index lists."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from apps.api.http.simulation_context import list_visible_simulations
from apps.simulation import queries

SIMULATIONS_LISTED_MAX = 50


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
        return None if calendar is None else calendar.time_at(simulation.settled_tick)

    return [{"row": row, "clock": clock(row)} for row in rows]
