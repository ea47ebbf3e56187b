"""The rows of commands: recorded on request, then accepted into the log or rejected (U7)."""

from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from apps.agents import queries as agent_queries
from apps.agents.naming import AgentUnknown
from apps.django_support.text_search import JsonContains, contains
from apps.eventlog.event import COMMANDS_STREAM, CommandEvent
from apps.eventlog.store import NewEvent, last_ticks
from apps.kernel.errors import Conflict, NotFound
from apps.simulation.commands.command import CommandBody
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import CommandRow
from apps.simulation.notifications import wake_scheduler
from apps.simulation.ports import Ports
from apps.simulation.queries import calendar_of, get_simulation


class TickPast(Conflict):
    """The requested time is past."""

    code: ClassVar[str] = "time-past"


class CommandUnknown(NotFound):
    """There is no such command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Issuer:
    """The user that issues a command, the reason, and the tick (None: as soon as possible)."""

    by: str
    reason: str = ""
    at_tick: int | None = None


def get_command(simulation_id: UUID, command_id: UUID) -> CommandRow:
    """Return the command.

    :raises CommandUnknown: if the simulation has none of that id.
    """
    row = CommandRow.objects.filter(simulation_id=simulation_id, pk=command_id).first()
    if row is None:
        raise CommandUnknown(f"there is no command {command_id} in this simulation")
    return row


def list_commands(
    simulation_id: UUID,
    *,
    kind: str | None = None,
    state: str | None = None,
    agent: str | None = None,
    search: str | None = None,
) -> QuerySet[CommandRow]:
    """Return the commands without an order.

    :param search: a text in the body, the reason or the reason of the rejection.
    """
    filters = {"kind": kind, "state": state, "agent": agent}
    given = {name: value for name, value in filters.items() if value is not None}
    rows = CommandRow.objects.filter(simulation_id=simulation_id, **given)
    if search is not None:
        in_body = JsonContains("body", search)
        rows = rows.filter(contains(search, "reason", "refusal") | Q(in_body))
    return rows


def pending_commands(simulation_id: UUID) -> list[CommandRow]:
    """Return the commands that are not in the log yet, in the order of their creation."""
    rows = CommandRow.objects.filter(
        simulation_id=simulation_id, state=CommandRow.State.PENDING
    )
    return list(rows.order_by("created_at", "id"))


def record_command(
    simulation_id: UUID, kind: str, agent: str, body: CommandBody, issuer: Issuer
) -> CommandRow:
    """Record a requested command, and wake the scheduler.

    :raises TickPast: if the requested tick is past.
    :raises SimulationUnknown: if the simulation has been deleted.
    """
    _ensure_not_past(simulation_id, issuer)
    with transaction.atomic():
        lock_simulation_row(simulation_id)  # against a deletion at the same time
        command = CommandRow.objects.create(
            simulation_id=simulation_id,
            kind=kind,
            agent=agent,
            body=body.to_json(),
            by=issuer.by,
            reason=issuer.reason,
            at_tick=issuer.at_tick,
        )
        wake_scheduler(simulation_id)
    return command


def accept(
    ports: Ports,
    command: CommandRow,
    tick: int,
    event: CommandEvent,
    *,
    state: CommandRow.State = CommandRow.State.DONE,
    model_calls: tuple[str, ...] = (),
) -> str:
    """Append the command's event at the tick, and record the state; return the event's id."""
    [recorded] = ports.store.append(
        simulation_id=command.simulation_id,
        tick=tick,
        stream=COMMANDS_STREAM,
        events=[NewEvent(event=event, model_calls=model_calls)],
        allow_same_tick=True,
    )
    set_state(command, state, tick)
    return str(recorded.place)


def issued(command: CommandRow) -> dict[str, Any]:
    """Return the fields that the event of a command takes from its row."""
    return {"agent": command.agent, "by": command.by, "reason": command.reason}


def set_state(command: CommandRow, state: CommandRow.State, tick: int | None) -> None:
    """Record the state of the command, and its effective tick once that is known."""
    command.state = state
    command.effective_tick = tick
    command.save(update_fields=["state", "effective_tick", "refusal"])


def reject(command: CommandRow, why: str) -> None:
    """Record why the command is not carried out."""
    command.refusal = why
    set_state(command, CommandRow.State.REFUSED, None)


def next_command_tick(simulation_id: UUID, tick: int) -> int:
    """Return the tick or, if that is later, the tick of the latest command in the log."""
    latest = last_ticks(simulation_id, [COMMANDS_STREAM]).get(COMMANDS_STREAM)
    return tick if latest is None else max(tick, latest)


def ensure_present(simulation_id: UUID, agent: str) -> None:
    """Check that the agent is in the simulation.

    :raises AgentUnknown: if it is not.
    """
    present = agent_queries.slugs_in_simulation(simulation_id)
    if agent not in present:
        raise AgentUnknown(agent, present)


def _ensure_not_past(simulation_id: UUID, issuer: Issuer) -> None:
    committed = get_simulation(simulation_id).committed_tick
    if issuer.at_tick is not None and issuer.at_tick <= committed:
        calendar = calendar_of(simulation_id)
        requested, latest = (calendar.moment(tick) for tick in (issuer.at_tick, committed))
        raise TickPast(
            f"{requested} is past: give a later time than {latest}, or leave `at` out"
        )
