"""The requests to control an agent or to visit, and their examples."""

from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from apps.api.http.fields import NAME_CHARACTERS_MAX, Strict, Text, Whole
from apps.api.resources.agents.requests import (
    AGE_MAX,
    DESCRIPTION_CHARACTERS_MAX,
    LIST_MAX,
    PATH_CHARACTERS_MAX,
)
from apps.api.resources.commands import CommandRequest
from apps.dialogue.rules import UTTERANCE_CHARACTERS_MAX
from apps.kernel import names
from apps.simulation.commands.embodied_action import DOING_CHARACTERS_MAX
from apps.simulation.commands.visit import VISITOR_AGE

MINUTES_DEFAULT, MINUTES_MAX = 10, 24 * 60
COORDINATE_MAX = 100_000


class Visit(CommandRequest):
    """A visitor to add to the simulation."""

    name = Text(
        max_length=names.NAME_CHARACTERS_MAX,
        help_text="Letters, single spaces, hyphens and apostrophes. That of an earlier visit: "
        "the same visitor.",
    )
    age = Whole(
        required=False,
        min_value=0,
        max_value=AGE_MAX,
        default=VISITOR_AGE,
        help_text="In years.",
    )
    traits = serializers.ListField(
        child=Text(max_length=NAME_CHARACTERS_MAX),
        required=False,
        max_length=LIST_MAX,
        help_text="Words that describe them.",
    )
    description = Text(
        required=False,
        max_length=DESCRIPTION_CHARACTERS_MAX,
        help_text="Phrases between semicolons; each becomes a memory that they begin with.",
    )
    place = Text(
        required=False,
        max_length=PATH_CHARACTERS_MAX,
        help_text="Where they appear, by any name that is its own; on the street if left out.",
    )


class Tile(Strict):
    """A tile of the map; (0, 0) is the top left."""

    x = Whole(min_value=0, max_value=COORDINATE_MAX)
    y = Whole(min_value=0, max_value=COORDINATE_MAX)


class Walk(Strict):
    """Where to walk: to what is named, or to a tile."""

    to = Text(
        required=False,
        max_length=PATH_CHARACTERS_MAX,
        help_text="A place, an area or an object, by any name that is its own.",
    )
    tile = Tile(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse anything but one of the two."""
        return _one_of(attrs, ("to", "tile"))


class Utterance(Strict):
    """The words to say, and the listener."""

    text = Text(max_length=UTTERANCE_CHARACTERS_MAX)
    to = Text(
        required=False,
        max_length=NAME_CHARACTERS_MAX,
        help_text="A slug; the partner of the conversation, or the last speaker, if left out.",
    )
    ends = serializers.BooleanField(
        required=False, default=False, help_text="Whether no answer is waited for."
    )


class Use(Strict):
    """What to do, with what, for how long."""

    object = Text(max_length=PATH_CHARACTERS_MAX, help_text="By any name that is its own.")
    doing = Text(max_length=DOING_CHARACTERS_MAX, help_text='What follows "<name> is".')
    minutes = Whole(required=False, min_value=1, max_value=MINUTES_MAX, default=MINUTES_DEFAULT)


class Action(CommandRequest):
    """What the person is to do: one of the three."""

    move = Walk(required=False)
    say = Utterance(required=False)
    act = Use(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse anything but one of the three."""
        return _one_of(attrs, ("move", "say", "act"))


class Entry(CommandRequest):
    """The reason and the time of the control of an agent."""


def _one_of(attrs: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    inputs = [name for name in names if name in attrs]
    if len(inputs) != 1:
        raise serializers.ValidationError(
            f"give one of {', '.join(names)}, and no more than one", code="one-of"
        )
    return attrs


ENTERING = [
    OpenApiExample("For a while", {"reason": "to see how others answer him"}, request_only=True)
]
VISITING = [
    OpenApiExample(
        "Somebody passing through",
        {
            "name": "Ada Finch",
            "description": "Ada Finch writes a book about small towns",
            "place": "Hobbs Cafe",
            "reason": "to see how she is received",
        },
        request_only=True,
    )
]
ACTING = [
    OpenApiExample("Walk", {"move": {"to": "Hobbs Cafe: cafe"}}, request_only=True),
    OpenApiExample("Walk to a tile", {"move": {"tile": {"x": 70, "y": 20}}}, request_only=True),
    OpenApiExample(
        "Say", {"say": {"text": "Good morning!", "to": "isabella-rodriguez"}}, request_only=True
    ),
    OpenApiExample(
        "Act",
        {"act": {"object": "Hobbs Cafe: cafe: piano", "doing": "playing the piano"}},
        request_only=True,
    ),
]
