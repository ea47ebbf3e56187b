"""What users ask of a town, as a row until the scheduler has accepted it into the log (U7)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from apps.agents import queries as agent_queries
from apps.agents.naming import AgentUnknown
from apps.django_support.keyset import Keyset
from apps.django_support.text_search import JsonContains, contains
from apps.eventlog.event import COMMANDS_STREAM, Event, Recorded
from apps.eventlog.store import NewEvent, last_ticks
from apps.kernel.errors import NotFound, Refusal
from apps.simulation.locks import hold_row
from apps.simulation.models import CommandRow
from apps.simulation.notifications import wake_scheduler
from apps.simulation.ports import Ports
from apps.simulation.queries import calendar_of, get_simulation


class TickPast(Refusal):
    """The time asked for is past."""

    code: ClassVar[str] = "time-past"


class CommandUnknown(NotFound):
    """There is no such command."""

    code: ClassVar[str] = "command-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Who asks for something, why, and for when (None: as soon as possible)."""

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
    descending: bool = True,
    after: tuple[datetime, UUID] | None = None,
) -> QuerySet[CommandRow]:
    """Return the commands, the latest first unless asked otherwise.

    `search` is looked for in what was asked, the reason and the refusal; `after` is the last
    command of the page before.
    """
    conditions = {"kind": kind, "state": state, "agent": agent}
    given = {name: value for name, value in conditions.items() if value is not None}
    rows = CommandRow.objects.filter(simulation_id=simulation_id, **given)
    if search is not None:
        in_body = JsonContains("body", search)
        rows = rows.filter(contains(search, "reason", "refusal") | Q(in_body))
    keyset = Keyset(fields=("created_at", "id"), descending=descending)
    return keyset.sort(keyset.behind(rows, after))


def pending(simulation_id: UUID) -> list[CommandRow]:
    """Return the commands that are not in the log yet, in the order that they came."""
    rows = CommandRow.objects.filter(
        simulation_id=simulation_id, state=CommandRow.State.PENDING
    )
    return list(rows.order_by("created_at", "id"))


def refuse(command: CommandRow, why: str) -> None:
    """Put on record why the command is not carried out."""
    command.refusal = why
    became(command, CommandRow.State.REFUSED, None)


def not_before_others(simulation_id: UUID, tick: int) -> int:
    """Return the tick, or that of the latest command on the log, which none may precede."""
    latest = last_ticks(simulation_id, [COMMANDS_STREAM]).get(COMMANDS_STREAM)
    return tick if latest is None else max(tick, latest)


def log_command(
    ports: Ports,
    command: CommandRow,
    tick: int,
    event: Event,
    *,
    model_calls: tuple[str, ...] = (),
) -> Recorded:
    """Put the command's event on the log, in the stream of commands."""
    [recorded] = ports.store.append(
        simulation_id=command.simulation_id,
        tick=tick,
        stream=COMMANDS_STREAM,
        events=[NewEvent(event=event, model_calls=model_calls)],
        go_on=True,
    )
    return recorded


def became(command: CommandRow, state: CommandRow.State, tick: int | None) -> None:
    """Keep what has become of the command, and its effective tick once it is known."""
    command.state = state
    command.effective_tick = tick
    command.save(update_fields=["state", "effective_tick", "refusal"])


def asked(
    simulation_id: UUID, kind: str, agent: str, body: dict[str, Any], asking: Asking
) -> CommandRow:
    """Keep what is asked, and wake the scheduler.

    :raises SimulationUnknown: if the simulation has been deleted.
    """
    with transaction.atomic():
        hold_row(simulation_id)  # no command is kept of a simulation that is being deleted
        command = CommandRow.objects.create(
            simulation_id=simulation_id,
            kind=kind,
            agent=agent,
            body=body,
            by=asking.by,
            reason=asking.reason,
            at_tick=asking.at_tick,
        )
        wake_scheduler(simulation_id)
    return command


def refuse_absent(simulation_id: UUID, agent: str) -> None:
    """Refuse to ask anything of who is not there.

    :raises AgentUnknown: if nobody of that slug is in town.
    """
    in_town = agent_queries.slugs_in_town(simulation_id)
    if agent not in in_town:
        raise AgentUnknown(agent, in_town)


def refuse_past(simulation_id: UUID, asking: Asking) -> None:
    """Refuse what is asked for a time that is over.

    :raises TickPast: if the tick is settled already.
    """
    settled = get_simulation(simulation_id).settled_tick
    if asking.at_tick is not None and asking.at_tick <= settled:
        calendar = calendar_of(simulation_id)
        asked_for, latest = (
            calendar.time_at(tick).isoformat() for tick in (asking.at_tick, settled)
        )
        raise TickPast(
            f"{asked_for} (tick {asking.at_tick}) is past: give a later time than {latest} "
            f"(tick {settled}), or leave `at` out"
        )
