"""States of objects that users set."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.fields import Text
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.commands import Command, CommandRequest, accepted_command, issuer_of
from apps.simulation.commands import object_state
from apps.simulation.commands.command_log import TickPast
from apps.simulation.commands.object_state import UnusableState
from apps.simulation.queries import WorldChanged
from apps.world.errors import AmbiguousPlace, UnknownPlace

NAME_CHARACTERS_MAX = 300
STATEMENT_CHARACTERS_MAX = 600


class NewState(CommandRequest):
    """Which object is to be in which state: `object` and `state`, or both in `text`."""

    object_ = Text(
        max_length=NAME_CHARACTERS_MAX,
        required=False,
        help_text="Its path, or any name that is its own alone, with or without < and >.",
    )
    state = Text(
        max_length=object_state.STATE_CHARACTERS_MAX,
        required=False,
        help_text='What follows "<object> is": "burning".',
    )
    text = Text(
        max_length=STATEMENT_CHARACTERS_MAX,
        required=False,
        help_text='A statement: "<Isabella\'s apartment: kitchen: stove> is burning".',
    )
    alarming = serializers.BooleanField(
        required=False,
        help_text="Whether it is a danger, which wakes sleepers and interrupts conversations; "
        "judged by English words for fire, flood and gas if left out.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Take one form, whole."""
        named = {"object", "state"} & set(attrs)
        if ("text" in attrs) == bool(named) or len(named) == 1:
            raise serializers.ValidationError(
                "give either object and state, or text, and not both", code="one-form"
            )
        return attrs


_BURNING = OpenApiExample(
    "A burning stove",
    {"object": "Isabella Rodriguez's apartment: kitchen: stove", "state": "burning"},
    request_only=True,
)
_BURNING_TEXT = OpenApiExample(
    "The same in one sentence",
    {"text": "<Isabella's apartment: kitchen: stove> is burning", "reason": "a fire drill"},
    request_only=True,
)


class ObjectState(SimulationView):
    """The state of an object."""

    errors: ClassVar = {
        "POST": (TickPast, WorldChanged, UnknownPlace, AmbiguousPlace, UnusableState)
    }

    @extend_schema(
        operation_id="setObjectState",
        summary="Rewrite an object's state; people near it notice at the next moment",
        tags=["people"],
        request=NewState,
        responses={202: Command},
        examples=[_BURNING, _BURNING_TEXT],
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask for the state."""
        requested = self.body(NewState)
        issuer = issuer_of(self, requested)
        tree = self.context.constants().world.tree
        if "text" in requested:
            words, state = object_state.parse_statement(tree, requested["text"])
        else:
            words, state = requested["object"], requested["state"]
        command = object_state.request_object_state(
            wiring.ports(),
            self.context.id,
            object_name=words,
            state=state,
            alarming=requested.get("alarming"),
            issuer=issuer,
        )
        return accepted_command(self, request, command)
