"""The command kinds: a literal table of the bodies and the functions that process them."""

from collections.abc import Mapping
from typing import Any, Final

from apps.kernel.errors import DomainError
from apps.simulation.commands import (
    agents,
    embodied_action,
    embodiments,
    interventions,
    object_state,
    visit,
)
from apps.simulation.commands.command import CommandSpec
from apps.simulation.interventions import INNER_VOICE, OBSERVATION, REMEMBER_INTERVIEW

COMMANDS: Final[Mapping[str, CommandSpec[Any]]] = {
    agents.ADD_AGENT: CommandSpec(agents.AddAgentBody, agents.process_addition),
    agents.REMOVE_AGENT: CommandSpec(agents.RemoveAgentBody, agents.process_removal),
    object_state.SET_OBJECT_STATE: CommandSpec(
        object_state.SetObjectStateBody, object_state.process
    ),
    INNER_VOICE: CommandSpec(interventions.InnerVoiceBody, interventions.process),
    OBSERVATION: CommandSpec(interventions.ObservationBody, interventions.process),
    REMEMBER_INTERVIEW: CommandSpec(interventions.InterviewBody, interventions.process),
    embodiments.EMBODY: CommandSpec(embodiments.EmbodimentBody, embodiments.process_embody),
    embodiments.VISIT: CommandSpec(visit.VisitBody, visit.process),
    embodiments.EMBODIED_ACTION: CommandSpec(
        embodied_action.EmbodiedActionBody, embodied_action.process
    ),
    embodiments.HAND_BACK: CommandSpec(
        embodiments.EmbodimentBody, embodiments.process_hand_back
    ),
}


class CommandKindUnknown(DomainError):
    """A command is of a kind that this version of the service does not know."""


def spec_of(kind: str) -> CommandSpec[Any]:
    """Return the command kind of the name.

    :raises CommandKindUnknown: if there is none.
    """
    try:
        return COMMANDS[kind]
    except KeyError:
        raise CommandKindUnknown(
            f"no command kind {kind!r} is known to this version of the service; it knows "
            f"{', '.join(COMMANDS)}"
        ) from None
