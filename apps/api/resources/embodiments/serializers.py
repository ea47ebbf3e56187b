"""The requests to control an agent or to visit, and the representations of embodiments."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.agents.acts import ActKind
from apps.agents.speech import UTTERANCE_CHARACTERS_MAX
from apps.api.http.fields import (
    NAME_CHARACTERS_MAX,
    Choice,
    Clock,
    GameTime,
    Position,
    Serializer,
    Strict,
    Text,
    Tick,
    Whole,
)
from apps.api.resources.agents.serializers import (
    PATH_CHARACTERS_MAX,
)
from apps.api.resources.commands import Command, CommandRequest
from apps.api.resources.state import LastWords
from apps.kernel import names
from apps.planning.checks import EMOJI_CHARACTERS_MAX, STATE_CHARACTERS_MAX
from apps.simulation.commands.embodied_action import DOING_CHARACTERS_MAX
from apps.simulation.commands.visit import VISITOR_AGE
from apps.simulation.embodiment.rules import RequestKind
from apps.world.people import (
    AGE_MAX,
    DESCRIPTION_CHARACTERS_MAX,
    TRAIT_CHARACTERS_MAX,
    TRAITS_MAX,
)

MINUTES_DEFAULT, MINUTES_MAX = 10, 24 * 60
COORDINATE_MAX = 100_000
STATES = ["pending", "refused", "open", "ended"]
ACTION_KINDS = [
    RequestKind.MOVE.value,
    RequestKind.SAY.value,
    RequestKind.ACT.value,
    RequestKind.WITH_AGENT.value,
    RequestKind.OPEN.value,
]
# An embodied agent talks by the utterances of its user.
REQUESTABLE_ACTS = [
    kind.value
    for kind in ActKind
    if kind not in {ActKind.NONE, ActKind.TOGETHER} and not kind.is_said
]
OUTCOMES = ["open", "begun", "done", "refused"]


class Entry(CommandRequest):
    """The reason and the time of the control of an agent."""


class Visit(CommandRequest):
    """A visitor to add to the simulation."""

    name = Text(
        max_length=names.NAME_CHARACTERS_MAX,
        help_text="Letters, single spaces, hyphens and apostrophes. The name of an earlier "
        "visit means the same visitor.",
    )
    age = Whole(
        required=False,
        min_value=0,
        max_value=AGE_MAX,
        default=VISITOR_AGE,
        help_text="In years.",
    )
    traits = serializers.ListField(
        child=Text(max_length=TRAIT_CHARACTERS_MAX),
        required=False,
        max_length=TRAITS_MAX,
        help_text="Innate traits, a word or two each.",
    )
    description = Text(
        required=False,
        max_length=DESCRIPTION_CHARACTERS_MAX,
        help_text="Phrases between semicolons; each becomes one of the first memories.",
    )
    place = Text(
        required=False,
        max_length=PATH_CHARACTERS_MAX,
        help_text="The place of the arrival, by a unique name; on the street if left out.",
    )


def _require_one_of(attrs: dict[str, Any], *names: str) -> dict[str, Any]:
    if len([name for name in names if name in attrs]) != 1:
        raise serializers.ValidationError(
            f"give one of {', '.join(names)}, and no more than one", code="one-of"
        )
    return attrs


class Tile(Strict):
    """A tile of the map; (0, 0) is the top left."""

    x = Whole(min_value=0, max_value=COORDINATE_MAX)
    y = Whole(min_value=0, max_value=COORDINATE_MAX)


class Walk(Strict):
    """The destination of a walk: a node of the world, or a tile."""

    to = Text(
        required=False,
        max_length=PATH_CHARACTERS_MAX,
        help_text="A place, an area or an object, by a unique name.",
    )
    tile = Tile(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that there is one of the two."""
        return _require_one_of(attrs, "to", "tile")


class Utterance(Strict):
    """The text to say, and the listener."""

    text = Text(max_length=UTTERANCE_CHARACTERS_MAX)
    to = Text(
        required=False,
        max_length=NAME_CHARACTERS_MAX,
        help_text="A slug; the partner of the conversation, or the last speaker, if left out.",
    )
    ends = serializers.BooleanField(
        required=False, default=False, help_text="Whether no reply is expected."
    )
    by_phone = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Whether to call the agent `to` where it is not in view, if the world has "
        "telephones. It hears the words when it answers, after two minutes; the reply is in "
        "`heard`, and is answered with `say`.",
    )
    to_all = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Whether the words are said to all agents in view that are free; `to` is "
        "the one that is to answer.",
    )


class Use(Strict):
    """An activity with an object, and its duration."""

    object = Text(max_length=PATH_CHARACTERS_MAX, help_text="By a unique name.")
    doing = Text(max_length=DOING_CHARACTERS_MAX, help_text='Continues "<name> is".')
    minutes = Whole(required=False, min_value=1, max_value=MINUTES_MAX, default=MINUTES_DEFAULT)
    state = Text(
        required=False,
        max_length=STATE_CHARACTERS_MAX,
        help_text='The state of the object meanwhile, such as "brewing coffee".',
    )
    emoji = Text(
        required=False,
        max_length=EMOJI_CHARACTERS_MAX,
        help_text="One or two emoji that show the action.",
    )


class WithAgent(Strict):
    """An act with another agent, or a thing left for others."""

    kind = Choice(
        choices=REQUESTABLE_ACTS,
        help_text="`look for` walks through the places where the agent may be; `wait for` "
        "stays until it comes into view; `follow` walks where it walks; what is given or left "
        "stays at the object.",
    )
    agent = Text(
        required=False,
        max_length=NAME_CHARACTERS_MAX,
        help_text="A slug; needed for all kinds but `leave`.",
    )
    thing = Text(
        required=False,
        max_length=DOING_CHARACTERS_MAX,
        help_text="What is given or left.",
    )
    object = Text(
        required=False,
        max_length=PATH_CHARACTERS_MAX,
        help_text="Where the thing stays, by a unique name.",
    )
    state = Text(
        required=False,
        max_length=STATE_CHARACTERS_MAX,
        help_text='The state of the object from then on; "holding <thing>" if left out.',
    )
    minutes = Whole(
        required=False,
        min_value=1,
        max_value=MINUTES_MAX,
        default=MINUTES_DEFAULT,
        help_text="The longest time to wait or to follow.",
    )


class Opening(Strict):
    """The opening of the door of the agent's home, or of its private room, to a visitor."""

    to = Text(max_length=NAME_CHARACTERS_MAX, help_text="The slug of the agent at the door.")


class Action(CommandRequest):
    """An action of the embodied agent: one of the five."""

    move = Walk(required=False)
    say = Utterance(required=False)
    act = Use(required=False)
    with_agent = WithAgent(required=False)
    open = Opening(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that there is one of the five."""
        return _require_one_of(attrs, "move", "say", "act", "with_agent", "open")


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
    kind = Choice(choices=ACTION_KINDS)
    asked = serializers.DictField(source="body", help_text="The body of the request.")
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
