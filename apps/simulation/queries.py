"""Questions about simulations: what they were founded on, what they are doing."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.django_support.statements import rows_of
from apps.eventlog.event import SIMULATION_STREAM
from apps.eventlog.models import EventRow
from apps.kernel.errors import DomainError, NotFound, SmallvilleError
from apps.kernel.game_time import GameCalendar
from apps.llm.model_spec import ModelSpec
from apps.simulation.events import SimulationFounded
from apps.simulation.models import (
    ClockRow,
    CommandRow,
    ProcessRow,
    SimulationRow,
    Status,
    TurnRow,
)
from apps.simulation.settings import SimulationSettings

_MODEL = "SELECT model FROM simulation_simulationrow WHERE id = %(simulation)s"


class SimulationUnknown(NotFound):
    """There is no such simulation."""

    code: ClassVar[str] = "simulation-unknown"


class WorldChanged(DomainError):
    """The world's files are no longer those that the simulation was founded on."""

    code: ClassVar[str] = "world-changed"


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

    :param holder: the process that asks; what it holds the lease of counts as free.
    """
    now = timezone.now()
    free = Q(lease_until=None) | Q(lease_until__lt=now) | Q(lease_holder=holder)
    asked = CommandRow.objects.filter(
        simulation_id=OuterRef("pk"), state=CommandRow.State.PENDING, at_tick=None
    )
    runs = Q(status__in=[Status.RUNNING, Status.PAUSING])
    to_do = runs | Q(is_preparing=True) | Exists(asked)
    rows = SimulationRow.objects.filter(free & to_do)
    return list(rows.order_by("created_at").values_list("pk", flat=True))


def founding_of(simulation_id: UUID) -> SimulationFounded:
    """Return the simulation's first event.

    :raises SimulationUnknown: if the log holds nothing of it.
    """
    row = EventRow.objects.filter(
        simulation_id=simulation_id, stream=SIMULATION_STREAM, type=SimulationFounded.type
    ).first()
    if row is None:
        raise SimulationUnknown(f"the log holds no founding of {simulation_id}")
    data = dict(row.data)
    return SimulationFounded(**{**data, "settings": SimulationSettings(**data["settings"])})


def refuse_changed_world(founded: SimulationFounded, digest: str) -> None:
    """Refuse to go on in a world that is not the one the simulation was founded on.

    :raises WorldChanged: if the digests differ.
    """
    if founded.world_sha256 != digest:
        raise WorldChanged(
            f"the files of the world {founded.world!r} have changed since this simulation was "
            "founded; put them back, or create a new simulation on the changed world"
        )


def model_of(simulation_id: UUID) -> ModelSpec:
    """Return which model the simulation thinks with.

    :raises SimulationUnknown: if there is none of that id.
    """
    found = rows_of(_MODEL, {"simulation": simulation_id})
    if not found:
        raise SimulationUnknown(f"there is no simulation {simulation_id}")
    return ModelSpec.from_json(json.loads(found[0][0]))


def calendar_of(simulation_id: UUID) -> GameCalendar:
    """Return the simulation's calendar."""
    founded = founding_of(simulation_id)
    return GameCalendar(
        start=datetime.fromisoformat(founded.start), tick_seconds=founded.settings.tick_seconds
    )


def calendars_of(simulation_ids: Sequence[UUID]) -> dict[UUID, GameCalendar]:
    """Return the calendars of several simulations, in one query."""
    rows = EventRow.objects.filter(
        simulation_id__in=simulation_ids, stream=SIMULATION_STREAM, type=SimulationFounded.type
    )
    return {
        simulation_id: GameCalendar(
            start=datetime.fromisoformat(data["start"]),
            tick_seconds=data["settings"]["tick_seconds"],
        )
        for simulation_id, data in rows.values_list("simulation_id", "data")
    }


def clocks_of(simulation_id: UUID) -> dict[str, int]:
    """Return the first unsettled tick of everybody, as last kept."""
    rows = ClockRow.objects.filter(simulation_id=simulation_id)
    return dict(rows.order_by("agent").values_list("agent", "clock"))


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
    """Return the tick that the pace has come to by the wall clock; None without a pace.

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
    lag = float(max(0, due - row.settled_tick) * tick_seconds)
    lag_max = float(settings.PACE_CATCH_UP_SECONDS_MAX) * row.pace
    return min(lag, max(lag_max, float(tick_seconds)))


def scheduler_seen_at() -> datetime | None:
    """Return when a scheduler process was last alive; None if none was ever seen.

    A living scheduler is seen every `HEARTBEAT_SECONDS` of `apps.simulation.engine.processes`.
    """
    return _seen_at(ProcessRow.Kind.SCHEDULER)


def worker_seen_at() -> datetime | None:
    """Return when a worker process was last alive; None if none was ever seen.

    A living worker is seen every `HEARTBEAT_SECONDS` of `apps.simulation.engine.processes`.
    """
    return _seen_at(ProcessRow.Kind.WORKER)


def _seen_at(kind: ProcessRow.Kind) -> datetime | None:
    rows = ProcessRow.objects.filter(kind=kind).order_by("-seen_at")
    return rows.values_list("seen_at", flat=True).first()


class LeaseLost(SmallvilleError):
    """Another process may schedule the simulation now."""

    code: ClassVar[str] = "lease-lost"
