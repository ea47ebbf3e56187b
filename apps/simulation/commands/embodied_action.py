"""The command `embodied-action`: walk, speak, use an object or open a door (U4)."""

from typing import ClassVar
from uuid import UUID

from pydantic import Field, model_validator

from apps.agents.acts import ActKind
from apps.agents.events import Tile
from apps.agents.naming import AgentUnknown
from apps.agents.speech import UTTERANCE_CHARACTERS_MAX, UTTERANCE_WORDS_MAX
from apps.kernel.errors import DomainError
from apps.kernel.language import phrase
from apps.llm.cleaning import in_one_line
from apps.planning.checks import require_emoji, require_state
from apps.simulation.commands.command import CommandBody, Processing
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
from apps.simulation.embodiment.events import (
    ActRequested,
    EmbodimentEvent,
    MoveRequested,
    OpenRequested,
    SayRequested,
    UseRequested,
)
from apps.simulation.embodiment.queries import get_request
from apps.simulation.embodiment.rules import Outcome
from apps.simulation.models import CommandRow
from apps.world.errors import AgentNotInWorld
from apps.world.node import Node, NodeKind
from apps.world.world import World

DOING_CHARACTERS_MAX = 200


class UnusableAction(DomainError):
    """No agent can carry out the action."""

    code: ClassVar[str] = "unusable-action"


class EmbodiedAction(CommandBody):
    """An action: its name in the command's body, and the event that requests it."""

    name: ClassVar[str]
    event: ClassVar[type[EmbodimentEvent]]


class Move(EmbodiedAction):
    """A walk to the area or object of the path `to` or, if that is "", to a tile."""

    name = "move"
    event = MoveRequested
    to: str
    tile: Tile | None

    @model_validator(mode="after")
    def _has_one_destination(self) -> "Move":
        if bool(self.to) == (self.tile is not None):
            raise ValueError("give either `to` or `tile`")
        return self


class Say(EmbodiedAction):
    """An utterance; `to` "" is the partner of the conversation; `ends` expects no answer.

    With `by_phone` the agent calls the other one, if it is not in view; with `to_all` it tells
    all agents in view.
    """

    name = "say"
    event = SayRequested
    text: str
    to: str
    ends: bool
    by_phone: bool = False
    to_all: bool = False


class Use(EmbodiedAction):
    """The use of the object of the path; `doing` follows "<name> is"."""

    name = "act"
    event = UseRequested
    object: str
    doing: str
    minutes: int = Field(ge=1)
    state: str = ""
    emoji: str = ""


class WithAgent(EmbodiedAction):
    """An act with another agent; the fields are those of its event."""

    name = "with_agent"
    event = ActRequested
    kind: ActKind
    other: str
    thing: str
    object: str
    state: str
    minutes: int = Field(ge=1)


class Open(EmbodiedAction):
    """The opening of the door of the agent's home to the visitor of the slug `to`."""

    name = "open"
    event = OpenRequested
    to: str


class EmbodiedActionBody(EmbodimentBody):
    """One action of the embodied agent."""

    move: Move | None = None
    say: Say | None = None
    act: Use | None = None
    with_agent: WithAgent | None = None
    open: Open | None = None

    @property
    def action(self) -> EmbodiedAction:
        """The action that is given."""
        [action] = filter(None, self._given)
        return action

    @property
    def _given(self) -> tuple[EmbodiedAction | None, ...]:
        return self.move, self.say, self.act, self.with_agent, self.open

    @model_validator(mode="after")
    def _has_one_action(self) -> "EmbodiedActionBody":
        if len(list(filter(None, self._given))) != 1:
            raise ValueError("give one of `move`, `say`, `act`, `with_agent` and `open`")
        return self


def move_to_node(world: World, name: str) -> Move:
    """Return the walk to a place, an area or an object.

    :raises UnknownPlace: if nothing has the name.
    :raises AmbiguousPlace: if several nodes have it.
    :raises UnusableAction: if no agent can stand there.
    """
    node = world.tree.resolve(name)
    if node.kind is NodeKind.OBJECT:
        is_reachable = bool(world.map.use_tiles(node.path))
    else:
        node = standing_area(world, node)
        is_reachable = node.kind is NodeKind.AREA and bool(world.map.standing_tiles(node.path))
    if not is_reachable:
        raise UnusableAction(f"no agent can walk to {name!r}; name a place, area or object")
    return Move(to=node.path, tile=None)


def standing_area(world: World, node: Node) -> Node:
    """Return the first area of a place with tiles to stand on; any other node as it is."""
    below = world.tree.children(node.path) if node.kind is NodeKind.PLACE else (node,)
    return next((one for one in below if world.map.standing_tiles(one.path)), node)


def move_to_tile(world: World, tile: Tile) -> Move:
    """Return the walk to the tile.

    :raises UnusableAction: if no agent can stand there.
    """
    if not world.map.is_walkable(tile):
        raise UnusableAction(f"no agent can stand on the tile {tile}; see …/world/map")
    return Move(to="", tile=tile)


def say_text(
    simulation_id: UUID,
    world: World,
    text: str,
    *,
    to: str,
    ends: bool,
    by_phone: bool,
    to_all: bool,
) -> Say:
    """Return the utterance, on one line.

    :raises UnusableAction: if it is empty or too long, or a call that names nobody or is made
        in a world without telephones.
    :raises AgentNotInWorld: if the simulation has no agent of the slug `to`.
    """
    line = in_one_line(text)
    if not 0 < len(line.split()) <= UTTERANCE_WORDS_MAX or len(line) > UTTERANCE_CHARACTERS_MAX:
        raise UnusableAction(
            f"say 1 to {UTTERANCE_WORDS_MAX} words, of {UTTERANCE_CHARACTERS_MAX} characters "
            "at most, at a time"
        )
    if to:
        _ensure_known(simulation_id, to)
    if by_phone and not world.phones:
        raise UnusableAction(f"{world.name} has no telephones; walk there and say it")
    if by_phone and not to:
        raise UnusableAction("to phone an agent, name it in `to`")
    return Say(text=line, to=to, ends=ends, by_phone=by_phone, to_all=to_all)


def open_door(simulation_id: UUID, to: str) -> Open:
    """Return the opening of the door to a visitor.

    :raises AgentNotInWorld: if the simulation has no agent of the slug `to`.
    """
    _ensure_known(simulation_id, to)
    return Open(to=to)


def _ensure_known(simulation_id: UUID, agent: str) -> None:
    try:
        ensure_present(simulation_id, agent)
    except AgentUnknown as unknown:
        raise AgentNotInWorld(unknown.message, unknown.near) from None


def use_object(
    world: World, name: str, *, doing: str, minutes: int, state: str = "", emoji: str = ""
) -> Use:
    """Return the use of the object; `doing` follows "<name> is".

    `state` is that of the object meanwhile, and `emoji` shows the action; "" for the usual.

    :raises UnknownPlace: if nothing has the name.
    :raises AmbiguousPlace: if several nodes have it.
    :raises UnusableAction: if it is no usable object, or a text is empty, too long or unusable.
    """
    node = world.tree.resolve(name)
    if node.kind is not NodeKind.OBJECT or not world.map.use_tiles(node.path):
        raise UnusableAction(f"{node.path} cannot be used; name an object in it")
    line = in_one_line(doing)
    if not 0 < len(line) <= DOING_CHARACTERS_MAX:
        raise UnusableAction(
            f'say what is done in 1 to {DOING_CHARACTERS_MAX} characters, as follows "is": '
            '"making coffee"'
        )
    try:
        if state:
            require_state(state, field="state")
        if emoji:
            require_emoji(emoji, field="emoji")
    except ValueError as error:
        raise UnusableAction(str(error)) from error
    return Use(
        object=node.path,
        doing=line,
        minutes=minutes,
        state=in_one_line(state),
        emoji=in_one_line(emoji),
    )


def act_with_agent(  # noqa: PLR0913 (the parts of a request)
    simulation_id: UUID,
    world: World,
    kind: ActKind,
    *,
    other: str,
    thing: str,
    name: str,
    state: str,
    minutes: int,
) -> WithAgent:
    """Return the act; `thing` and the object `name` belong to what is given or left.

    :raises UnusableAction: if the act lacks the agent, or the thing and its object.
    :raises AgentNotInWorld: if the simulation has no agent of the slug `other`.
    :raises UnknownPlace: if no object has the name.
    :raises AmbiguousPlace: if several nodes have it.
    """
    if kind.names_agent:
        if not other:
            raise UnusableAction(f"to {kind} an agent, name it in `agent`")
        _ensure_known(simulation_id, other)
    thing = in_one_line(thing)
    if not kind.leaves_thing:
        return WithAgent(kind=kind, other=other, thing="", object="", state="", minutes=minutes)
    if not thing or not name:
        raise UnusableAction(f"to {kind} a thing, name it in `thing`, and its `object`")
    used = use_object(world, name, doing=thing, minutes=minutes, state=state)
    return WithAgent(
        kind=kind,
        other=other if kind.names_agent else "",
        thing=thing,
        object=used.object,
        state=used.state or phrase("holding {thing}", thing=thing),
        minutes=minutes,
    )


def request_action(
    simulation_id: UUID, number: int, action: EmbodiedAction, *, issuer: Issuer, is_owner: bool
) -> CommandRow:
    """Request an action of the agent of the embodiment.

    :raises EmbodimentUnknown: if there is none of the number.
    :raises EmbodimentOver: if it is over, or its end was requested.
    :raises NotYourEmbodiment: if another user began it.
    :raises TickPast: if the requested tick is past.
    """
    agent = ensure_controller(simulation_id, number, issuer, is_owner=is_owner)
    body = EmbodiedActionBody.model_validate({"embodiment": number, action.name: action})
    return record_command(simulation_id, EMBODIED_ACTION, agent, body, issuer)


def process(processing: Processing, command: CommandRow, body: EmbodiedActionBody) -> None:
    """Append the request at the agent's first free tick; its turn there answers it.

    :raises NotFound: if the agent has left or is about to leave.
    :raises EmbodimentOver: if the embodiment is over, or has not begun.
    """
    tick = control_tick(processing.schedule, command)
    one = get_open_embodiment(command.simulation_id, body.embodiment)
    action = body.action
    event = action.event(embodiment=one.number, **issued(command), **action.model_dump())
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
