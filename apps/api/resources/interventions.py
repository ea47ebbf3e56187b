"""Interventions: inner voices and observations that users give to agents."""

from typing import ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Text
from apps.api.http.simulation_views import AgentView
from apps.api.resources.commands import Command, CommandRequest, accepted_command, issuer_of
from apps.simulation.commands import interventions
from apps.simulation.commands.command_log import TickPast
from apps.simulation.commands.interventions import UnusableText


class Thought(CommandRequest):
    """What an inner voice says."""

    text = Text(
        max_length=interventions.TEXT_CHARACTERS_MAX,
        help_text="Mostly in the second person: it is taken as the person's own thought.",
    )


class Perceived(CommandRequest):
    """What a person is to perceive."""

    text = Text(
        max_length=interventions.TEXT_CHARACTERS_MAX,
        help_text="A sentence as the person would remember it: who or what does or is what.",
    )
    alarming = serializers.BooleanField(
        required=False,
        help_text="Whether it is a danger, which wakes sleepers and interrupts conversations; "
        "judged by English words for fire, flood and gas if left out.",
    )


_CANDIDACY = OpenApiExample(
    "A candidacy",
    {
        "text": "You are going to run for mayor in the upcoming election",
        "reason": "to see who hears of it",
    },
    request_only=True,
)
_DRIPPING = OpenApiExample(
    "What a front-end saw",
    {"text": "the sink in the kitchen is dripping", "at": "2023-02-13T07:10:00"},
    request_only=True,
)


class InnerVoice(AgentView):
    """The inner voice of an agent."""

    errors: ClassVar = {"POST": (TickPast, UnusableText)}

    @extend_schema(
        operation_id="giveInnerVoice",
        summary="Have a person think something as their own thought, and plan anew for it",
        tags=["people"],
        request=Thought,
        responses={202: Command},
        examples=[_CANDIDACY],
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask for the thought."""
        requested = self.body(Thought)
        issuer = issuer_of(self, requested)
        thought = interventions.InnerVoiceBody(text=requested["text"])
        command = interventions.request_intervention(
            self.context.id, self.agent_row.agent, thought, issuer=issuer
        )
        return accepted_command(self, request, command)


class Observations(AgentView):
    """Observations that a user gives to an agent."""

    errors: ClassVar = {"POST": (TickPast, UnusableText)}

    @extend_schema(
        operation_id="giveObservation",
        summary="Have a person perceive something; they remember it and may react to it",
        tags=["people"],
        request=Perceived,
        responses={202: Command},
        examples=[_DRIPPING],
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask for the observation."""
        requested = self.body(Perceived)
        issuer = issuer_of(self, requested)
        observation = interventions.ObservationBody(
            text=requested["text"], is_alarming=requested.get("alarming")
        )
        command = interventions.request_intervention(
            self.context.id, self.agent_row.agent, observation, issuer=issuer
        )
        return accepted_command(self, request, command)
