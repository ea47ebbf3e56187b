"""The commands that a branch begins with: what users do at its first tick (V4)."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Final, Literal, get_args
from uuid import UUID

from pydantic import Field, model_validator

from apps.kernel.request_models import RequestModel, fault
from apps.kernel.requested_values import NAME_CHARACTERS_MAX, Reason
from apps.simulation.commands import object_state
from apps.simulation.commands.agents import REMOVE_AGENT, request_removal
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.interventions import (
    TEXT_CHARACTERS_MAX,
    InnerVoiceBody,
    ObservationBody,
    request_intervention,
)
from apps.simulation.ports import Ports

OBJECT_STATE: Final = object_state.SET_OBJECT_STATE
OBJECT_CHARACTERS_MAX = 300


Kind = Literal["inner-voice", "observation", "set-object-state", "send-away"]


KINDS: Final = get_args(Kind)


class BranchIntervention(RequestModel):
    """A command that a branch begins with; it takes effect as soon as possible."""

    null_is_left_out: ClassVar[bool] = True
    kind: Kind
    """What the user does."""
    agent: Annotated[str, Field(max_length=NAME_CHARACTERS_MAX)] = ""
    """The slug of the agent; not with an object state."""
    object: Annotated[str, Field(max_length=OBJECT_CHARACTERS_MAX)] = ""
    """The object; with an object state only."""
    text: Annotated[str, Field(max_length=TEXT_CHARACTERS_MAX)] = ""
    """The thought, the observation, or the state of the object; not with `send-away`, by which
    the agent leaves."""
    alarming: bool | None = None
    """Whether the text is a danger, of an observation or a state; derived from its words if
    left out."""
    reason: Reason = ""
    """The reason; it is recorded in the event."""

    @model_validator(mode="after")
    def _names_what_it_is_about(self) -> "BranchIntervention":
        about, other = ("object", "agent") if self.kind == OBJECT_STATE else ("agent", "object")
        if not getattr(self, about) or getattr(self, other):
            raise fault(f"name the {about}, and nothing else", about)
        if (self.kind == REMOVE_AGENT) == bool(self.text):
            detail = "leave the text out" if self.text else "write the text"
            raise fault(detail, "text")
        return self


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
            alarming=one.alarming,
            issuer=issuer,
        )
    elif one.kind == REMOVE_AGENT:
        request_removal(branch, one.agent, issuer=issuer)
    elif one.kind == ObservationBody.kind:
        observation = ObservationBody(text=one.text, is_alarming=one.alarming)
        request_intervention(branch, one.agent, observation, issuer=issuer)
    else:
        voice = InnerVoiceBody(text=one.text)
        request_intervention(branch, one.agent, voice, issuer=issuer)
