"""Who is to come to town and who is to leave: asked by users, accepted by the scheduler."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction

from apps.agents import queries as agent_queries
from apps.agents.events import AgentLeft
from apps.agents.models import AgentRow
from apps.eventlog.store import NewEvent
from apps.kernel.errors import Refusal
from apps.simulation.commands.command_log import (
    Asking,
    asked,
    became,
    log_command,
    refuse_absent,
    refuse_past,
)
from apps.simulation.commands.embodying import VISIT
from apps.simulation.commands.joining import arriving, asleep_at_home
from apps.simulation.embodiment.queries import open_embodiments
from apps.simulation.events import PersonAdded, PersonSentAway
from apps.simulation.locks import hold_row
from apps.simulation.models import ClockRow, CommandRow
from apps.simulation.ports import Constants, Ports, constants_of
from apps.simulation.queries import model_of
from apps.simulation.turn.preparation import PREPARATION_TICK, prepare_or_ask
from apps.world.newcomers import newcomer
from apps.world.people import Person

ADD_PERSON = "add-person"
SEND_AWAY = "send-away"


class NameTaken(Refusal):
    """Somebody of that name lives here, or has lived here."""

    code: ClassVar[str] = "name-taken"


class Embodied(Refusal):
    """A user acts for the person."""

    code: ClassVar[str] = "embodied"


class LastPerson(Refusal):
    """The last person of a town cannot leave it."""

    code: ClassVar[str] = "last-person"


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
    refuse_past(simulation_id, asking)
    with transaction.atomic():
        # Of two who ask at once, the second one has to see what the first has asked for.
        hold_row(simulation_id)
        refuse_taken(simulation_id, person.slug)
        return asked(simulation_id, ADD_PERSON, person.slug, {"name": name, **facts}, asking)


def request_departure(simulation_id: UUID, agent: str, *, asking: Asking) -> CommandRow:
    """Ask for a person to leave town; their memories stay to be read (U9).

    :raises NotFound: if nobody of that slug is in town.
    :raises LastPerson: if nobody else would be left.
    :raises Embodied: if a user acts for them.
    """
    refuse_embodied(simulation_id, agent)
    refuse_absent(simulation_id, agent)
    leaving = CommandRow.objects.filter(
        simulation_id=simulation_id,
        kind=SEND_AWAY,
        state__in=[CommandRow.State.PENDING, CommandRow.State.ACCEPTED],
    ).values_list("agent", flat=True)
    in_town = set(agent_queries.slugs_in_town(simulation_id))
    if in_town <= {agent, *leaving}:
        raise LastPerson("the last person of a town cannot leave it; add somebody first")
    refuse_past(simulation_id, asking)
    return asked(simulation_id, SEND_AWAY, agent, {}, asking)


def refuse_embodied(simulation_id: UUID, agent: str) -> None:
    """Refuse what cannot be done with somebody whom a user acts for.

    :raises Embodied: if one does.
    """
    if any(one.agent == agent for one in open_embodiments(simulation_id)):
        raise Embodied(f"a user acts for {agent!r}; DELETE …/embodiments/{{id}} ends that")


def departures(simulation_id: UUID) -> dict[str, int]:
    """Return who is to leave at which tick and has not left yet, by slug."""
    rows = CommandRow.objects.filter(
        simulation_id=simulation_id, kind=SEND_AWAY, state=CommandRow.State.ACCEPTED
    )
    return {row.agent: row.effective_tick or 0 for row in rows}


def accept_arrival(ports: Ports, constants: Constants, command: CommandRow, tick: int) -> None:
    """Let the person of the command come to town at the tick, on the log and in the rows.

    :raises NameTaken: if somebody else has the name by now.
    """
    refuse_known(command.simulation_id, command.agent)
    facts = dict(command.body)
    person = newcomer(facts.pop("name"), facts, constants.world.tree)
    with transaction.atomic():
        added = PersonAdded(agent=person.slug, by=command.by, reason=command.reason)
        cause = str(log_command(ports, command, tick, added).place)
        ports.store.append(
            simulation_id=command.simulation_id,
            tick=tick,
            stream=person.slug,
            events=_coming(constants, person, tick, cause),
        )
        if tick == PREPARATION_TICK:
            spec = model_of(command.simulation_id)
            models = ports.open_models(spec, constants.seed)
            prepare_or_ask(ports, command.simulation_id, [person.slug], models)
        ClockRow.objects.create(
            simulation_id=command.simulation_id, agent=person.slug, clock=tick + 1
        )
        became(command, CommandRow.State.DONE, tick)


def accept_departure(ports: Ports, command: CommandRow, tick: int) -> None:
    """Put on the log that the person is to leave at the tick.

    :raises Embodied: if a user acts for them.
    """
    refuse_embodied(command.simulation_id, command.agent)
    with transaction.atomic():
        sent = PersonSentAway(agent=command.agent, by=command.by, reason=command.reason)
        log_command(ports, command, tick, sent)
        became(command, CommandRow.State.ACCEPTED, tick)


def depart(ports: Ports, simulation_id: UUID, agent: str, tick: int) -> None:
    """Let the person leave in this tick of theirs."""
    with transaction.atomic():
        ports.store.append(
            simulation_id=simulation_id,
            tick=tick,
            stream=agent,
            events=[NewEvent(event=AgentLeft())],
        )
        forget_clock(simulation_id, agent)
        CommandRow.objects.filter(
            simulation_id=simulation_id,
            kind=SEND_AWAY,
            agent=agent,
            state=CommandRow.State.ACCEPTED,
        ).update(state=CommandRow.State.DONE)
        # Whoever is gone hears nothing of what was still to be told.
        CommandRow.objects.filter(
            simulation_id=simulation_id, agent=agent, state=CommandRow.State.ACCEPTED
        ).update(state=CommandRow.State.REFUSED, refusal=f"{agent} left town before")


def forget_clock(simulation_id: UUID, agent: str) -> None:
    """Forget the clock of somebody who has left town."""
    ClockRow.objects.filter(simulation_id=simulation_id, agent=agent).delete()


def _coming(constants: Constants, person: Person, tick: int, cause: str) -> list[NewEvent]:
    if tick == 0:
        return asleep_at_home(constants.world, person, constants.calendar)
    return arriving(constants.world, person, tick=tick, cause=cause)


def refuse_taken(simulation_id: UUID, slug: str) -> None:
    """Refuse a name that somebody here has or is about to have.

    :raises NameTaken: if its slug is taken.
    """
    refuse_known(simulation_id, slug)
    asked_for = CommandRow.objects.filter(
        simulation_id=simulation_id,
        kind__in=[ADD_PERSON, VISIT],
        agent=slug,
        state=CommandRow.State.PENDING,
    )
    if asked_for.exists():
        raise NameTaken(f"{slug!r} is about to come already; give the person another name")


def refuse_known(simulation_id: UUID, slug: str) -> None:
    """Refuse a name that somebody here has, or has had.

    :raises NameTaken: if they have its slug.
    """
    if AgentRow.objects.filter(simulation_id=simulation_id, agent=slug).exists():
        raise NameTaken(f"{slug!r} lives here already, or has; give the person another name")
