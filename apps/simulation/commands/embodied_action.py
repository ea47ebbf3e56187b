"""The command `embodied-action`: walk, speak, use an object or open a door (U4)."""

from uuid import UUID

from apps.agents.naming import AgentUnknown
from apps.kernel.errors import DomainError
from apps.kernel.language import phrase
from apps.simulation.commands.command import Processing
from apps.simulation.commands.command_log import (
    Issuer,
    ensure_present,
    issued,
    record_command,
    set_state,
)
from apps.simulation.commands.embodiments import (
    EMBODIED_ACTION,
    EmbodimentBody,
    accept_control,
    control_tick,
    ensure_controller,
    get_open_embodiment,
)
from apps.simulation.embodiment.events import ActionRequested
from apps.simulation.embodiment.queries import get_request
from apps.simulation.embodiment.requested_actions import (
    NAMES,
    Action,
    GivenAction,
    Move,
    Open,
    Outcome,
    Say,
    Use,
    WithAgent,
)
from apps.simulation.models import CommandRow
from apps.world.problems import AgentNotInWorld
from apps.world.tree import Node, NodeKind
from apps.world.world import World


class UnusableAction(DomainError):
    """No agent can carry out the action."""


class EmbodiedActionBody(EmbodimentBody, GivenAction):
    """One action of the embodied agent, by paths and slugs."""


def resolve_action(simulation_id: UUID, world: World, action: Action) -> Action:
    """Return the action with paths instead of names.

    :raises UnknownPlace: if nothing has a name.
    :raises AmbiguousPlace: if several nodes have it.
    :raises AgentNotInWorld: if the simulation has no agent of a slug.
    :raises UnusableAction: if no agent can stand or use an object there, or there are no
        telephones.
    """
    match action:
        case Move():
            return _resolve_walk(world, action)
        case Use():
            return action.model_copy(update={"object": used_path(world, action.object)})
        case WithAgent():
            return _resolve_act(simulation_id, world, action)
        case Say():
            if action.by_phone and not world.phones:
                raise UnusableAction(f"{world.name} has no telephones; walk there and say it")
            if action.to:
                _ensure_known(simulation_id, action.to)
        case Open():
            _ensure_known(simulation_id, action.to)
    return action


def _resolve_walk(world: World, walk: Move) -> Move:
    if walk.tile is not None:
        if not world.map.is_walkable(walk.tile):
            raise UnusableAction(f"no agent can stand on the tile {walk.tile}; see …/world/map")
        return walk
    node = standing_area(world, world.tree.resolve(walk.to))
    if not world.map.spots(node.path):
        raise UnusableAction(f"no agent can walk to {walk.to!r}; name a place, area or object")
    return walk.model_copy(update={"to": node.path})


def standing_area(world: World, node: Node) -> Node:
    """Return the first area of a place with tiles to stand on; any other node as it is."""
    below = world.tree.children(node.path) if node.kind is NodeKind.PLACE else (node,)
    return next((one for one in below if world.map.standing_tiles(one.path)), node)


def used_path(world: World, name: str) -> str:
    """Return the path of an object that agents can use.

    :raises UnknownPlace: if nothing has the name.
    :raises AmbiguousPlace: if several nodes have it.
    :raises UnusableAction: if it is no usable object.
    """
    node = world.tree.resolve(name)
    if not world.map.use_tiles(node.path):
        raise UnusableAction(f"{node.path} cannot be used; name an object in it")
    return node.path


def _resolve_act(simulation_id: UUID, world: World, act: WithAgent) -> WithAgent:
    """Return the act; a thing and its object belong to what is given or left only."""
    if act.kind.names_agent:
        _ensure_known(simulation_id, act.other)
    values = {"thing": "", "object": "", "state": ""}
    if act.kind.leaves_thing:
        values = {
            "other": act.other if act.kind.names_agent else "",
            "object": used_path(world, act.object),
            "state": act.state or phrase("holding {thing}", thing=act.thing),
        }
    return act.model_copy(update=values)


def _ensure_known(simulation_id: UUID, agent: str) -> None:
    try:
        ensure_present(simulation_id, agent)
    except AgentUnknown as unknown:
        raise AgentNotInWorld(unknown.message, unknown.near) from None


def request_action(
    simulation_id: UUID, number: int, action: Action, *, issuer: Issuer, is_owner: bool
) -> CommandRow:
    """Request an action of the agent of the embodiment, with paths and slugs.

    :raises EmbodimentUnknown: if there is none of the number.
    :raises EmbodimentOver: if it is over, or its end was requested.
    :raises NotYourEmbodiment: if another user began it.
    :raises TickPast: if the requested tick is past.
    """
    agent = ensure_controller(simulation_id, number, issuer, is_owner=is_owner)
    values = {NAMES[type(action)]: action.model_dump(mode="json")}
    body = EmbodiedActionBody.model_validate({"embodiment": number, **values})
    return record_command(simulation_id, EMBODIED_ACTION, agent, body, issuer)


def process(processing: Processing, command: CommandRow, body: EmbodiedActionBody) -> None:
    """Append the request at the agent's first free tick; its turn there answers it.

    :raises NotFound: if the agent has left or is about to leave.
    :raises EmbodimentOver: if the embodiment is over, or has not begun.
    """
    tick = control_tick(processing.schedule, command)
    one = get_open_embodiment(command.simulation_id, body.embodiment)
    event = ActionRequested(
        embodiment=one.number,
        kind=NAMES[type(body.action)],
        body=body.action.model_dump(mode="json"),
        **issued(command),
    )
    tick = max(tick, one.from_tick)
    accept_control(processing, command, tick, event, state=CommandRow.State.ACCEPTED)


def record_outcomes(simulation_id: UUID) -> None:
    """Record the outcomes of action requests in the commands that requested them."""
    waiting = CommandRow.objects.filter(
        simulation_id=simulation_id, kind=EMBODIED_ACTION, state=CommandRow.State.ACCEPTED
    )
    for command in waiting:
        request = get_request(simulation_id, command.agent, command.body["event"])
        if request.outcome == Outcome.REFUSED:
            command.refusal = f"{request.code}: {request.why}"
            set_state(command, CommandRow.State.REFUSED, command.effective_tick)
        elif request.outcome == Outcome.DONE:
            set_state(command, CommandRow.State.DONE, command.effective_tick)
