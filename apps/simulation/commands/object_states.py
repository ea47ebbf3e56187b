"""An object's state, rewritten in words by a user: from when on it holds (U3)."""

import re
from typing import ClassVar
from uuid import UUID

from django.db import transaction

from apps.agents.events import ObjectStateSet
from apps.kernel.errors import Refusal
from apps.llm.cleaning import in_one_line
from apps.simulation.commands.command_log import Asking, asked, became, log_command, refuse_past
from apps.simulation.models import CommandRow
from apps.simulation.ports import Ports, constants_of
from apps.world.errors import UnknownPlace
from apps.world.tree import Kind, WorldTree

SET_OBJECT_STATE = "set-object-state"
STATE_CHARACTERS_MAX = 200

_VERB = r"(?:is|are|was|becomes|became|has become|turns|turned|gets|got)\b(?: now\b)?"
_FENCED = re.compile(
    rf"\s*<(?P<object>[^<>]+)>\s*(?:['\u2019]s\b|{_VERB})?\s*(?P<state>.*)", re.DOTALL
)
_BARE = re.compile(rf"['\u2019]s\s+|\s+{_VERB}\s+")


class UnusableState(Refusal):
    """The words cannot be the state of an object."""

    code: ClassVar[str] = "unusable-state"


def read_statement(tree: WorldTree, text: str) -> tuple[str, str]:
    """Return the object's name and the state in "<the stove of Isabella's> is burning".

    Without < and > the name ends before the first verb that has the name of a node before it.

    :raises UnusableState: if the text says no state of anything.
    :raises UnknownPlace: if no name of a node stands before a verb.
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
        except UnknownPlace as refusal:
            # "Isabella's apartment: …": the name goes on.
            unknown = refusal
            continue
        return name, state
    raise unknown or UnusableState(
        'say it as in "<Isabella\'s apartment: kitchen: stove> is burning"'
    )


def request_object_state(
    ports: Ports, simulation_id: UUID, *, object_words: str, state: str, asking: Asking
) -> CommandRow:
    """Ask for an object to be in a state; the object by its path or any name that is its own.

    :raises UnknownPlace: if nothing has that name.
    :raises AmbiguousPlace: if several have.
    :raises UnusableState: if it is no object, or the words are none or too many.
    :raises TickPast: if the time asked for is past.
    """
    node = constants_of(simulation_id, ports.worlds_root).world.tree.resolve(object_words)
    if node.kind is not Kind.OBJECT:
        raise UnusableState(f"{node.path} is no object; name something in it")
    words = in_one_line(state)
    if not 0 < len(words) <= STATE_CHARACTERS_MAX:
        raise UnusableState(
            f'give the state in 1 to {STATE_CHARACTERS_MAX} characters, such as "burning"'
        )
    refuse_past(simulation_id, asking)
    body = {"object": node.path, "state": words}
    return asked(simulation_id, SET_OBJECT_STATE, "", body, asking)


def accept_object_state(ports: Ports, command: CommandRow, tick: int) -> None:
    """Put the object into the state from the tick on, on the log and in the rows."""
    with transaction.atomic():
        event = ObjectStateSet(
            object=command.body["object"],
            state=command.body["state"],
            by=command.by,
            reason=command.reason,
        )
        log_command(ports, command, tick, event)
        became(command, CommandRow.State.DONE, tick)
