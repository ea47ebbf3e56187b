"""The commands `add-agent` and `send-away`: an agent joins or leaves a simulation (U5, U9).

The memories of an agent that has left stay.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.agents import queries as agent_queries
from apps.agents.events import (
    ActionBegan,
    ActionKind,
    AgentJoined,
    AgentLeft,
    AgentReturned,
    Tile,
)
from apps.agents.models import AgentRow
from apps.agents.queries import list_agents
from apps.agents.summary import Hours
from apps.eventlog.event import COMMANDS_STREAM
from apps.eventlog.store import NewEvent, events_of
from apps.kernel.errors import Conflict
from apps.kernel.game_time import GameCalendar
from apps.kernel.language import noted, phrase
from apps.planning.rules import next_waking
from apps.simulation.commands.agent_models import ModelOfAgent, give_model, models_with
from apps.simulation.commands.command import CommandBody, Processing, next_unshared_tick
from apps.simulation.commands.command_log import (
    Issuer,
    accept,
    ensure_present,
    issued,
    record_command,
)
from apps.simulation.commands.embodiments import VISIT
from apps.simulation.embodiment.queries import open_embodiments
from apps.simulation.events import AgentAdded, AgentRemoved
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import ClockRow, CommandRow
from apps.simulation.ports import Ports, constants_of
from apps.simulation.turn.preparation import PREPARATION_TICK, prepare_or_ask
from apps.world.people_loading import agent_profile_of, ensure_room_for
from apps.world.tree import WorldTree
from apps.world.world import Person, World

ADD_AGENT = "add-agent"


class NameTaken(Conflict):
    """An agent of that name is or was in the simulation."""


class AddAgentBody(CommandBody):
    """The agent's name, the facts of an entry in people.yaml, and a chat model of its own."""

    name: str
    age: int
    traits: tuple[str, ...]
    description: str
    hours: Mapping[str, str | None]
    home: str
    bed: str | None = None
    workplace: str | None = None
    knows: tuple[str, ...] = ()
    model: ModelOfAgent = None

    def to_person(self, tree: WorldTree) -> Person:
        """Return the agent, with the places that it names.

        :raises InvalidAgentProfile: if the facts do not fit the world; it has every hint.
        """
        facts = self.to_json()
        facts.pop("model", None)
        return agent_profile_of(facts.pop("name"), facts, tree)


def request_agent(
    ports: Ports,
    simulation_id: UUID,
    *,
    name: str,
    facts: Mapping[str, Any],
    issuer: Issuer,
    model: str | None = None,
) -> CommandRow:
    """Request an agent to be added; `facts` are those of an entry in people.yaml.

    :param model: the chat model of the agent, as `models_with` takes it.
    :raises DomainError: for a model that cannot be used, see `models_with`.
    :raises InvalidAgentProfile: if the facts do not fit the world, or if bed, home or workplace
        are full; the message has every hint, and the free beds.
    :raises NameTaken: if the name's slug is taken.
    :raises TickPast: if the requested tick is past.
    """
    constants = constants_of(simulation_id, ports.worlds)
    world = constants.world
    person = agent_profile_of(name, facts, world.tree)
    if model is not None:
        models_with(ports, simulation_id, person.slug, model, seed=constants.seed)
    body = AddAgentBody(name=name, model=model, **facts)
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


def process_addition(processing: Processing, command: CommandRow, body: AddAgentBody) -> None:
    """Add the agent at the next tick that no agent has committed.

    :raises NameTaken: if another agent has taken the name since.
    :raises InvalidAgentProfile: if bed, room or workplace have been filled since.
    :raises DomainError: for a model that can no longer be used, see `models_with`.
    """
    ensure_unused(command.simulation_id, command.agent)
    ports, constants = processing.ports, processing.constants
    tick = next_unshared_tick(processing.schedule, command.simulation_id)
    person = body.to_person(constants.world.tree)
    ensure_room_for(person, list_agents(command.simulation_id), constants.world)
    spec = give_model(
        ports, command.simulation_id, person.slug, body.model, seed=constants.seed
    )
    cause = accept(ports, command, tick, AgentAdded(**issued(command)))
    if tick == PREPARATION_TICK:
        events = asleep_at_home(constants.world, person, constants.calendar)
    else:
        tile = constants.world.map.standing_tiles(person.home)[0]
        events = arriving(constants.world, joined(person, tile), tile, tick=tick, cause=cause)
    join(processing, person.slug, tick, events)
    if tick == PREPARATION_TICK:
        models = ports.open_models(spec, constants.seed)
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


SLEEPING = noted("sleeping")
SLEEP_EMOJI = "😴"
SLEEPERS_BED = noted("occupied by a sleeper")
ARRIVING = noted("arriving in town")
ARRIVAL_EMOJI = "🧳"


def asleep_at_home(world: World, person: Person, calendar: GameCalendar) -> list[NewEvent]:
    """Return the events of an agent at tick 0: in bed until its first waking hour."""
    tile = world.map.use_tiles(person.bed)[0]
    hours = Hours(wake=person.hours.wake, sleep=person.hours.sleep, dinner=person.hours.dinner)
    asleep = ActionBegan(
        kind=ActionKind.SLEEPING,
        description=phrase(SLEEPING),
        emoji=SLEEP_EMOJI,
        tile=tile,
        area=world.map.area_at(tile),
        object=person.bed,
        object_state=phrase(SLEEPERS_BED),
        asleep=True,
        # No turn is taken at tick 0: no agent can wake in it.
        until_tick=max(1, next_waking(hours, calendar, 0)),
        plan_item=0,
    )
    return [NewEvent(event=joined(person, tile)), NewEvent(event=asleep)]


def join(processing: Processing, slug: str, tick: int, events: Sequence[NewEvent]) -> None:
    """Append the events of an agent that joins at the tick, and create its clock."""
    simulation_id = processing.constants.simulation_id
    processing.ports.store.append(
        simulation_id=simulation_id, tick=tick, stream=slug, events=events
    )
    ClockRow.objects.update_or_create(
        simulation_id=simulation_id, agent=slug, defaults={"clock": tick + 1}
    )


def arriving(
    world: World, joins: AgentJoined | AgentReturned, tile: Tile, *, tick: int, cause: str
) -> list[NewEvent]:
    """Return the events of an agent that joins later, on the tile: awake, without a plan."""
    arrives = ActionBegan(
        description=phrase(ARRIVING),
        emoji=ARRIVAL_EMOJI,
        tile=tile,
        area=world.map.area_at(tile),
        object="",
        object_state="",
        asleep=False,
        until_tick=tick + 1,
        plan_item=0,
    )
    return [NewEvent(event=joins, cause=cause), NewEvent(event=arrives, cause=cause)]


def joined(person: Person, tile: Tile) -> AgentJoined:
    """Return the event of an agent that joins on the tile."""
    return AgentJoined(
        name=person.name,
        age=person.age,
        traits=person.traits,
        wake_minute=person.hours.wake,
        sleep_minute=person.hours.sleep,
        dinner_minute=person.hours.dinner,
        home=person.home,
        bed=person.bed,
        workplace=person.workplace,
        description=person.description,
        tile=tile,
        knows=person.knows,
    )


REMOVE_AGENT = "send-away"


class Embodied(Conflict):
    """A user controls the agent."""


class LastAgent(Conflict):
    """The last agent of a simulation cannot leave it."""


class RemoveAgentBody(CommandBody):
    """The command has no values beside its agent."""


def request_removal(simulation_id: UUID, agent: str, *, issuer: Issuer) -> CommandRow:
    """Request an agent to leave.

    :raises AgentUnknown: if the simulation has no such agent.
    :raises LastAgent: if no other agent would be left.
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


def process_removal(
    processing: Processing, command: CommandRow, _body: RemoveAgentBody
) -> None:
    """Schedule the departure for the next tick that no agent has committed.

    :raises LastAgent: if the agent has left, or no other agent stays.
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
            events=[NewEvent(event=AgentLeft(), cause=removed.event_id)],
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
