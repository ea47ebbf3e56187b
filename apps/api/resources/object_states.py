"""States of objects that users set."""

from typing import Annotated

from pydantic import Field, model_validator
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.operation import operation
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.commands import (
    PLACE_ERRORS,
    Command,
    CommandRequest,
    accepted_command,
    issuer_of,
)
from apps.kernel.request_models import fault
from apps.simulation.commands import object_state
from apps.simulation.commands.command_log import TickPast
from apps.simulation.commands.object_state import UnusableState

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
