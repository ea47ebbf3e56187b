"""Who is to come to town and who is to leave: asked by users, accepted by the conductor."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction

from apps.agents import queries as agent_queries
from apps.agents.events import AgentLeft
from apps.agents.models import AgentRow
from apps.eventlog.event import COMMANDS_STREAM, Event, Recorded
from apps.eventlog.store import NewEvent
from apps.kernel.errors import NotFound, Refusal
from apps.simulation.events import PersonAdded, PersonSentAway
from apps.simulation.joining import arriving, asleep_at_home
from apps.simulation.models import ClockRow, CommandRow
from apps.simulation.ports import Constants, Ports, constants_of
from apps.simulation.queries import get_simulation
from apps.world.newcomers import newcomer
from apps.world.people import Person

ADD_PERSON = "add-person"
SEND_AWAY = "send-away"


class NameTaken(Refusal):
    """Somebody of that name lives here, or has lived here."""

    code: ClassVar[str] = "name-taken"


class TickPast(Refusal):
    """The time asked for is past."""

    code: ClassVar[str] = "time-past"


class LastPerson(Refusal):
    """The last person of a town cannot leave it."""

    code: ClassVar[str] = "last-person"


class CommandUnknown(NotFound):
    """There is no such command."""

    code: ClassVar[str] = "command-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Who asks for something, why, and for when (None: as soon as possible)."""

    by: str
    reason: str = ""
    at_tick: int | None = None


def request_arrival(
    ports: Ports, simulation_id: UUID, *, name: str, facts: Mapping[str, Any], asking: Asking
) -> CommandRow:
    """Ask for a person to come to town; `facts` are those of an entry in people.yaml (U5).

    :raises NewcomerUnfit: if they cannot live here as described; names each mend.
    :raises NameTaken: if the name's slug is taken.
    :raises TickPast: if the time asked for is past.
    """
    constants = constants_of(simulation_id, ports.worlds_root)
    person = newcomer(name, facts, constants.world.tree)
    _refuse_past(simulation_id, asking)
    with transaction.atomic():
        _refuse_taken(simulation_id, person.slug)
        return _asked(simulation_id, ADD_PERSON, person.slug, {"name": name, **facts}, asking)


def request_departure(simulation_id: UUID, agent: str, *, asking: Asking) -> CommandRow:
    """Ask for a person to leave town; their memories stay to be read (U9).

    :raises NotFound: if nobody of that slug is in town.
    :raises LastPerson: if nobody else would be left.
    """
    in_town = {row.agent for row in agent_queries.list_agents(simulation_id)}
    if agent not in in_town:
        raise NotFound(f"nobody in town is called {agent!r}; GET …/agents lists the people")
    leaving = CommandRow.objects.filter(
        simulation_id=simulation_id,
        kind=SEND_AWAY,
        state__in=[CommandRow.State.PENDING, CommandRow.State.ACCEPTED],
    ).values_list("agent", flat=True)
    if in_town <= {agent, *leaving}:
        raise LastPerson("the last person of a town cannot leave it; add somebody first")
    _refuse_past(simulation_id, asking)
    return _asked(simulation_id, SEND_AWAY, agent, {}, asking)


def get_command(simulation_id: UUID, command_id: UUID) -> CommandRow:
    """Return the command.

    :raises CommandUnknown: if the simulation has none of that id.
    """
    row = CommandRow.objects.filter(simulation_id=simulation_id, pk=command_id).first()
    if row is None:
        raise CommandUnknown(f"there is no command {command_id} in this simulation")
    return row


def pending(simulation_id: UUID) -> list[CommandRow]:
    """Return the commands that are not in the log yet, in the order that they came."""
    rows = CommandRow.objects.filter(
        simulation_id=simulation_id, state=CommandRow.State.PENDING
    )
    return list(rows.order_by("created_at", "id"))


def departures(simulation_id: UUID) -> dict[str, int]:
    """Return who is to leave at which tick and has not left yet, by slug."""
    rows = CommandRow.objects.filter(
        simulation_id=simulation_id, kind=SEND_AWAY, state=CommandRow.State.ACCEPTED
    )
    return {row.agent: row.effective_tick or 0 for row in rows}


def accept_arrival(ports: Ports, constants: Constants, command: CommandRow, tick: int) -> None:
    """Let the person of the command come to town at the tick, on the log and in the rows."""
    facts = dict(command.body)
    person = newcomer(facts.pop("name"), facts, constants.world.tree)
    with transaction.atomic():
        added = PersonAdded(agent=person.slug, by=command.by, reason=command.reason)
        cause = str(_log(ports, command, tick, added).place)
        ports.store.append(
            simulation_id=command.simulation_id,
            tick=tick,
            stream=person.slug,
            events=_coming(constants, person, tick, cause),
        )
        ClockRow.objects.create(
            simulation_id=command.simulation_id, agent=person.slug, clock=tick + 1
        )
        _became(command, CommandRow.State.DONE, tick)


def accept_departure(ports: Ports, command: CommandRow, tick: int) -> None:
    """Put on the log that the person is to leave at the tick."""
    with transaction.atomic():
        sent = PersonSentAway(agent=command.agent, by=command.by, reason=command.reason)
        _log(ports, command, tick, sent)
        _became(command, CommandRow.State.ACCEPTED, tick)


def depart(ports: Ports, simulation_id: UUID, agent: str, tick: int) -> None:
    """Let the person leave in this tick of theirs."""
    with transaction.atomic():
        ports.store.append(
            simulation_id=simulation_id,
            tick=tick,
            stream=agent,
            events=[NewEvent(event=AgentLeft())],
        )
        ClockRow.objects.filter(simulation_id=simulation_id, agent=agent).delete()
        CommandRow.objects.filter(
            simulation_id=simulation_id,
            kind=SEND_AWAY,
            agent=agent,
            state=CommandRow.State.ACCEPTED,
        ).update(state=CommandRow.State.DONE)


def refuse(command: CommandRow, why: str) -> None:
    """Put on record why the command is not carried out."""
    command.refusal = why
    _became(command, CommandRow.State.REFUSED, None)


def _coming(constants: Constants, person: Person, tick: int, cause: str) -> list[NewEvent]:
    if tick == 0:
        return asleep_at_home(constants.world, person, constants.calendar)
    return arriving(constants.world, person, tick=tick, cause=cause)


def _log(ports: Ports, command: CommandRow, tick: int, event: Event) -> Recorded:
    [recorded] = ports.store.append(
        simulation_id=command.simulation_id,
        tick=tick,
        stream=COMMANDS_STREAM,
        events=[NewEvent(event=event)],
        go_on=True,
    )
    return recorded


def _became(command: CommandRow, state: CommandRow.State, tick: int | None) -> None:
    command.state = state
    command.effective_tick = tick
    command.save(update_fields=["state", "effective_tick", "refusal"])


def _asked(
    simulation_id: UUID, kind: str, agent: str, body: dict[str, Any], asking: Asking
) -> CommandRow:
    return CommandRow.objects.create(
        simulation_id=simulation_id,
        kind=kind,
        agent=agent,
        body=body,
        by=asking.by,
        reason=asking.reason,
        at_tick=asking.at_tick,
    )


def _refuse_taken(simulation_id: UUID, slug: str) -> None:
    asked_for = CommandRow.objects.filter(
        simulation_id=simulation_id, kind=ADD_PERSON, agent=slug, state=CommandRow.State.PENDING
    )
    known = AgentRow.objects.filter(simulation_id=simulation_id, agent=slug)
    if known.exists() or asked_for.exists():
        raise NameTaken(f"{slug!r} lives here already, or has; give the person another name")


def _refuse_past(simulation_id: UUID, asking: Asking) -> None:
    settled = get_simulation(simulation_id).settled_tick
    if asking.at_tick is not None and asking.at_tick <= settled:
        raise TickPast(f"tick {asking.at_tick} is past; tick {settled} is settled already")
