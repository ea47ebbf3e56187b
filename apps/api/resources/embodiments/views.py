"""Embodiments: begun for an agent or a visitor, listed, used for actions, ended (U4)."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http import listing
from apps.api.http.paging import Paged, page_of_items, page_response, split_page
from apps.api.http.simulation_views import AgentView, SimulationView
from apps.api.resources.commands import (
    Command,
    accepted_response,
    issuer_of,
    show_command,
)
from apps.api.resources.embodiments.presentation import (
    EmbodimentShown,
    show_embodiment,
)
from apps.api.resources.embodiments.requests import (
    ENTERING,
    VISITING,
    Entry,
    Visit,
)
from apps.simulation.commands.add_agent import NameTaken
from apps.simulation.commands.command_log import TickPast
from apps.simulation.commands.embodiments import AlreadyEmbodied, NeedsPace, list_embodiments
from apps.simulation.commands.embody import request_embodiment
from apps.simulation.commands.visit import NoPlaceToAppear, Visitor, request_visit
from apps.simulation.models import CommandRow
from apps.simulation.queries import WorldChanged
from apps.world.errors import AmbiguousPlace, UnknownPlace
from apps.world.newcomers import NewcomerUnfit


@extend_schema_serializer(component_name="Begun")
class Begun(Command):
    """A command that an embodiment begins with."""

    id = serializers.IntegerField(min_value=1, help_text="The embodiment's id.")


class Embody(AgentView):
    """The embodiment of an agent."""

    errors: ClassVar = {"POST": (NeedsPace, AlreadyEmbodied, TickPast)}

    @extend_schema(
        operation_id="embodyAgent",
        summary="Act for a person: from then on they do what you say, and decide nothing",
        tags=["entering the town"],
        request=Entry,
        responses={202: Begun},
        examples=ENTERING,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask to act for the person."""
        issuer = issuer_of(self, self.body(Entry))
        command = request_embodiment(self.context.id, self.agent_row.agent, issuer=issuer)
        return _begun(self, request, command)


class Visitors(SimulationView):
    """Visitors: agents without home or plan, present while a user controls them."""

    errors: ClassVar = {
        "POST": (
            NeedsPace,
            NameTaken,
            TickPast,
            WorldChanged,
            UnknownPlace,
            AmbiguousPlace,
            NoPlaceToAppear,
            NewcomerUnfit,
        )
    }

    @extend_schema(
        operation_id="visit",
        summary="Come to town as a visitor; under the name of an earlier one, as the same",
        tags=["entering the town"],
        request=Visit,
        responses={202: Begun},
        examples=VISITING,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask for the visitor to come."""
        requested = self.body(Visit)
        issuer = issuer_of(self, requested)
        place = requested.pop("place", "")
        command = request_visit(
            wiring.ports(), self.context.id, Visitor(**requested), place=place, issuer=issuer
        )
        return _begun(self, request, command)


class EmbodimentFilters(Paged):
    """Which embodiments, in which order."""

    search = listing.search_parameter("agent, user, reason, refusal")
    order = listing.order_parameter("id", default="id")


class Embodiments(SimulationView):
    """The embodiments of a simulation, ended ones included."""

    query = EmbodimentFilters

    @extend_schema(
        operation_id="listEmbodiments",
        summary="The embodiments of a simulation, by id",
        tags=["entering the town"],
        responses={200: page_of_items(EmbodimentShown)},
    )
    def get(self, request: Request, **_names: str) -> Response:
        """List them."""
        requested = self.parameters
        found = [
            one
            for one in list_embodiments(self.context.id)
            if listing.contains_text(
                requested.get("search"), one.agent, one.by, one.reason, one.refusal
            )
        ]
        after = listing.cursor_keys(self, int)
        rest = listing.page_of(
            found, lambda one: (one.number,), order=requested["order"], after=after
        )
        page, more = split_page(rest, requested["limit"])
        shown = [show_embodiment(self.context, one) for one in page]
        cursor = listing.next_cursor(self, page[-1].number) if more else None
        results = EmbodimentShown(shown, many=True).data
        return page_response(request, results, next_page=cursor)


def _begun(view: SimulationView, request: Request, command: CommandRow) -> Response:
    """Answer 202 with the id of the embodiment."""
    shown = {"id": command.body["embodiment"], **show_command(view, request, command)}
    return accepted_response(shown)
