"""What users ask of a simulation: found it, run it, pause it, delete it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import Max, Model
from django.utils import timezone

from apps.access.membership import forget_members
from apps.eventlog.event import SIMULATION_STREAM
from apps.eventlog.models import EventRow
from apps.eventlog.store import NewEvent, hold_simulation
from apps.kernel.errors import DomainError
from apps.kernel.game_time import GameCalendar
from apps.llm.budget import Budget, budget_of, refuse_unpriced_budget, set_budget
from apps.llm.django_call_log import forget_calls
from apps.llm.model_spec import ModelSpec
from apps.llm.servers import parse_model
from apps.metrics.totals import keep_totals_of_deleted
from apps.simulation.commands.arrival import asleep_at_home
from apps.simulation.commands.embodiments import ensure_none_embodied
from apps.simulation.engine.lease import LEASE_SECONDS, take_lease
from apps.simulation.events import SimulationFounded
from apps.simulation.locks import hold_row
from apps.simulation.models import ClockRow, CommandRow, SimulationRow, Status, TurnRow
from apps.simulation.notifications import ring_followers, wake_scheduler
from apps.simulation.ports import Ports
from apps.simulation.queries import SimulationUnknown
from apps.simulation.settings import parse_settings
from apps.simulation.turn.preparation import prepare_or_ask
from apps.world.loading import world_named

SEED_MAX = 2**63 - 1


class CannotRun(DomainError):
    """The simulation cannot be run as asked."""

    code: ClassVar[str] = "cannot-run"


class StillRunning(DomainError):
    """The simulation is running; pause it first."""

    code: ClassVar[str] = "still-running"


@dataclass(frozen=True, slots=True, kw_only=True)
class Founding:
    """What a user asks for: a town's name, world, seed, model, settings and people.

    `people` is the first so many people of the world, those named, or None for all.
    `budget` is no agent_clock of its history: None lets it use what it likes.
    """

    name: str
    world: str
    seed: int
    model: str | Mapping[str, Any] | None = None
    settings: dict[str, Any] | None = None
    people: int | Sequence[str] | None = None
    budget: Budget | None = None


def create_simulation(
    ports: Ports, founding: Founding, *, owner_id: int | None = None
) -> SimulationRow:
    """Create a simulation: at tick 0 all agents are asleep at home, with their seed memories.

    The rule-based model rates the memories at once. A remote model is not waited for: the
    simulation is then marked as preparing, and the scheduler has the memories formed.

    :raises Refusal: for an unknown world, model, person or setting; the message names the
        mend.
    """
    world = world_named(founding.world, ports.worlds_root)
    if founding.people is not None:
        world = world.with_people(founding.people)
    spec = parse_model(founding.model)
    models = ports.open_models(spec, founding.seed)  # raises for a model that cannot be used
    refuse_unpriced_budget(founding.budget, spec)
    settings = parse_settings(founding.settings)
    calendar = GameCalendar(start=world.start, tick_seconds=settings.tick_seconds)
    founded = SimulationFounded(
        world=founding.world,
        world_sha256=world_named(founding.world, ports.worlds_root).digest,
        seed=founding.seed,
        start=world.start.isoformat(),
        settings=settings,
        embedding_model=spec.embedding_model,
        embedding_dimensions=spec.embedding_dimensions,
    )
    simulation_id = uuid4()
    with transaction.atomic():
        row = SimulationRow.objects.create(
            id=simulation_id,
            name=founding.name,
            owner_id=owner_id,
            world=founding.world,
            seed=founding.seed,
            model=spec.to_json(),
            reason="created; not yet run",
        )
        ports.store.append(
            simulation_id=simulation_id,
            tick=0,
            stream=SIMULATION_STREAM,
            events=[NewEvent(event=founded)],
        )
        for person in world.people:
            ports.store.append(
                simulation_id=simulation_id,
                tick=0,
                stream=person.slug,
                events=asleep_at_home(world, person, calendar),
            )
        # Before there is a budget: what the memories take counts, and does not stop creation.
        prepare_or_ask(ports, simulation_id, [person.slug for person in world.people], models)
        set_budget(simulation_id, founding.budget)
        row.refresh_from_db()
    return row


def rename_simulation(simulation_id: UUID, name: str) -> SimulationRow:
    """Give a simulation another name, whatever it is doing; its history does not change."""
    with transaction.atomic():
        row = hold_row(simulation_id)
        row.name = name
        row.save(update_fields=["name"])
    return row


def change_budget(simulation_id: UUID, budget: Budget | None) -> SimulationRow:
    """Give a resting simulation another budget; None takes it away (L5).

    :raises StillRunning: if it has not come to rest: what it uses is not known yet.
    :raises PriceUnknown: if it is of money, and the price of the models is not known.
    """
    with transaction.atomic():
        row = hold_row(simulation_id)
        _refuse_at_work(row, "change its budget")
        refuse_unpriced_budget(budget, ModelSpec.from_json(row.model))
        set_budget(simulation_id, budget)
    return row


def request_run(
    simulation_id: UUID,
    *,
    until_tick: int | None = None,
    ticks: int | None = None,
    pace: float | None = None,
    keeps_end: bool = False,
    keeps_pace: bool = False,
    holder: str = "",
) -> SimulationRow:
    """Let the simulation run: to a tick, for so many ticks, or without end.

    If it runs already, it may keep the end and the pace that were asked for before.

    Whoever runs ahead already is not called back: an end before the highest clock is put
    off to it. A `holder` who will schedule it gets the lease at once, before any other,
    unless another process holds it already.

    :raises CannotRun: if the end lies in the past.
    :raises NeedsPace: if a user acts for somebody and no pace is asked for.
    :raises PriceUnknown: if it has a budget of money, and its models no price any more.
    """
    with transaction.atomic():
        row = hold_row(simulation_id)
        refuse_unpriced_budget(budget_of(simulation_id), ModelSpec.from_json(row.model))
        if row.status == Status.RUNNING:
            until_tick = row.until_tick if keeps_end else until_tick
            pace = row.pace if keeps_pace else pace
        if pace is None:
            ensure_none_embodied(simulation_id)
        end = until_tick
        if ticks is not None:
            end = (
                row.settled_tick + ticks if end is None else min(end, row.settled_tick + ticks)
            )
        if end is not None and end <= row.settled_tick:
            raise CannotRun(
                f"tick {end} is past: the simulation has settled tick {row.settled_tick}; "
                "ask for a later time"
            )
        row.status = Status.RUNNING
        row.is_preparing = False  # a run prepares the simulation first
        row.reason = ""
        row.until_tick = None if end is None else max(end, _farthest_settled(simulation_id))
        row.pace = pace
        row.paced_from_tick = row.settled_tick
        row.paced_at = timezone.now() if pace is not None else None
        row.save()
        if holder:
            take_lease(simulation_id, holder)  # unless another process schedules it
            row.refresh_from_db()
        # Whoever runs it again has mended something: failures are counted anew.
        failed = [TurnRow.State.FAILED, TurnRow.State.TOLD]
        TurnRow.objects.filter(simulation_id=simulation_id, state__in=failed).delete()
        ring_followers(simulation_id)
        wake_scheduler(simulation_id)
    return row


def request_pause(simulation_id: UUID, *, reason: str = "asked") -> SimulationRow:
    """Let the simulation come to rest: laggards are drained to the highest clock first."""
    with transaction.atomic():
        row = hold_row(simulation_id)
        if row.status == Status.RUNNING:
            row.status = Status.PAUSING
            row.reason = reason
            row.save(update_fields=["status", "reason"])
            ring_followers(simulation_id)
            wake_scheduler(simulation_id)
        elif row.is_preparing:
            row.is_preparing = False
            row.save(update_fields=["is_preparing"])
            ring_followers(simulation_id)
            wake_scheduler(simulation_id)
    return row


def stop_at_once(simulation_id: UUID, *, reason: str) -> None:
    """Pause the simulation where it stands, ragged clocks and all, with the reason."""
    with transaction.atomic():
        rows = SimulationRow.objects.filter(pk=simulation_id)
        rows.update(status=Status.PAUSED, reason=reason, is_preparing=False)
        ring_followers(simulation_id)


def delete_simulation(ports: Ports, simulation_id: UUID) -> None:
    """Delete a paused simulation with its whole log and every row of it.

    :raises StillRunning: if it has not come to rest.
    """
    with transaction.atomic():
        row = hold_row(simulation_id)
        _refuse_at_work(row, "delete it")
        # Turns that are still on their way find, under the same lock, that it is gone.
        hold_simulation(simulation_id)
        machinery: tuple[type[Model], ...] = (
            ClockRow,
            TurnRow,
            CommandRow,
        )
        for model in (*ports.store.projector.models, *machinery):
            model._default_manager.filter(simulation_id=simulation_id).delete()
        forget_calls(simulation_id)
        keep_totals_of_deleted(simulation_id, committed_ticks=row.settled_tick)
        forget_members(simulation_id)
        with connection.cursor() as cursor:
            # The trigger that keeps the log append-only looks for this.
            cursor.execute(
                "SELECT set_config('smallville.deleting', %s, true)", [str(simulation_id)]
            )
        EventRow.objects.filter(simulation_id=simulation_id).delete()
        row.delete()
        ring_followers(simulation_id)


def refuse_deleted(simulation_id: UUID) -> None:
    """Refuse to go on with a simulation that was deleted while it was worked on.

    Calls of a model that were recorded after the deletion are deleted, too.

    :raises SimulationUnknown: if it was deleted.
    """
    if not SimulationRow.objects.filter(pk=simulation_id).exists():
        forget_calls(simulation_id)
        raise SimulationUnknown(f"the simulation {simulation_id} was deleted")


def _refuse_at_work(row: SimulationRow, then: str) -> None:
    if row.status != Status.PAUSED or _is_at_work(row):
        raise StillRunning(f"the simulation is at work; pause it, wait, and {then} then")


def _is_at_work(row: SimulationRow) -> bool:
    now = timezone.now()
    taken = TurnRow.objects.filter(
        simulation_id=row.pk,
        state=TurnRow.State.TAKEN,
        heartbeat_at__gt=now - timedelta(seconds=LEASE_SECONDS),
    )
    return (row.lease_until is not None and row.lease_until > now) or taken.exists()


def _farthest_settled(simulation_id: UUID) -> int:
    """Return the last tick that somebody has settled."""
    clocks = ClockRow.objects.filter(simulation_id=simulation_id)
    return (clocks.aggregate(clock=Max("clock"))["clock"] or 1) - 1
