"""Interventions: inner voices, observations, and states of objects that users set."""

from typing import Annotated, ClassVar

from pydantic import Field, model_validator
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.simulation_views import AgentView, SimulationView
from apps.api.http.views import Errors, operation
from apps.api.resources.commands import (
    PLACE_ERRORS,
    Command,
    CommandRequest,
    accepted_command,
    issuer_of,
)
from apps.kernel.request_models import fault
from apps.simulation.commands import interventions, object_state
from apps.simulation.commands.command_log import Issuer, TickPast
from apps.simulation.commands.interventions import UnusableText
from apps.simulation.commands.object_state import UnusableState


class Thought(CommandRequest):
    """The text of an inner voice."""

    text: interventions.Text
    """Mostly in the second person: it becomes the agent's own thought."""


class Perceived(CommandRequest):
    """An observation for an agent."""

    text: interventions.Text
    """A sentence with subject and verb, as the agent would remember it."""
    alarming: bool | None = None
    """Whether it is a danger, which wakes agents and interrupts conversations; judged by
    English words for fire, flood and gas if left out."""


class _InterventionView(AgentView):
    errors: ClassVar[Errors] = (TickPast, UnusableText)

    def give(
        self,
        body: interventions.InnerVoiceBody | interventions.ObservationBody,
        issuer: Issuer,
    ) -> Response:
        """Request the intervention."""
        command = interventions.request_intervention(
            self.context.id, self.agent_row.agent, body, issuer=issuer
        )
        return accepted_command(self, command)


class InnerVoice(_InterventionView):
    """The inner voice of an agent."""

    @operation(
        "giveInnerVoice",
        "/inner-voice",
        "agents",
        {202: Command},
        request=Thought,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Give an agent a thought as its own; it plans the rest of the day again for it."""
        requested = self.body(Thought)
        issuer = issuer_of(self, requested)
        thought = interventions.InnerVoiceBody(text=requested.text)
        return self.give(thought, issuer)


class Observations(_InterventionView):
    """Observations that a user gives to an agent."""

    @operation(
        "giveObservation",
        "/observations",
        "agents",
        {202: Command},
        request=Perceived,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Give an agent an observation; it remembers it and may react to it."""
        requested = self.body(Perceived)
        issuer = issuer_of(self, requested)
        observation = interventions.ObservationBody(
            text=requested.text, is_alarming=requested.alarming
        )
        return self.give(observation, issuer)


NAME_CHARACTERS_MAX = 300
STATEMENT_CHARACTERS_MAX = 600


class NewState(CommandRequest):
    """An object and its state: `object` and `state`, or both in `text`."""

    object: Annotated[str, Field(max_length=NAME_CHARACTERS_MAX)] = ""
    """Its path, or a name that no other object has, with or without < and >."""
    state: Annotated[str, Field(max_length=object_state.STATE_CHARACTERS_MAX)] = ""
    """Continues the sentence "<object> is": "burning"."""
    text: Annotated[str, Field(max_length=STATEMENT_CHARACTERS_MAX)] = ""
    """A statement: "<Isabella's apartment: kitchen: stove> is burning"."""
    alarming: bool | None = None
    """Whether it is a danger, which wakes agents and interrupts conversations; judged by
    English words for fire, flood and gas if left out."""

    @model_validator(mode="after")
    def _has_one_form(self) -> "NewState":
        if bool(self.object) != bool(self.state) or bool(self.text) == bool(self.object):
            raise fault("give either object and state, or text, and not both", "one-form")
        return self


class ObjectState(SimulationView):
    """The state of an object."""

    @operation(
        "setObjectState",
        "/objects/state",
        "agents",
        {202: Command},
        request=NewState,
        errors=(TickPast, *PLACE_ERRORS, UnusableState),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Set an object's state; agents near it notice at the next moment."""
        requested = self.body(NewState)
        issuer = issuer_of(self, requested)
        tree = self.context.constants().world.tree
        name, state = requested.object, requested.state
        if requested.text:
            name, state = object_state.parse_statement(tree, requested.text)
        command = object_state.request_object_state(
            wiring.ports(),
            self.context.id,
            object_name=name,
            state=state,
            alarming=requested.alarming,
            issuer=issuer,
        )
        return accepted_command(self, command)
