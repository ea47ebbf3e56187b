"""Interventions: inner voices and observations that users give to agents."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.operation import operation
from apps.api.http.simulation_views import AgentView
from apps.api.http.views import Errors
from apps.api.resources.commands import Command, CommandRequest, accepted_command, issuer_of
from apps.simulation.commands import interventions
from apps.simulation.commands.command_log import Issuer, TickPast
from apps.simulation.commands.interventions import UnusableText


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
        examples={
            "A candidacy": {
                "text": "You are going to run for mayor in the upcoming election",
                "reason": "to see who hears of it",
            }
        },
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
        examples={
            "An observation of a front end": {
                "text": "the sink in the kitchen is dripping",
                "at": "2023-02-13T07:10:00",
            }
        },
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Give an agent an observation; it remembers it and may react to it."""
        requested = self.body(Perceived)
        issuer = issuer_of(self, requested)
        observation = interventions.ObservationBody(
            text=requested.text, is_alarming=requested.alarming
        )
        return self.give(observation, issuer)
