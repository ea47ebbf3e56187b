"""The requests to control an agent or to visit, and the representations of embodiments."""

from typing import Annotated

from drf_spectacular.utils import extend_schema_serializer
from pydantic import Field
from rest_framework import serializers

from apps.api.http.fields import Choice, Clock, GameTime, Position, Serializer, Tick
from apps.api.resources.commands import Command, CommandRequest
from apps.api.resources.state import LastWords
from apps.simulation.commands.visit import Visitor
from apps.simulation.embodiment.requested_actions import (
    ACTION_NAMES,
    PATH_CHARACTERS_MAX,
    GivenAction,
)

STATES = ["pending", "refused", "open", "ended"]
OUTCOMES = ["open", "begun", "done", "refused"]


class Entry(CommandRequest):
    """The reason and the time of the control of an agent."""


class Visit(CommandRequest, Visitor):
    """A visitor to add to the simulation."""

    place: Annotated[str, Field(max_length=PATH_CHARACTERS_MAX)] = ""
    """The place of the arrival, by a unique name; on the street if left out."""

    def visitor(self) -> Visitor:
        """Return the visitor without the request."""
        return Visitor(**{name: getattr(self, name) for name in Visitor.model_fields})


class ActionRequest(CommandRequest, GivenAction):
    """An action of the embodied agent: one of the five."""


@extend_schema_serializer(component_name="Begun")
class Begun(Command):
    """The command that begins an embodiment."""

    id = serializers.IntegerField(
        source="body.embodiment", min_value=1, help_text="The embodiment's id."
    )


class EmbodimentShown(Serializer):
    """The control of an agent by a user, in a list."""

    id = serializers.IntegerField(source="number", min_value=1)
    agent = serializers.CharField(help_text="The agent's slug.")
    visitor = serializers.BooleanField(
        source="is_visitor", help_text="Whether the agent leaves at its end."
    )
    by = serializers.CharField()
    reason = serializers.CharField()
    state = Choice(choices=STATES)
    refusal = serializers.CharField(help_text="The reason of a rejection; empty otherwise.")
    start_at = GameTime(source="start_tick", allow_null=True)
    start_tick = Tick(allow_null=True)
    end_at = GameTime(source="end_tick", allow_null=True)
    end_tick = Tick(allow_null=True)


class AgentInView(Serializer):
    """An agent in view of the embodied agent."""

    slug = serializers.CharField()
    name = serializers.CharField()
    doing = serializers.CharField(help_text="A sentence.")
    distance = serializers.IntegerField(help_text="In tiles.")
    talking_with = serializers.CharField(allow_null=True, help_text="A slug.")


class ObjectInView(Serializer):
    """An object in view."""

    path = serializers.CharField()
    state = serializers.CharField()
    distance = serializers.IntegerField(help_text="In tiles.")


class SaidInTalk(LastWords):
    """An utterance."""

    to = serializers.CharField(help_text="A slug.")
    ends = serializers.BooleanField(help_text="Whether no reply is expected.")
    conversation = serializers.CharField()


class TalkInView(Serializer):
    """The conversation of the embodied agent, or one that another agent begins with it."""

    id = serializers.CharField()
    other = serializers.CharField(help_text="A slug.")
    by_phone = serializers.BooleanField(help_text="Whether it is held on the telephone.")
    awaits_answer = serializers.BooleanField(
        help_text="Whether the other agent spoke last and waits for a reply."
    )
    utterances = SaidInTalk(many=True)


class ActionAsked(Serializer):
    """A requested action and its outcome."""

    event = serializers.CharField(help_text="The event of the request.")
    kind = Choice(choices=ACTION_NAMES)
    asked = serializers.DictField(source="action.to_json", help_text="The body of the request.")
    effective_at = GameTime(source="tick")
    effective_tick = Tick(source="tick")
    outcome = Choice(choices=OUTCOMES)
    code = serializers.CharField(help_text="The code of a rejection; empty otherwise.")
    why = serializers.CharField(help_text="The reason of a rejection.")


class Standing(Serializer):
    """The position and the perception of the embodied agent, at the committed tick."""

    position = Position()
    place = serializers.CharField()
    action = serializers.CharField(help_text='Continues the sentence "<name> is".')
    emoji = serializers.CharField()
    agents = AgentInView(many=True)
    objects = ObjectInView(many=True)
    conversation = TalkInView(allow_null=True)


class EmbodimentDetail(EmbodimentShown):
    """The control of an agent by a user, with what the agent perceives."""

    clock = Clock()
    name = serializers.CharField()
    standing = Standing(
        allow_null=True, help_text="Null while the agent is not in the simulation."
    )
    heard = SaidInTalk(
        many=True,
        help_text="Recent utterances that the agent heard in full, in order: those to it, and "
        "those to others that it overheard.",
    )
    actions = ActionAsked(many=True, help_text="Recently requested actions, in order.")
