"""Creates, runs, pauses, changes and deletes simulations on behalf of users."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from apps.django_support.heartbeat import lapse_limit
from apps.eventlog.event import SIMULATION_STREAM
from apps.eventlog.store import NewEvent, acquire_append_lock
from apps.kernel.errors import Conflict
from apps.kernel.language import use_language
from apps.kernel.request_models import RequestModel
from apps.kernel.requested_values import (
    ChosenAgents,
    FirstTickFrom,
    Name,
    Pace,
    Seed,
    Ticks,
)
from apps.llm.calls.budget import Budget, budget_of, ensure_budget_priced, set_budget
from apps.llm.calls.django_call_log import forget_calls
from apps.llm.catalogue import ensure_agents_known, parse_model
from apps.llm.model_spec import ChosenModel, ModelSpec
from apps.llm.prompts.sets import PromptForm
from apps.simulation.commands.agents import asleep_at_home
from apps.simulation.commands.embodiments import ensure_none_embodied
from apps.simulation.engine.deletion import delete_rows
from apps.simulation.engine.lease import take_lease
from apps.simulation.events import SimulationCreated
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import SimulationRow, Status, TurnRow
from apps.simulation.notifications import notify_followers, wake_scheduler
from apps.simulation.ports import Ports
from apps.simulation.queries import (
    SimulationUnknown,
    calendar_of,
    farthest_tick,
    get_simulation,
)
from apps.simulation.settings import (
    PROMPT_FORMS,
    SHORT_PROMPT_DEFAULTS,
    RequestedSettings,
    parse_settings,
)
from apps.simulation.turn.preparation import prepare_or_ask
from apps.world.loading import world_named


class CannotRun(Conflict):
    """The simulation cannot be run as requested."""


class StillRunning(Conflict):
    """The simulation is running; pause it first."""


class SimulationSpec(RequestModel):
    """The specification of a new simulation."""

    name: Name
    """For people; it need not be unique."""
    world: Name = "smallville"
    """A world that GET /worlds lists."""
    seed: Seed | None = None
    """Of all chance; the same seed gives the same history. Left out or null: a random one,
    which the response shows."""
    model: ChosenModel | None = None
    """A server and model that are set up here: "offline", "openai", "openai:gpt-4o-mini", or an
    object; null for the default. GET /models lists them."""
    settings: RequestedSettings | None = None
    """Those not named keep their default."""
    agents: ChosenAgents | None = None
    """The number of agents, the first of the world; or a list of their names or slugs; null for
    all."""
    budget: Budget | None = None
    """What it may use; null: no limit."""


class Run(RequestModel):
    """The end and the pace of a run; with both ends, the nearer one counts.

    While the simulation runs, what is left out stays as it was requested before.
    """

    until: FirstTickFrom | None = None
    """A game time without a zone (2023-02-13T06:55:00), or a tick."""
    ticks: Ticks | None = None
    """The number of ticks from now on; null: no such end."""
    pace: Pace | None = None
    """Game seconds per real second (the paper's is 60); null: no limit."""


def create_simulation(
    ports: Ports, spec: SimulationSpec, *, owner_id: int | None = None
) -> SimulationRow:
    """Create a simulation: at tick 0 all agents are asleep at home, with their seed memories.

    The caller sets the seed.

    The rule-based model rates the memories at once. A remote model is not waited for: the
    simulation is then marked as preparing, and the scheduler has the memories formed.

    :raises DomainError: for an unknown world, model, agent or setting; the message has a hint.
    """
    assert spec.seed is not None, "the caller sets the seed"
    whole_world = world_named(spec.world, ports.worlds)
    world = whole_world if spec.agents is None else whole_world.with_agents(spec.agents)
    preset = (spec.settings or {}).get("preset")
    form = PROMPT_FORMS.get(str(preset), PromptForm.FULL)
    model = parse_model(spec.model, prompt_form=form)
    models = ports.open_models(model, spec.seed)  # raises for a model that cannot be used
    ensure_agents_known(model, [person.slug for person in whole_world.agents])
    ensure_budget_priced(spec.budget, model)
    created = SimulationCreated(
        world=spec.world,
        world_sha256=whole_world.digest,
        seed=spec.seed,
        start=world.start.isoformat(),
        settings=parse_settings({**_defaults_of(model), **(spec.settings or {})}),
        embedding_model=model.embedding_model,
        embedding_dimensions=model.embedding_dimensions,
    )
    with use_language(world.language), transaction.atomic():
        row = SimulationRow.objects.create(
            name=spec.name,
            owner_id=owner_id,
            world=spec.world,
            seed=spec.seed,
            model=model.to_json(),
            reason="created; not yet run",
        )
        first_events = {SIMULATION_STREAM: [NewEvent(event=created)]} | {
            person.slug: asleep_at_home(world, person, created.calendar)
            for person in world.agents
        }
        for stream, events in first_events.items():
            ports.store.append(simulation_id=row.pk, tick=0, stream=stream, events=events)
        # Before the budget is set: rating the memories counts, and does not stop the creation.
        prepare_or_ask(ports, row.pk, [person.slug for person in world.agents], models)
        set_budget(row.pk, spec.budget)
        row.refresh_from_db()
    return row


def _defaults_of(model: ModelSpec) -> Mapping[str, Any]:
    """Return the settings that have another default with these models."""
    return SHORT_PROMPT_DEFAULTS if model.prompt_form == PromptForm.SHORT else {}


def rename_simulation(simulation_id: UUID, name: str) -> SimulationRow:
    """Change the name of a simulation, in any status; its history does not change."""
    with transaction.atomic():
        row = lock_simulation_row(simulation_id)
        row.name = name
        row.save(update_fields=["name"])
    return row


def change_budget(simulation_id: UUID, budget: Budget | None) -> SimulationRow:
    """Change the budget of a simulation at rest; None removes it (L5).

    :raises StillRunning: if it is not at rest: its use of the budget is not final.
    :raises PriceUnknown: if the budget is of money, and the price of the models is unknown.
    """
    with transaction.atomic():
        row = lock_simulation_row(simulation_id)
        _ensure_at_rest(row, "change its budget")
        ensure_budget_priced(budget, ModelSpec.from_json(row.model))
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
    """Run the simulation: to a tick, for a number of ticks, or without end.

    A simulation that runs may keep its end and its pace. An end before the tick of the agent
    that is farthest ahead is moved to that tick.

    :param holder: a process that will schedule the simulation; it takes the lease at once,
        unless another process holds it.
    :raises CannotRun: if the end is in the past.
    :raises NeedsPace: if a user controls an agent and no pace is given.
    :raises PriceUnknown: if the budget is of money, and the price of the models is unknown.
    """
    with transaction.atomic():
        row = lock_simulation_row(simulation_id)
        ensure_budget_priced(budget_of(simulation_id), ModelSpec.from_json(row.model))
        if row.status == Status.RUNNING:
            until_tick = row.until_tick if keeps_end else until_tick
            pace = row.pace if keeps_pace else pace
        if pace is None:
            ensure_none_embodied(simulation_id)
        ends = (until_tick, None if ticks is None else row.committed_tick + ticks)
        end = min((tick for tick in ends if tick is not None), default=None)
        if end is not None and end <= row.committed_tick:
            calendar = calendar_of(simulation_id)
            raise CannotRun(
                f"{calendar.moment(end)} is past: the simulation has come to "
                f"{calendar.moment(row.committed_tick)}; name a later time"
            )
        row.status = Status.RUNNING
        row.is_preparing = False  # a run prepares the simulation first
        row.reason = ""
        row.until_tick = None if end is None else max(end, farthest_tick(simulation_id))
        row.pace = pace
        row.paced_from_tick = row.committed_tick
        row.paced_at = timezone.now() if pace is not None else None
        row.save()
        if holder:
            take_lease(simulation_id, holder)
            row.refresh_from_db()
        # The cause of a failure may be removed: attempts are counted from zero.
        failed = [TurnRow.State.FAILED, TurnRow.State.COLLECTED]
        TurnRow.objects.filter(simulation_id=simulation_id, state__in=failed).delete()
        notify_followers(simulation_id)
        wake_scheduler(simulation_id)
    return row


def request_pause(simulation_id: UUID, *, reason: str = "on request") -> SimulationRow:
    """Pause the simulation once all agents have come to the tick of the farthest one."""
    with transaction.atomic():
        row = lock_simulation_row(simulation_id)
        if row.status == Status.RUNNING:
            row.status, row.reason = Status.PAUSING, reason
        elif row.is_preparing:
            row.is_preparing = False
        else:
            return row
        row.save(update_fields=["status", "reason", "is_preparing"])
        notify_followers(simulation_id)
        wake_scheduler(simulation_id)
    return row


def delete_simulation(
    ports: Ports, simulation_id: UUID, *, keep_branches: bool = False
) -> None:
    """Delete a simulation at rest with its log and all of its rows.

    With `keep_branches` the history stays for the branches that share it, and is deleted with
    the last of them; nobody else can read it.

    :raises StillRunning: if it is not at rest.
    :raises HasBranches: if it has branches, and they are not to be kept.
    """
    with transaction.atomic():
        row = lock_simulation_row(simulation_id)
        _ensure_at_rest(row, "delete it")
        # A turn that is still in work finds the simulation deleted, under the same lock.
        acquire_append_lock(simulation_id)
        delete_rows(ports, row, keep_branches=keep_branches)
        notify_followers(simulation_id)


def ensure_not_deleted(simulation_id: UUID) -> None:
    """Check that the simulation was not deleted since; delete late records of its model calls.

    :raises SimulationUnknown: if it was deleted.
    """
    if SimulationRow.objects.filter(pk=simulation_id).exists():
        return
    if not SimulationRow.with_deleted.filter(pk=simulation_id).exists():
        forget_calls(simulation_id)
    raise SimulationUnknown(f"the simulation {simulation_id} was deleted")


def _ensure_at_rest(row: SimulationRow, then: str) -> None:
    now = timezone.now()
    taken = TurnRow.objects.filter(
        simulation_id=row.pk,
        state=TurnRow.State.TAKEN,
        heartbeat_at__gt=lapse_limit(),
    )
    is_leased = row.lease_until is not None and row.lease_until > now
    if row.status != Status.PAUSED or is_leased or taken.exists():
        raise StillRunning(f"the simulation is at work; pause it, wait, and {then} then")


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
