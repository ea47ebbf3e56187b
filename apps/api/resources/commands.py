"""Commands: what every request for one takes, the answer 202, and their list."""

from datetime import datetime
from http import HTTPStatus
from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http import listing
from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import Choice, GameTime, Moment, Renaming, Slug, Strict, Text, Tick
from apps.api.http.paging import Paged, page_of_items, page_response, split_page
from apps.api.http.simulation_views import SimulationView
from apps.simulation.commands.command_log import (
    CommandUnknown,
    Issuer,
    get_command,
    list_commands,
)
from apps.simulation.commands.registry import COMMANDS
from apps.simulation.models import CommandRow

REASON_CHARACTERS_MAX = 500
KINDS = list(COMMANDS)


class CommandRequest(Strict):
    """What every command takes besides what it is about."""

    at = Moment(
        required=False,
        help_text="The game time it is to take effect; as soon as possible if left out.",
    )
    reason = Text(
        max_length=REASON_CHARACTERS_MAX,
        required=False,
        help_text="Why; it stands in the event ever after.",
    )


# A component with a member of its own name shadows the class in generated clients.
@extend_schema_serializer(component_name="CommandStatus")
class Command(Renaming):
    """What was asked for, and what has become of it."""

    command = serializers.UUIDField()
    status_url = serializers.URLField()
    kind = Choice(choices=KINDS)
    agent = serializers.CharField(help_text="The slug of the person that it is about.")
    asked = serializers.DictField(
        child=serializers.JSONField(),
        help_text="What was asked for in particular, as understood: the object, the words.",
    )
    state = Choice(choices=CommandRow.State.choices)
    by = serializers.CharField()
    reason = serializers.CharField()
    at = GameTime(allow_null=True, **deprecated_name_of("requested_at"))
    effective_tick = serializers.IntegerField(
        allow_null=True, help_text="The tick that it takes effect at, once that is known."
    )
    refusal = serializers.CharField(help_text="Why it was refused; empty if it was not.")
    requested_at = GameTime(
        allow_null=True, help_text="For when it was asked for; null: as soon as possible."
    )
    requested_tick = Tick(allow_null=True)
    effective_at = GameTime(allow_null=True, help_text="The game time of effective_tick.")
    recorded_at = serializers.DateTimeField(help_text="By the service's clock.")


def issuer_of(view: SimulationView, requested: dict[str, Any]) -> Issuer:
    """Return issuer, reason and time of a command; take the latter two out of the values."""
    return Issuer(
        by=view.user.get_username(),
        reason=requested.pop("reason", ""),
        at_tick=requested.pop("at", None),
    )


def accepted_command(view: SimulationView, request: Request, command: CommandRow) -> Response:
    """Return the response 202 with the command and its address."""
    return accepted_response(show_command(view, request, command))


def accepted_response(shown: dict[str, Any]) -> Response:
    """Return the answer 202 with the resource, which has a `status_url`, as its Location."""
    headers = {"Location": shown["status_url"]}
    return Response(shown, status=HTTPStatus.ACCEPTED, headers=headers)


def show_command(view: SimulationView, request: Request, row: CommandRow) -> dict[str, Any]:
    """Return the representation of a command."""
    names = {"simulation": view.context.id, "command": row.pk}
    members = {
        "command": row.pk,
        "status_url": request.build_absolute_uri(reverse("command", kwargs=names)),
        "kind": row.kind,
        "agent": row.agent,
        "asked": row.body,
        "state": row.state,
        "by": row.by,
        "reason": row.reason,
        **view.context.moment("requested", row.at_tick),
        **view.context.moment("effective", row.effective_tick),
        "recorded_at": row.created_at,
        "refusal": row.refusal,
    }
    return dict(Command(members).data)


class CommandFilters(Paged):
    """Which commands."""

    kind = Choice(choices=KINDS, required=False, help_text="Those that ask for this.")
    state = Choice(
        choices=CommandRow.State.choices,
        required=False,
        help_text="Those of which this has become.",
    )
    agent = Slug(required=False, help_text="Those about this agent.")
    search = listing.search_parameter("what was asked, reason, refusal")
    order = listing.order_parameter("recorded_at", default="-recorded_at")


class Commands(SimulationView):
    """The commands of a simulation."""

    errors: ClassVar = {"GET": (AgentUnknown,)}
    query = CommandFilters

    @extend_schema(
        operation_id="listCommands",
        summary="The commands and their outcomes, the latest first unless asked otherwise",
        tags=["simulations"],
        responses={200: page_of_items(Command)},
    )
    def get(self, request: Request, **_names: str) -> Response:
        """List the commands."""
        requested = self.parameters
        self.context.require_known_agent(requested.get("agent"))
        keys = listing.cursor_keys(self, datetime, UUID)
        rows = list_commands(
            self.context.id,
            kind=requested.get("kind"),
            state=requested.get("state"),
            agent=requested.get("agent"),
            search=requested.get("search"),
            descending=listing.is_descending(requested["order"]),
            after=None if keys is None else (keys[0], keys[1]),
        )
        page, more = split_page(rows, requested["limit"])
        shown = [show_command(self, request, row) for row in page]
        last = page[-1] if more else None
        cursor = last and listing.next_cursor(self, last.created_at, last.pk)
        return page_response(request, shown, next_page=cursor)


class OneCommand(SimulationView):
    """A command."""

    errors: ClassVar = {"GET": (CommandUnknown,)}

    @extend_schema(
        operation_id="getCommand",
        summary="What has become of a command",
        tags=["simulations"],
        responses={200: Command},
    )
    def get(self, request: Request, *, command: str, **_names: str) -> Response:
        """Show the command."""
        try:
            command_id = UUID(command)
        except ValueError:
            raise CommandUnknown(f"there is no command {command[:80]!r}") from None
        row = get_command(self.context.id, command_id)
        return Response(show_command(self, request, row))
