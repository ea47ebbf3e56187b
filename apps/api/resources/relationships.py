"""Relationships: facts, memories and conversations between pairs of agents (E4)."""

from typing import Any, NamedTuple

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents import queries as agent_queries
from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import Clock, Serializer, SlugParameter, TextOrNull, Tick
from apps.api.http.lists import Paged, order_parameter, search_parameter
from apps.api.http.simulation_views import AsOf
from apps.api.http.views import operation
from apps.history import acquaintances, count_conversations
from apps.history.conversations import ConversationCount
from apps.memory.earlier_memories import MemoriesAbout, density, memories_about_others
from apps.memory.facts import Fact
from apps.memory.queries import related_pairs


class LatestMemory(Serializer):
    """The latest memory of an agent about another one."""

    id = serializers.IntegerField(min_value=1)
    description = serializers.CharField()
    created_tick = Tick(source="tick")


class Relationship(Serializer):
    """The relationship of `agent` to `other`, from the memories of `agent`."""

    agent = serializers.CharField(help_text="A slug.")
    other = serializers.CharField(help_text="A slug.")
    remembered = serializers.BooleanField(
        help_text="Has a memory about the other or naming it, such as of a sight."
    )
    mutual = serializers.BooleanField(help_text="Both have a memory about each other.")
    sighted = serializers.BooleanField(help_text="Has perceived the other.")
    met = serializers.BooleanField(help_text="One of the two has spoken to the other.")
    talked = serializers.BooleanField(
        help_text="Both have said something to each other in one conversation."
    )
    related = serializers.BooleanField(
        help_text="Has a relationship to the other as a lasting fact."
    )
    tie = TextOrNull(
        allow_null=True, help_text="The role of the other for the agent, such as friend."
    )
    standing = TextOrNull(
        allow_null=True, help_text="The attitude of the agent to the other, such as close."
    )
    latest_memory = LatestMemory(allow_null=True)
    last_talk_tick = Tick(
        allow_null=True, help_text="The end of their last conversation; now, if it goes on."
    )
    memory_count = serializers.IntegerField(min_value=0, help_text="About the other.")
    conversation_count = serializers.IntegerField(
        min_value=0, help_text="In which this agent said something to the other."
    )


class Densities(Serializer):
    """The shares of all pairs of agents in which both have the kind of acquaintance."""

    remembered = serializers.FloatField(min_value=0, max_value=1)
    sighted = serializers.FloatField(min_value=0, max_value=1)
    met = serializers.FloatField(min_value=0, max_value=1)
    talked = serializers.FloatField(min_value=0, max_value=1)
    related = serializers.FloatField(min_value=0, max_value=1)


class Relationships(Serializer):
    """A page of relationships by slug, and the densities of the networks."""

    clock = Clock()
    agent_count = serializers.IntegerField(min_value=0)
    densities = Densities(help_text="By the kind of the acquaintance.")
    results = Relationship(many=True)
    next = serializers.URLField(allow_null=True)


class RelationshipFilters(Paged, AsOf, FormatParameter):
    """The filters and the order of relationships."""

    agent = SlugParameter(required=False, help_text="Only those of this agent to others.")
    search = search_parameter("names of both agents")
    order = order_parameter("agent")


class Pair(NamedTuple):
    """An agent, and another one that it knows or has talked with."""

    agent: str
    other: str


class SocialNetwork(DownloadableList):
    """The relationships of a simulation."""

    query = RelationshipFilters

    @operation(
        "listRelationships",
        "/relationships",
        "agents",
        page_or_download(Relationship) | {(200, "application/json"): Relationships},
        errors=(AgentUnknown,),
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List relationships by the slugs of both agents, with the density of each kind."""
        context, agent = self.context, self.parameters.get("agent")
        tick = context.as_of_tick
        context.require_known_agent(agent)
        agents = agent_queries.list_agents(context.id, as_of_tick=tick)
        names = {row.agent: row.name for row in agents}
        known = memories_about_others(context.id, names, as_of_tick=tick)
        talks = {
            pair: counted
            for pair, counted in count_conversations(context.id, as_of_tick=tick).items()
            if names.keys() >= set(pair)
        }
        facts = related_pairs(context.id, names, as_of_tick=tick)
        kinds = acquaintances(context.id, names, as_of_tick=tick)
        pairs = [
            Pair(*pair)
            for pair in {*known, *talks}.union(*kinds.values())
            if agent in {None, pair[0]}
            and self.contains_search(*(names.get(slug, slug) for slug in pair))
        ]

        def described(page: list[Pair]) -> list[dict[str, Any]]:
            return [
                _relationship(pair, known, talks.get(pair), facts.get(pair))
                | {kind: pair in pairs_of_kind for kind, pairs_of_kind in kinds.items()}
                for pair in page
            ]

        response = self.page(pairs, Relationship, prepare=described, agent=("agent", "other"))
        if isinstance(response, Response):
            response.data = {
                "clock": self.represent(Clock, tick),
                "agent_count": len(names),
                "densities": {
                    kind: density(pairs_of_kind, len(names))
                    for kind, pairs_of_kind in kinds.items()
                },
                **response.data,
            }
        return response


def _relationship(
    pair: Pair,
    known: dict[tuple[str, str], MemoriesAbout],
    talks: ConversationCount | None,
    fact: Fact | None,
) -> dict[str, Any]:
    """Return the values of `Relationship`, without the kinds of acquaintance."""
    shown = {
        "agent": pair.agent,
        "other": pair.other,
        "mutual": pair in known and (pair.other, pair.agent) in known,
        "tie": fact.tie if fact else None,
        "standing": fact.standing if fact else None,
        "memory_count": 0,
        "latest_memory": None,
        "conversation_count": talks.conversations if talks else 0,
        "last_talk_tick": talks.last_tick if talks else None,
    }
    if pair not in known:
        return shown
    of_other = known[pair]
    memory = {
        "id": of_other.latest,
        "description": of_other.description,
        "tick": of_other.formed_tick,
    }
    return shown | {"memory_count": of_other.count, "latest_memory": memory}
