"""The command `add-agent`: an agent joins the simulation, before or during a run (U5)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.agents.models import AgentRow
from apps.agents.queries import list_agents
from apps.kernel.errors import DomainError
from apps.simulation.commands.arrival import arriving, asleep_at_home, join, joined
from apps.simulation.commands.command import CommandBody, Processing
from apps.simulation.commands.command_log import Issuer, accept, issued, record_command
from apps.simulation.commands.embodiments import VISIT
from apps.simulation.commands.schedule import next_unshared_tick
from apps.simulation.events import AgentAdded
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import CommandRow
from apps.simulation.ports import Ports, constants_of
from apps.simulation.queries import model_of
from apps.simulation.turn.preparation import PREPARATION_TICK, prepare_or_ask
from apps.world.people_loading import agent_profile_of, ensure_room_for
from apps.world.tree import WorldTree
from apps.world.world import Person

ADD_AGENT = "add-agent"


class NameTaken(DomainError):
    """An agent of that name is or was in the simulation."""


class AddAgentBody(CommandBody):
    """The agent's name, and the facts of an entry in people.yaml."""

    name: str
    age: int
    traits: tuple[str, ...]
    description: str
    hours: Mapping[str, str | None]
    home: str
    bed: str | None = None
    workplace: str | None = None
    knows: tuple[str, ...] = ()

    def to_person(self, tree: WorldTree) -> Person:
        """Return the agent, with the places that it names.

        :raises InvalidAgentProfile: if the facts do not fit the world; it has every hint.
        """
        facts = self.to_json()
        return agent_profile_of(facts.pop("name"), facts, tree)


def request_agent(
    ports: Ports, simulation_id: UUID, *, name: str, facts: Mapping[str, Any], issuer: Issuer
) -> CommandRow:
    """Request an agent to be added; `facts` are those of an entry in people.yaml.

    :raises InvalidAgentProfile: if the facts do not fit the world, or if bed, home or workplace
        are full; the message has every hint, and the free beds.
    :raises NameTaken: if the name's slug is taken.
    :raises TickPast: if the requested tick is past.
    """
    world = constants_of(simulation_id, ports.worlds).world
    person = agent_profile_of(name, facts, world.tree)
    body = AddAgentBody(name=name, **facts)
    with transaction.atomic():
        lock_simulation_row(simulation_id)  # of two requests at once the second sees the first
        ensure_unused(simulation_id, person.slug)
        ensure_unrequested(simulation_id, person.slug)
        requested = CommandRow.objects.filter(
            simulation_id=simulation_id, kind=ADD_AGENT, state=CommandRow.State.PENDING
        )
        joining = [AddAgentBody(**row.body).to_person(world.tree) for row in requested]
        ensure_room_for(person, [*list_agents(simulation_id), *joining], world)
        return record_command(simulation_id, ADD_AGENT, person.slug, body, issuer)


def process(processing: Processing, command: CommandRow, body: AddAgentBody) -> None:
    """Add the agent at the next tick that no agent has committed.

    :raises NameTaken: if another agent has taken the name since.
    :raises InvalidAgentProfile: if bed, room or workplace have been filled since.
    """
    ensure_unused(command.simulation_id, command.agent)
    ports, constants = processing.ports, processing.constants
    tick = next_unshared_tick(processing.schedule, command.simulation_id)
    person = body.to_person(constants.world.tree)
    ensure_room_for(person, list_agents(command.simulation_id), constants.world)
    cause = accept(ports, command, tick, AgentAdded(**issued(command)))
    if tick == PREPARATION_TICK:
        events = asleep_at_home(constants.world, person, constants.calendar)
    else:
        tile = constants.world.map.standing_tiles(person.home)[0]
        events = arriving(constants.world, joined(person, tile), tile, tick=tick, cause=cause)
    join(processing, person.slug, tick, events)
    if tick == PREPARATION_TICK:
        models = ports.open_models(model_of(command.simulation_id), constants.seed)
        prepare_or_ask(ports, command.simulation_id, [person.slug], models)
    processing.schedule.add_agent(person.slug)


def ensure_unused(simulation_id: UUID, slug: str) -> None:
    """Check that no agent has, or has had, the slug.

    :raises NameTaken: if one has.
    """
    if AgentRow.objects.filter(simulation_id=simulation_id, agent=slug).exists():
        raise NameTaken(f"{slug!r} is or was in the simulation; give the agent another name")


def ensure_unrequested(simulation_id: UUID, slug: str) -> None:
    """Check that no pending command adds an agent or a visitor of the slug.

    :raises NameTaken: if one does.
    """
    requested = CommandRow.objects.filter(
        simulation_id=simulation_id,
        kind__in=[ADD_AGENT, VISIT],
        agent=slug,
        state=CommandRow.State.PENDING,
    )
    if requested.exists():
        raise NameTaken(f"{slug!r} was requested already; give another name")
