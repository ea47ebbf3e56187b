"""The command `set-object-state`: a user overrides the state of an object in words (U3)."""

import re
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator

from apps.agents.events import ObjectStateSet
from apps.agents.sharing import is_alarming
from apps.kernel.errors import DomainError
from apps.llm.cleaning import in_one_line
from apps.simulation.commands.command import CommandBody, Processing
from apps.simulation.commands.command_log import (
    Issuer,
    accept,
    next_command_tick,
    record_command,
)
from apps.simulation.models import CommandRow
from apps.simulation.ports import Ports, constants_of
from apps.world.problems import UnknownPlace
from apps.world.tree import NodeKind, WorldTree

SET_OBJECT_STATE = "set-object-state"
STATE_CHARACTERS_MAX = 200

_VERB = (
    r"(?:is|are|was|becomes|became|has become|turns|turned|gets|got|ist|sind|wird|wurde)\b"
    r"(?: (?:now|jetzt)\b)?"
)
_FENCED = re.compile(
    rf"\s*<(?P<object>[^<>]+)>\s*(?:['\u2019]s\b|{_VERB})?\s*(?P<state>.*)", re.DOTALL
)
_BARE = re.compile(rf"['\u2019]s\s+|\s+{_VERB}\s+")


class UnusableState(DomainError):
    """The text cannot be the state of an object."""


def _state(text: str) -> str:
    line = in_one_line(text)
    if not 0 < len(line) <= STATE_CHARACTERS_MAX:
        raise UnusableState(
            f'give the state in 1 to {STATE_CHARACTERS_MAX} characters, such as "burning"'
        )
    return line


class SetObjectStateBody(CommandBody):
    """The path of the object, and its state as it follows "<object> is".

    :raises UnusableState: if the state is empty or too long.
    """

    object: str
    state: Annotated[str, AfterValidator(_state)]
    is_alarming: bool = False


def parse_statement(tree: WorldTree, text: str) -> tuple[str, str]:
    """Return the object's name and the state in "<the stove of Isabella's> is burning".

    Without < and > the name ends before the first verb that follows the name of a node.

    :raises UnusableState: if the text has no state.
    :raises UnknownPlace: if no verb follows the name of a node.
    :raises AmbiguousPlace: if several nodes have the name.
    """
    said = in_one_line(text)
    fenced = _FENCED.fullmatch(said)
    if fenced is not None:
        return fenced["object"], fenced["state"].rstrip(" .!")
    unknown: UnknownPlace | None = None
    for verb in _BARE.finditer(said):
        name, state = said[: verb.start()], said[verb.end() :].rstrip(" .!")
        try:
            tree.resolve(name)
        except UnknownPlace as error:
            # "Isabella's apartment: …": the name continues.
            unknown = error
            continue
        return name, state
    raise unknown or UnusableState(
        'write it as in "<Isabella\'s apartment: kitchen: stove> is burning"'
    )


def request_object_state(
    ports: Ports,
    simulation_id: UUID,
    *,
    object_name: str,
    state: str,
    alarming: bool | None = None,
    issuer: Issuer,
) -> CommandRow:
    """Request an object to be in a state.

    :param object_name: the path of the object, or any unambiguous name.
    :param alarming: whether the state is a danger; derived from its words if None.
    :raises UnknownPlace: if nothing has that name.
    :raises AmbiguousPlace: if several nodes have it.
    :raises UnusableState: if it is no object, or the state is empty or too long.
    :raises TickPast: if the requested tick is past.
    """
    node = constants_of(simulation_id, ports.worlds).world.tree.resolve(object_name)
    if node.kind is not NodeKind.OBJECT:
        raise UnusableState(f"{node.path} is no object; name an object in it")
    body = SetObjectStateBody(
        object=node.path, state=state, is_alarming=is_alarming(state, alarming)
    )
    return record_command(simulation_id, SET_OBJECT_STATE, "", body, issuer)


def process(processing: Processing, command: CommandRow, body: SetObjectStateBody) -> None:
    """Set the state from the first tick on that no agent in view of the object has begun."""
    schedule = processing.schedule
    first = max(schedule.first_unseen_tick(body.object), command.at_tick or 0)
    tick = next_command_tick(command.simulation_id, first)
    event = ObjectStateSet(
        object=body.object,
        state=body.state,
        is_alarming=body.is_alarming,
        by=command.by,
        reason=command.reason,
    )
    accept(processing.ports, command, tick, event)
    schedule.reload_object_states()
