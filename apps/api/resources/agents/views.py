"""The agents of a simulation: listed, added, shown and removed; their actions and places."""

from dataclasses import asdict, fields
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from apps import history, wiring
from apps.agents import queries as agent_queries
from apps.agents.models import AgentRow
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import MomentParameter
from apps.api.http.lists import (
    ListView,
    Paged,
    TimeRange,
    list_parameters,
    order_parameter,
    page_of_items,
    search_parameter,
)
from apps.api.http.moments import AsOf
from apps.api.http.operation import operation
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import AgentView, SimulationView
from apps.api.resources.agents.serializers import (
    Agent,
    AgentDetail,
    KnownNode,
    Newcomer,
    Summary,
    TimelineEntry,
    agent_values,
)
from apps.api.resources.commands import PLACE_ERRORS, Command, accepted_command, issuer_of
from apps.memory.summary.queries import CurrentSummary, current_summary
from apps.simulation.commands.agents import (
    Embodied,
    LastAgent,
    NameTaken,
    request_agent,
    request_removal,
)
from apps.simulation.commands.command_log import TickPast
from apps.world.people_loading import InvalidAgentProfile

_EXAMPLE = {
    "name": "Ada Finch",
    "age": 22,
    "traits": ["patient", "curious"],
    "description": "Ada Finch studies history; Ada Finch likes lunch at Hobbs Cafe at noon",
    "hours": {"wake": "07:00", "sleep": "23:00"},
    "home": "Oak Hill College Dorm: Ayesha Khan's room",
    "knows": ["Hobbs Cafe"],
    "reason": "to observe her first meetings",
}


class Agents(ListView, SimulationView):
    """The agents of a simulation."""

    query = list_parameters("name, traits, description", "slug", more=AsOf)

    @operation("listAgents", "/agents", "agents", page_of_items(Agent))
    def get(self, request: Request, **_names: str) -> Any:
        """List the agents of a simulation, by slug."""
        context = self.context
        rows = [
            row
            for row in agent_queries.list_agents(context.id, as_of_tick=context.as_of_tick)
            if self.contains_search(row.name, row.description, *row.traits)
        ]
        return self.page(
            rows, Agent, prepare=lambda page: _values_of(context, page), slug=("agent",)
        )

    @operation(
        "addAgent",
        "/agents",
        "agents",
        {202: Command},
        request=Newcomer,
        examples={"A new student": _EXAMPLE},
        errors=(NameTaken, TickPast, *PLACE_ERRORS, InvalidAgentProfile),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Add an agent to a simulation, before or during a run."""
        requested = self.body(Newcomer)
        issuer = issuer_of(self, requested)
        tree, facts = self.context.constants().world.tree, requested.facts()
        for where in ("home", "bed", "workplace"):
            if facts.get(where) is not None:
                facts[where] = tree.resolve(facts[where]).path
        known = [tree.resolve(place).path for place in requested.knows]
        command = request_agent(
            wiring.ports(),
            self.context.id,
            name=requested.name,
            facts=facts | {"knows": list(dict.fromkeys(known))},
            issuer=issuer,
        )
        return accepted_command(self, command)


class OneAgent(AgentView):
    """An agent of a simulation."""

    @operation("getAgent", "", "agents", AgentDetail)
    def get(self, request: Request, **_names: str) -> Response:
        """Show an agent: identity, home, workplace, hours, current action."""
        [values] = _values_of(self.context, [self.agent_row])
        return Response(self.represent(AgentDetail, values))

    @operation("sendAgentAway", "", "agents", {202: Command}, errors=(LastAgent, Embodied))
    def delete(self, request: Request, **_names: str) -> Response:
        """Remove an agent from a simulation; its memories can still be read."""
        command = request_removal(self.context.id, self.agent_row.agent, issuer=issuer_of(self))
        return accepted_command(self, command)


class AgentSummary(AgentView):
    """The summary description of an agent."""

    @operation("getSummary", "/summary", "agents", Summary)
    def get(self, request: Request, **_names: str) -> Response:
        """Show the summary description of an agent, as prompts have it."""
        context, row = self.context, self.agent_row
        found = current_summary(context.id, row.agent, as_of_tick=context.as_of_tick)
        summary = asdict(found) if found else {f.name: None for f in fields(CurrentSummary)}
        identity = {"name": row.name, "age": row.age, "traits": row.traits}
        return Response(self.represent(Summary, summary | identity))


class KnownPlaces(ListView, AgentView):
    """The part of the world that an agent knows."""

    query = list_parameters("path, state last seen", "path", more=AsOf)

    @operation("listKnownPlaces", "/known-places", "agents", page_of_items(KnownNode))
    def get(self, request: Request, agent: str, **_names: str) -> Any:
        """List the places, areas and objects that an agent knows, by path."""
        tick = self.context.as_of_tick
        known = [
            place
            for place in agent_queries.known_places(self.context.id, agent, as_of_tick=tick)
            if self.contains_search(place.node, place.state)
        ]
        return self.page(known, KnownNode, path=("node",))


class TimelineFilters(Paged, AsOf, TimeRange, FormatParameter):
    """The filters and the order of actions."""

    from_ = MomentParameter(
        required=False,
        help_text="Only actions that had not ended by this moment: a game time without a zone "
        "(2023-02-13T06:55:00), or a tick.",
    )
    search = search_parameter("description, area, object")
    order = order_parameter("start_at")


class Timeline(DownloadableList, AgentView):
    """The actions of an agent."""

    query = TimelineFilters

    @operation("listTimeline", "/timeline", "agents", page_or_download(TimelineEntry))
    def get(self, request: Request, agent: str, **_names: str) -> Any:
        """List the actions of an agent, by default the earliest first."""
        rows = history.list_actions(
            self.context.id,
            agent,
            as_of_tick=self.context.as_of_tick,
            **self.filters("from", "to"),
        )
        rows = self.matching(rows, "description", "area", "object")
        return self.page(rows, TimelineEntry, start_at=("from_tick",))


def _values_of(context: SimulationContext, rows: list[AgentRow]) -> list[dict[str, Any]]:
    tick = context.as_of_tick
    slugs = [row.agent for row in rows]
    tracks = agent_queries.tracks(context.id, from_tick=tick, to_tick=tick, agents=slugs)
    return [agent_values(row, tracks[row.agent], tick) for row in rows]
