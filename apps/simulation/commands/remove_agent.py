"""The command `send-away`: an agent leaves the simulation; its memories stay (U9)."""

from uuid import UUID

from django.db import transaction

from apps.agents import queries as agent_queries
from apps.agents.events import AgentLeft
from apps.eventlog.event import COMMANDS_STREAM
from apps.eventlog.queries import event_id_of_row
from apps.eventlog.store import NewEvent, events_of
from apps.kernel.errors import DomainError
from apps.simulation.commands.command import CommandBody, Processing
from apps.simulation.commands.command_log import (
    Issuer,
    accept,
    ensure_present,
    issued,
    record_command,
)
from apps.simulation.commands.schedule import next_unshared_tick
from apps.simulation.embodiment.queries import open_embodiments
from apps.simulation.events import AgentRemoved
from apps.simulation.models import ClockRow, CommandRow

REMOVE_AGENT = "send-away"


class Embodied(DomainError):
    """A user controls the agent."""


class LastAgent(DomainError):
    """The last agent of a simulation cannot leave it."""


class RemoveAgentBody(CommandBody):
    """The command has no values beside its agent."""


def request_removal(simulation_id: UUID, agent: str, *, issuer: Issuer) -> CommandRow:
    """Request an agent to leave.

    :raises AgentUnknown: if the simulation has no such agent.
    :raises LastPerson: if no other agent would be left.
    :raises Embodied: if a user controls the agent.
    :raises TickPast: if the requested tick is past.
    """
    _ensure_not_controlled(simulation_id, agent)
    ensure_present(simulation_id, agent)
    leaving = CommandRow.objects.filter(
        simulation_id=simulation_id,
        kind=REMOVE_AGENT,
        state__in=[CommandRow.State.PENDING, CommandRow.State.ACCEPTED],
    ).values_list("agent", flat=True)
    if set(agent_queries.slugs_in_simulation(simulation_id)) <= {agent, *leaving}:
        raise LastAgent("the last agent cannot leave the simulation; add another one first")
    return record_command(simulation_id, REMOVE_AGENT, agent, RemoveAgentBody(), issuer)


def process(processing: Processing, command: CommandRow, _body: RemoveAgentBody) -> None:
    """Schedule the departure for the next tick that no agent has committed.

    :raises LastPerson: if the agent has left, or no other agent stays.
    :raises Embodied: if a user controls the agent.
    """
    schedule = processing.schedule
    if not schedule.can_leave(command.agent):
        raise LastAgent(f"{command.agent} has left, or no other agent would stay")
    _ensure_not_controlled(command.simulation_id, command.agent)
    tick = next_unshared_tick(schedule, command.simulation_id)
    event = AgentRemoved(**issued(command))
    accept(processing.ports, command, tick, event, state=CommandRow.State.ACCEPTED)
    schedule.schedule_departure(command.agent, tick)


def depart(processing: Processing, agent: str, tick: int) -> None:
    """Let the agent leave at the tick, and reject its commands that are still open."""
    simulation_id = processing.constants.simulation_id
    commands = events_of(simulation_id, until_tick=tick, streams=[COMMANDS_STREAM])
    removed = commands.filter(type=AgentRemoved.type, data__agent=agent).last()
    assert removed is not None, "an agent leaves after the command to remove it"
    with transaction.atomic():
        processing.ports.store.append(
            simulation_id=simulation_id,
            tick=tick,
            stream=agent,
            events=[NewEvent(event=AgentLeft(), cause=str(event_id_of_row(removed)))],
        )
        delete_clock(simulation_id, agent)
        accepted = CommandRow.objects.filter(
            simulation_id=simulation_id, agent=agent, state=CommandRow.State.ACCEPTED
        )
        accepted.filter(kind=REMOVE_AGENT).update(state=CommandRow.State.DONE)
        accepted.update(state=CommandRow.State.REFUSED, refusal=f"{agent} left before")
    processing.schedule.remove_agent(agent)


def scheduled_departures(simulation_id: UUID) -> dict[str, int]:
    """Return the tick at which each agent leaves that has been removed and not left."""
    rows = CommandRow.objects.filter(
        simulation_id=simulation_id, kind=REMOVE_AGENT, state=CommandRow.State.ACCEPTED
    )
    return {row.agent: row.effective_tick or 0 for row in rows}


def delete_clock(simulation_id: UUID, agent: str) -> None:
    """Delete the clock of an agent that has left."""
    ClockRow.objects.filter(simulation_id=simulation_id, agent=agent).delete()


def _ensure_not_controlled(simulation_id: UUID, agent: str) -> None:
    if any(one.agent == agent for one in open_embodiments(simulation_id)):
        raise Embodied(f"a user controls {agent!r}; DELETE …/embodiments/{{id}} ends that")
