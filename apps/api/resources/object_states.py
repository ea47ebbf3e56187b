"""States of objects that users set."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.fields import Text
from apps.api.http.operation import operation
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.commands import (
    PLACE_ERRORS,
    Command,
    CommandRequest,
    accepted_command,
    issuer_of,
)
from apps.api.resources.interventions import alarming_field
from apps.simulation.commands import object_state
from apps.simulation.commands.command_log import TickPast
from apps.simulation.commands.object_state import UnusableState

NAME_CHARACTERS_MAX = 300
STATEMENT_CHARACTERS_MAX = 600


class NewState(CommandRequest):
    """An object and its state: `object` and `state`, or both in `text`."""

    object_ = Text(
        max_length=NAME_CHARACTERS_MAX,
        required=False,
        help_text="Its path, or a name that no other object has, with or without < and >.",
    )
    state = Text(
        max_length=object_state.STATE_CHARACTERS_MAX,
        required=False,
        help_text='Continues the sentence "<object> is": "burning".',
    )
    text = Text(
        max_length=STATEMENT_CHARACTERS_MAX,
        required=False,
        help_text='A statement: "<Isabella\'s apartment: kitchen: stove> is burning".',
    )
    alarming = alarming_field()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that there is one of the two forms."""
        named = {"object", "state"} & set(attrs)
        if ("text" in attrs) == bool(named) or len(named) == 1:
            raise serializers.ValidationError(
                "give either object and state, or text, and not both", code="one-form"
            )
        return attrs


class ObjectState(SimulationView):
    """The state of an object."""

    @operation(
        "setObjectState",
        "/objects/state",
        "agents",
        {202: Command},
        request=NewState,
        examples={
            "A burning stove": {
                "object": "Isabella Rodriguez's apartment: kitchen: stove",
                "state": "burning",
            },
            "The same in one sentence": {
                "text": "<Isabella's apartment: kitchen: stove> is burning",
                "reason": "a fire drill",
            },
        },
        errors=(TickPast, *PLACE_ERRORS, UnusableState),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Set an object's state; agents near it notice at the next moment."""
        requested = self.body(NewState)
        issuer = issuer_of(self, requested)
        tree = self.context.constants().world.tree
        if "text" in requested:
            name, state = object_state.parse_statement(tree, requested["text"])
        else:
            name, state = requested["object"], requested["state"]
        command = object_state.request_object_state(
            wiring.ports(),
            self.context.id,
            object_name=name,
            state=state,
            alarming=requested.get("alarming"),
            issuer=issuer,
        )
        return accepted_command(self, command)
