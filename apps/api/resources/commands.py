"""Commands: the fields of every request for one, the response 202, and their list."""

from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http.fields import (
    Choice,
    ResourceURL,
    Serializer,
    SlugParameter,
    Strict,
    Tick,
)
from apps.api.http.lists import (
    ListView,
    Paged,
    order_parameter,
    page_of_items,
    search_parameter,
)
from apps.api.http.simulation_context import parse_resource_id
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import operation
from apps.kernel.request_models import RequestModel
from apps.kernel.requested_values import FirstTickFrom, Reason
from apps.llm.catalogue import ModelNotAllowed
from apps.llm.model_spec import UnknownModel
from apps.llm.prices import PriceUnknown
from apps.simulation.commands.command_log import (
    CommandUnknown,
    Issuer,
    get_command,
    list_commands,
)
from apps.simulation.commands.registry import COMMANDS
from apps.simulation.models import CommandRow
from apps.simulation.queries import WorldChanged
from apps.world.problems import AmbiguousPlace, UnknownPlace

PLACE_ERRORS = (WorldChanged, UnknownPlace, AmbiguousPlace)
"""The errors of a command that names a place."""
MODEL_ERRORS = (UnknownModel, ModelNotAllowed, PriceUnknown)
"""The errors of a command that names a model."""
KINDS = list(COMMANDS)


class CommandRequest(RequestModel):
    """The fields of every command."""

    at: FirstTickFrom | None = None
    """The game time at which it takes effect; as soon as possible if left out."""
    reason: Reason = ""
    """The reason; it is recorded in the event."""


# A component with a member of its own name shadows the class in generated clients.
@extend_schema_serializer(component_name="CommandStatus")
class Command(Serializer):
    """A command and its outcome."""

    command = serializers.UUIDField(source="pk")
    status_url = ResourceURL("getCommand", simulation="simulation_id", command="pk")
    kind = Choice(choices=KINDS)
    agent = serializers.CharField(help_text="The slug of the agent that it is about.")
    asked = serializers.DictField(
        child=serializers.JSONField(),
        source="body",
        help_text="The body as understood: the object, the text.",
    )
    state = Choice(choices=CommandRow.State)
    by = serializers.CharField()
    reason = serializers.CharField()
    effective_tick = Tick(
        allow_null=True, help_text="When it takes effect, once that is known."
    )
    refusal = serializers.CharField(help_text="The reason of a rejection; empty otherwise.")
    requested_tick = Tick(
        source="at_tick",
        allow_null=True,
        help_text="The requested time; null: as soon as possible.",
    )
    recorded_at = serializers.DateTimeField(
        source="created_at", help_text="By the service's clock."
    )


def issuer_of(view: SimulationView, requested: CommandRequest | None = None) -> Issuer:
    """Return issuer, reason and time of a command."""
    requested = requested or CommandRequest()
    return Issuer(by=view.user.get_username(), reason=requested.reason, at_tick=requested.at)


def accepted_command(view: SimulationView, command: CommandRow) -> Response:
    """Return the response 202 with a command."""
    return accepted_response(view.represent(Command, command))


def accepted_response(shown: dict[str, Any]) -> Response:
    """Return the response 202 with a resource, whose Location is its `status_url`."""
    headers = {"Location": shown["status_url"]}
    return Response(shown, status=HTTPStatus.ACCEPTED, headers=headers)


class CommandFilters(Paged):
    """The filters and the order of commands."""

    kind = Choice(choices=KINDS, required=False, help_text="Only commands of this kind.")
    state = Choice(
        choices=CommandRow.State,
        required=False,
        help_text="Only commands in this state.",
    )
    agent = SlugParameter(required=False, help_text="Only commands about this agent.")
    search = search_parameter("body, reason, refusal")
    order = order_parameter("recorded_at", default="-recorded_at")


class Commands(ListView, SimulationView):
    """The commands of a simulation."""

    query = CommandFilters

    @operation(
        "listCommands",
        "/commands",
        "simulations",
        page_of_items(Command),
        errors=(AgentUnknown,),
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the commands and their outcomes, by default the latest first."""
        self.context.require_known_agent(self.parameters.get("agent"))
        filters = self.filters("kind", "state", "agent", "search")
        rows = list_commands(self.context.id, **filters)
        return self.page(rows, Command, recorded_at=("created_at", "pk"))


class OneCommand(SimulationView):
    """A command and its outcome."""

    query = Strict

    @operation(
        "getCommand", "/commands/{command}", "simulations", Command, errors=(CommandUnknown,)
    )
    def get(self, request: Request, command: str, **_names: str) -> Response:
        """Show the outcome of a command."""
        command_id = parse_resource_id(command, CommandUnknown, "there is no command")
        return Response(self.represent(Command, get_command(self.context.id, command_id)))
