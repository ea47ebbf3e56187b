"""Counts over all simulations, for the metrics."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q, Sum

from apps.simulation.models import CommandRow, SimulationRow, Status, TurnRow
from apps.simulation.queries import calendar_of, lag_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCounts:
    """The turns sent and those taken by a worker; `oldest_sent_at` is of those sent."""

    sent: int
    taken: int
    oldest_sent_at: datetime | None


def simulations_by_status() -> dict[str, int]:
    """Return how many simulations have each status."""
    counted = SimulationRow.objects.order_by().values("status").annotate(number=Count("pk"))
    numbers = {row["status"]: row["number"] for row in counted}
    return {status: numbers.get(status, 0) for status in Status.values}


def committed_ticks() -> int:
    """Return the sum of the committed ticks of all simulations."""
    return SimulationRow.objects.aggregate(ticks=Sum("committed_tick"))["ticks"] or 0


def pace_lag_seconds(now: datetime) -> float:
    """Return by how many real seconds the slowest running simulation is behind its pace."""
    running = SimulationRow.objects.filter(status=Status.RUNNING, pace__gt=0)
    lags = (
        lag_seconds(row, calendar_of(row.pk).tick_seconds, now) / (row.pace or 1.0)
        for row in running
    )
    return max(lags, default=0.0)


def turn_counts() -> TurnCounts:
    """Return how many turns wait for a worker, and how many are in work."""
    sent, taken = Q(state=TurnRow.State.SENT), Q(state=TurnRow.State.TAKEN)
    counts = TurnRow.objects.aggregate(
        sent=Count("pk", filter=sent),
        taken=Count("pk", filter=taken),
        oldest_sent_at=Min("sent_at", filter=sent),
    )
    return TurnCounts(**counts)


def pending_commands() -> int:
    """Return how many commands are neither accepted nor rejected yet."""
    return CommandRow.objects.filter(state=CommandRow.State.PENDING).count()
