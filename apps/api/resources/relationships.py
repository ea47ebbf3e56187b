"""Relationships: memories and conversations between pairs of agents (E4)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents import queries as agent_queries
from apps.agents.naming import AgentUnknown
from apps.api.http import downloads, listing
from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import Clock, GameTime, Renaming, Slug, Tick
from apps.api.http.paging import Paged, page_response, split_page
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import SimulationView
from apps.dialogue.history import ConversationCount, count_conversations
from apps.memory.memories_about import MemoriesAbout, density, memories_about_others


class LatestMemory(serializers.Serializer[Any]):
    """The latest memory of an agent about another one."""

    id = serializers.IntegerField(min_value=1)
    description = serializers.CharField()
    created_at = GameTime()
    created_tick = Tick()


class Relationship(Renaming):
    """What one person is to another, seen from the one: `agent` has `other` in mind."""

    agent = serializers.CharField(help_text="A slug.")
    other = serializers.CharField(help_text="A slug.")
    knows = serializers.BooleanField(help_text="Has a memory about the other or naming them.")
    mutual = serializers.BooleanField(help_text="Both know of each other.")
    memories = serializers.IntegerField(min_value=0, **deprecated_name_of("memory_count"))
    latest_memory = LatestMemory(allow_null=True)
    conversations = serializers.IntegerField(
        min_value=0, **deprecated_name_of("conversation_count")
    )
    last_talk_at = GameTime(allow_null=True, help_text="When they last talked; now, if still.")
    last_talk_tick = Tick(allow_null=True)
    memory_count = serializers.IntegerField(min_value=0, help_text="About the other.")
    conversation_count = serializers.IntegerField(
        min_value=0, help_text="In which this agent said something to the other."
    )


class Relationships(Renaming):
    """A page of relationships by slug, and the density of the network."""

    clock = Clock()
    people = serializers.IntegerField(min_value=0, **deprecated_name_of("agent_count"))
    agent_count = serializers.IntegerField(min_value=0)
    density = serializers.FloatField(
        min_value=0,
        max_value=1,
        help_text="The share of all pairs of people in which both know of each other.",
    )
    results = Relationship(many=True)
    next = serializers.URLField(allow_null=True)


class RelationshipFilters(Paged, downloads.FormatParameter):
    """Which relationships, in which order."""

    agent = Slug(required=False, help_text="Only what this agent knows of others.")
    search = listing.search_parameter("names of both agents")
    order = listing.order_parameter("agent", default="agent")


class SocialNetwork(downloads.Downloadable, SimulationView):
    """The relationships of a simulation."""

    errors: ClassVar = {"GET": (AgentUnknown,)}
    query = RelationshipFilters

    @extend_schema(
        operation_id="listRelationships",
        summary="Relationships, conversations and the density of the network",
        tags=["people"],
        responses=downloads.page_or_download(Relationship)
        | {(200, "application/json"): Relationships},
    )
    def get(self, request: Request, **_names: str) -> Response | downloads.Download:
        """List them, by the slugs of both agents."""
        context, agent = self.context, self.parameters.get("agent")
        context.require_known_agent(agent)
        people = agent_queries.list_agents(context.id, as_of_tick=context.as_of_tick)
        names = {row.agent: row.name for row in people}
        known = memories_about_others(context.id, names, as_of_tick=context.as_of_tick)
        talked = {
            pair: times
            for pair, times in count_conversations(
                context.id, as_of_tick=context.as_of_tick
            ).items()
            if names.keys() >= set(pair)
        }
        after = listing.cursor_keys(self, str, str)
        found = {pair for pair in {*known, *talked} if self._is_wanted(pair, names)}
        pairs = listing.page_of(
            found, lambda pair: pair, order=self.parameters["order"], after=after
        )
        if self.line_format:
            shown = _shown(context, pairs, known, talked)
            return self.download_list(shown, Relationship, name="relationships")
        page, more = split_page(pairs, self.parameters["limit"])
        cursor = listing.next_cursor(self, *page[-1]) if more else None
        results = Relationship(_shown(context, page, known, talked), many=True).data
        response = page_response(request, results, next_page=cursor)
        response.data = {
            "clock": Clock(context.clock).data,
            "people": len(names),
            "agent_count": len(names),
            "density": density(known.keys(), len(names)),
            **response.data,
        }
        return response

    def _is_wanted(self, pair: tuple[str, str], names: Mapping[str, str]) -> bool:
        agent = self.parameters.get("agent")
        both = (names.get(slug, slug) for slug in pair)
        return agent in {None, pair[0]} and listing.contains_text(
            self.parameters.get("search"), *both
        )


def _shown(
    context: SimulationContext,
    page: list[tuple[str, str]],
    known: dict[tuple[str, str], MemoriesAbout],
    talked: dict[tuple[str, str], ConversationCount],
) -> list[dict[str, Any]]:
    shown = []
    for pair in page:
        agent, other = pair
        of_other, talks = known.get(pair), talked.get(pair)
        shown.append(
            {
                "agent": agent,
                "other": other,
                "knows": of_other is not None,
                "mutual": of_other is not None and (other, agent) in known,
                "memory_count": of_other.count if of_other else 0,
                "latest_memory": _latest(context, of_other),
                "conversation_count": talks.conversations if talks else 0,
                **context.moment("last_talk", talks.last_tick if talks else None),
            }
        )
    return shown


def _latest(context: SimulationContext, known: MemoriesAbout | None) -> dict[str, Any] | None:
    if known is None:
        return None
    return {
        "id": known.latest,
        "description": known.description,
        **context.moment("created", known.formed_tick),
    }
