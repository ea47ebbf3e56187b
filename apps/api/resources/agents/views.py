"""The agents of a simulation: listed, added, shown and removed."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.models import AgentRow
from apps.agents.track import Track
from apps.api.http import listing
from apps.api.http.paging import Paged, page_of_items, page_response, split_page
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import AgentView, SimulationView
from apps.api.resources.agents.presentation import (
    Agent,
    AgentDetail,
    Summary,
    detail_agent,
    show_agent,
    show_summary,
)
from apps.api.resources.agents.requests import EXAMPLE_OF_AGENT, Newcomer
from apps.api.resources.commands import Command, accepted_command, issuer_of
from apps.memory.summary.queries import current_summary
from apps.simulation.commands.add_agent import NameTaken, request_agent
from apps.simulation.commands.command_log import TickPast
from apps.simulation.commands.remove_agent import Embodied, LastPerson, request_removal
from apps.simulation.queries import WorldChanged
from apps.world.errors import AmbiguousPlace, UnknownPlace
from apps.world.newcomers import NewcomerUnfit


class AgentFilters(Paged):
    """Which agents, in which order."""

    search = listing.search_parameter("name, traits, description")
    order = listing.order_parameter("slug", default="slug")


class Agents(SimulationView):
    """The agents of a simulation."""

    errors: ClassVar = {
        "POST": (NameTaken, TickPast, WorldChanged, UnknownPlace, AmbiguousPlace, NewcomerUnfit)
    }
    query = AgentFilters

    @extend_schema(
        operation_id="listAgents",
        summary="The agents of a simulation, by slug",
        tags=["people"],
        responses={200: page_of_items(Agent)},
    )
    def get(self, request: Request, **_names: str) -> Response:
        """List the agents."""
        context, requested = self.context, self.parameters
        rows = [
            row
            for row in agent_queries.list_agents(context.id, as_of_tick=context.as_of_tick)
            if listing.contains_text(
                requested.get("search"), row.name, row.description, *row.traits
            )
        ]
        after = listing.cursor_keys(self, str)
        rest = listing.page_of(
            rows, lambda row: (row.agent,), order=requested["order"], after=after
        )
        page, more = split_page(rest, requested["limit"])
        tracks = _tracks(context, page)
        shown = [show_agent(row, tracks[row.agent], context) for row in page]
        cursor = listing.next_cursor(self, page[-1].agent) if more else None
        return page_response(request, Agent(shown, many=True).data, next_page=cursor)

    @extend_schema(
        operation_id="addAgent",
        summary="Have a person come to town, before or during a run",
        tags=["people"],
        request=Newcomer,
        responses={202: Command},
        examples=[EXAMPLE_OF_AGENT],
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask for the person to come."""
        requested = self.body(Newcomer)
        issuer = issuer_of(self, requested)
        name = requested.pop("name")
        tree = self.context.constants().world.tree
        for where in ("home", "bed", "workplace"):
            if where in requested:
                requested[where] = tree.resolve(requested[where]).path
        known = [tree.resolve(words).path for words in requested.pop("knows", [])]
        command = request_agent(
            wiring.ports(),
            self.context.id,
            name=name,
            facts=requested | {"knows": list(dict.fromkeys(known))},
            issuer=issuer,
        )
        return accepted_command(self, request, command)


class OneAgent(AgentView):
    """A person."""

    errors: ClassVar = {"DELETE": (LastPerson, Embodied)}

    @extend_schema(
        operation_id="getAgent",
        summary="A person: identity, home, workplace, hours, what they are doing",
        tags=["people"],
        responses={200: AgentDetail},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the person."""
        context, row = self.context, self.agent_row
        track = _tracks(context, [row])[row.agent]
        shown = detail_agent(row, track, context)
        return Response(AgentDetail(shown).data)

    @extend_schema(
        operation_id="sendAgentAway",
        summary="Have a person leave town; their memories stay to be read",
        tags=["people"],
        responses={202: Command},
    )
    def delete(self, request: Request, **_names: str) -> Response:
        """Ask for the person to leave."""
        command = request_removal(
            self.context.id, self.agent_row.agent, issuer=issuer_of(self, {})
        )
        return accepted_command(self, request, command)


class AgentSummary(AgentView):
    """The summary description of an agent."""

    @extend_schema(
        operation_id="getSummary",
        summary="Who a person is in words, as prompts have it",
        tags=["people"],
        responses={200: Summary},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the summary."""
        context, row = self.context, self.agent_row
        found = current_summary(context.id, row.agent, as_of_tick=context.as_of_tick)
        shown = show_summary(row, found, context)
        return Response(Summary(shown).data)


def _tracks(context: SimulationContext, rows: list[AgentRow]) -> dict[str, Track]:
    tick = context.as_of_tick
    slugs = [row.agent for row in rows]
    return agent_queries.tracks(context.id, from_tick=tick, to_tick=tick, agents=slugs)
