"""Reads simulations: creation, status, the processes that run them, counts for the metrics."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet, Sum
from django.utils import timezone
from pydantic import TypeAdapter

from apps.django_support.statements import rows_of
from apps.eventlog.event import SIMULATION_STREAM
from apps.eventlog.models import EventRow
from apps.kernel.errors import Conflict, NotFound, SmallvilleError
from apps.kernel.game_time import FOREVER_TICK, GameCalendar
from apps.llm.model_spec import ModelSpec
from apps.simulation.events import SimulationCreated, SpecificationChanged
from apps.simulation.models import (
    ClockRow,
    CommandRow,
    ProcessRow,
    SimulationRow,
    Status,
    TurnRow,
)

CREATIONS_KEPT_MAX = 1_024
_MODEL = "SELECT model FROM simulation_simulationrow WHERE id = %(simulation)s"
_CREATION = TypeAdapter(SimulationCreated)
_CHANGE = TypeAdapter(SpecificationChanged)


class SimulationUnknown(NotFound):
    """There is no such simulation."""


class WorldChanged(Conflict):
    """The world's files are no longer those that the simulation was created with."""


class LeaseLost(SmallvilleError):
    """Another process may schedule the simulation now."""


def get_simulation(simulation_id: UUID) -> SimulationRow:
    """Return the simulation.

    :raises SimulationUnknown: if there is none of that id.
    """
    row = find_simulation(simulation_id)
    if row is None:
        raise SimulationUnknown(f"there is no simulation {simulation_id}")
    return row


def find_simulation(simulation_id: UUID) -> SimulationRow | None:
    """Return the simulation, None if there is none of that id."""
    return SimulationRow.objects.filter(pk=simulation_id).first()


def list_simulations(
    *, owner_id: int | None = None, or_among: "QuerySet[Any] | None" = None
) -> QuerySet[SimulationRow]:
    """Return simulations: all of them, or those of an owner and those among some ids."""
    rows = SimulationRow.objects.all()
    if owner_id is None:
        return rows
    shared = Q() if or_among is None else Q(pk__in=or_among)
    return rows.filter(Q(owner_id=owner_id) | shared)


def list_due(holder: str = "") -> list[UUID]:
    """Return the simulations that should be scheduled and that no other process schedules.

    :param holder: the process that asks; a simulation whose lease it holds is included.
    """
    free = Q(lease_until=None) | Q(lease_until__lt=timezone.now()) | Q(lease_holder=holder)
    requests = CommandRow.objects.filter(
        simulation_id=OuterRef("pk"), state=CommandRow.State.PENDING, at_tick=None
    )
    runs = Q(status__in=[Status.RUNNING, Status.PAUSING])
    rows = SimulationRow.objects.filter(free & (runs | Q(is_preparing=True) | Exists(requests)))
    return list(rows.order_by("created_at").values_list("pk", flat=True))


def get_creation(simulation_id: UUID, *, at_tick: int = FOREVER_TICK) -> SimulationCreated:
    """Return the simulation's first event, for a branch with the changes of its specification.

    Each process reads it once.

    :param at_tick: only the changes that hold at this tick; the past has another specification.
    :raises SimulationUnknown: if the log has no event of it.
    """
    *_, latest = (one for tick, one in _specifications(simulation_id) if tick <= at_tick)
    return latest


@lru_cache(maxsize=CREATIONS_KEPT_MAX)
def _specifications(simulation_id: UUID) -> Sequence[tuple[int, SimulationCreated]]:
    """Return what holds from each tick on, of a branch that has come to exist."""
    found = _creations([simulation_id])[simulation_id]
    if not found:
        raise SimulationUnknown(f"the log has no creation of a simulation {simulation_id}")
    return found


def ensure_world_unchanged(created: SimulationCreated, digest: str) -> None:
    """Check that the world is the one that the simulation was created with.

    :raises WorldChanged: if the digests differ.
    """
    if created.world_sha256 != digest:
        raise WorldChanged(
            f"the files of the world {created.world!r} have changed since this simulation was "
            "created; restore them, or create a new simulation with the changed world"
        )


def model_of(simulation_id: UUID) -> ModelSpec:
    """Return the model of the simulation; every turn reads it.

    :raises SimulationUnknown: if there is none of that id.
    """
    found = rows_of(_MODEL, {"simulation": simulation_id})
    if not found:
        raise SimulationUnknown(f"there is no simulation {simulation_id}")
    return ModelSpec.from_json(json.loads(found[0][0]))


def calendar_of(simulation_id: UUID) -> GameCalendar:
    """Return the simulation's calendar, which never changes.

    :raises SimulationUnknown: if the log has no event of it.
    """
    return get_creation(simulation_id).calendar


def calendars_of(simulation_ids: Sequence[UUID]) -> dict[UUID, GameCalendar]:
    """Return the calendars of several simulations, in one query."""
    return {
        key: specifications[-1][1].calendar
        for key, specifications in _creations(simulation_ids).items()
    }


def clocks_of(simulation_id: UUID) -> dict[str, int]:
    """Return the first uncommitted tick of each agent, as last stored."""
    rows = ClockRow.objects.filter(simulation_id=simulation_id)
    return dict(rows.order_by("agent").values_list("agent", "clock"))


def farthest_tick(simulation_id: UUID) -> int:
    """Return the last tick that any agent has committed, as last stored."""
    return max(0, max(clocks_of(simulation_id).values(), default=1) - 1)


def agents_in_turn(simulation_ids: Sequence[UUID]) -> dict[UUID, list[str]]:
    """Return for each simulation the slugs of the agents whose turn is in work."""
    found: dict[UUID, list[str]] = {simulation_id: [] for simulation_id in simulation_ids}
    rows = TurnRow.objects.filter(
        simulation_id__in=simulation_ids, state__in=[TurnRow.State.SENT, TurnRow.State.TAKEN]
    )
    for simulation_id, agent in rows.order_by("agent").values_list("simulation_id", "agent"):
        found[simulation_id].append(agent)
    return found


def paced_tick(row: SimulationRow, tick_seconds: int, now: datetime) -> int | None:
    """Return the tick that is due by the pace and the wall clock; None without a pace.

    For reports only: schedulers count the pace themselves and correct the row.
    """
    if row.pace is None or row.paced_at is None:
        return None
    elapsed = max(0.0, (now - row.paced_at).total_seconds())
    return row.paced_from_tick + int(elapsed * row.pace / tick_seconds)


def lag_seconds(row: SimulationRow, tick_seconds: int, now: datetime) -> float:
    """Return by how many game seconds the simulation is behind its pace.

    At most what it may catch up: the lag beyond `PACE_CATCH_UP_SECONDS_MAX` is given up.
    """
    due = paced_tick(row, tick_seconds, now)
    if due is None or row.pace is None or row.status != Status.RUNNING:
        return 0.0
    if row.until_tick is not None:
        due = min(due, row.until_tick)
    lag = float(max(0, due - row.committed_tick) * tick_seconds)
    lag_max = float(settings.PACE_CATCH_UP_SECONDS_MAX) * row.pace
    return min(lag, max(lag_max, float(tick_seconds)))


def process_seen_at(kind: ProcessRow.Kind) -> datetime | None:
    """Return the time of the last heartbeat of such a process; None if there was none."""
    rows = ProcessRow.objects.filter(kind=kind).order_by("-seen_at")
    return rows.values_list("seen_at", flat=True).first()


def _creations(
    simulation_ids: Sequence[UUID],
) -> Mapping[UUID, Sequence[tuple[int, SimulationCreated]]]:
    """Return the creations with their changes, each with its tick, in order."""
    rows = EventRow.objects.filter(
        simulation_id__in=simulation_ids,
        stream=SIMULATION_STREAM,
        type__in=[SimulationCreated.type, SpecificationChanged.type],
    ).order_by("tick", "ordinal")
    found: dict[UUID, list[tuple[int, SimulationCreated]]] = defaultdict(list)
    for simulation_id, tick, type_name, data in rows.values_list(
        "simulation_id", "tick", "type", "data"
    ):
        if type_name == SimulationCreated.type:
            specification = _CREATION.validate_python(data)
        else:
            changed = _CHANGE.validate_python(data)
            _, before = found[simulation_id][-1]
            specification = replace(before, seed=changed.seed, settings=changed.settings)
        found[simulation_id].append((tick, specification))
    return found


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
