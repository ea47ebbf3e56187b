"""Commands: what was asked, and what has become of it."""

from datetime import datetime
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.base import SimulationView
from apps.api.commanding import KINDS, Command, shown_command
from apps.api.fields import Choice, Slug
from apps.api.listing import (
    cursor_keys,
    is_descending,
    next_cursor,
    order_parameter,
    search_parameter,
)
from apps.api.openapi import NO_SUCH_PERSON
from apps.api.paging import Paged, listed, page_response, split_page
from apps.simulation.commands.command_log import CommandUnknown, get_command, list_commands
from apps.simulation.models import CommandRow


class CommandFilters(Paged):
    """Which commands."""

    kind = Choice(choices=KINDS, required=False, help_text="Those that ask for this.")
    state = Choice(
        choices=CommandRow.State.choices,
        required=False,
        help_text="Those of which this has become.",
    )
    agent = Slug(required=False, help_text="Those about this agent.")
    search = search_parameter("what was asked, reason, refusal")
    order = order_parameter("recorded_at", default="-recorded_at")


class Commands(SimulationView):
    """The commands of a simulation."""

    query = CommandFilters

    @extend_schema(
        operation_id="listCommands",
        summary="The commands and their outcomes, the latest first unless asked otherwise",
        tags=["simulations"],
        parameters=[CommandFilters],
        responses={200: listed(Command), **NO_SUCH_PERSON},
    )
    def get(self, request: Request, **_names: str) -> Response:
        """List the commands."""
        asked = self.asked
        self.reading.refuse_stranger(asked.get("agent"))
        keys = cursor_keys(self, datetime, UUID)
        rows = list_commands(
            self.reading.id,
            kind=asked.get("kind"),
            state=asked.get("state"),
            agent=asked.get("agent"),
            search=asked.get("search"),
            descending=is_descending(asked["order"]),
            after=None if keys is None else (keys[0], keys[1]),
        )
        page, more = split_page(rows, asked["limit"])
        shown = [shown_command(self, request, row) for row in page]
        last = page[-1] if more else None
        cursor = last and next_cursor(self, last.created_at, last.pk)
        return page_response(request, shown, next_page=cursor)


class OneCommand(SimulationView):
    """A command."""

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
        row = get_command(self.reading.id, command_id)
        return Response(shown_command(self, request, row))
