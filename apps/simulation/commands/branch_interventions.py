"""The commands that a branch begins with: what users do at its first tick (V4)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from apps.simulation.commands import object_state
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.interventions import (
    InnerVoiceBody,
    ObservationBody,
    request_intervention,
)
from apps.simulation.commands.remove_agent import REMOVE_AGENT, request_removal
from apps.simulation.ports import Ports

OBJECT_STATE: Final = object_state.SET_OBJECT_STATE
KINDS: Final = (InnerVoiceBody.kind, ObservationBody.kind, OBJECT_STATE, REMOVE_AGENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchIntervention:
    """A command of one of `KINDS`, about an agent or, for a state, about an object.

    `text` is the thought, the observation or the state; a removal has none. `is_alarming` is
    derived from the text if None.
    """

    kind: str
    agent: str = ""
    object: str = ""
    text: str = ""
    is_alarming: bool | None = None
    reason: str = ""


def request_interventions(
    ports: Ports, branch: UUID, interventions: Iterable[BranchIntervention], *, by: str
) -> None:
    """Request the commands in this order; each takes effect as soon as possible.

    :raises AgentUnknown: if the branch has no such agent.
    :raises LastAgent: if no agent would be left.
    :raises UnknownPlace: if no object has the name.
    :raises UnusableText: if a thought or an observation is empty or too long.
    :raises UnusableState: if it names no object, or the state is empty or too long.
    """
    for one in interventions:
        _request(ports, branch, one, Issuer(by=by, reason=one.reason))


def _request(ports: Ports, branch: UUID, one: BranchIntervention, issuer: Issuer) -> None:
    if one.kind == OBJECT_STATE:
        object_state.request_object_state(
            ports,
            branch,
            object_name=one.object,
            state=one.text,
            alarming=one.is_alarming,
            issuer=issuer,
        )
    elif one.kind == REMOVE_AGENT:
        request_removal(branch, one.agent, issuer=issuer)
    elif one.kind == ObservationBody.kind:
        observation = ObservationBody(text=one.text, is_alarming=one.is_alarming)
        request_intervention(branch, one.agent, observation, issuer=issuer)
    else:
        voice = InnerVoiceBody(text=one.text)
        request_intervention(branch, one.agent, voice, issuer=issuer)
