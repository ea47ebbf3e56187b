"""Lasting facts about an agent, with their earlier versions and their evidence."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from apps.agents.status import Standing, TieKind
from apps.api.http.fields import Choice, Serializer, TextOrNull, Tick
from apps.api.http.lists import (
    ListView,
    Paged,
    order_parameter,
    page_of_items,
    search_parameter,
)
from apps.api.http.simulation_views import AgentView, AsOf
from apps.api.http.views import operation
from apps.api.resources.memories import PASSING_ON
from apps.memory.events import FactKind, FactSource
from apps.memory.queries import fact_versions


class Fact(Serializer):
    """A version of a lasting fact, from the turn that established or revised it."""

    number = serializers.IntegerField(
        min_value=1,
        help_text="Counts the facts of the agent. All versions of a fact have the same.",
    )
    kind = Choice(choices=FactKind)
    other = TextOrNull(
        allow_null=True,
        help_text="The slug of the other agent of a relationship, or of who told a secret.",
    )
    tie = TextOrNull(
        allow_null=True,
        help_text=f"The role of the other agent: {', '.join(tie.value for tie in TieKind)}.",
    )
    standing = TextOrNull(
        allow_null=True,
        help_text=f"The attitude to it: {', '.join(one.value for one in Standing)}.",
    )
    statements = serializers.ListField(child=serializers.CharField())
    opinion = TextOrNull(allow_null=True, help_text="The latest opinion about the other agent.")
    derived_from = Choice(source="source", choices=FactSource)
    evidence = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids of the memories that it rests on."
    )
    until = TextOrNull(
        allow_null=True, help_text="The last date on which it holds, or the time of its end."
    )
    passing_on = TextOrNull(allow_null=True, help_text=PASSING_ON)
    start_tick = Tick(source="from_tick")
    end_tick = Tick(
        source="to_tick", only_past=True, allow_null=True, help_text="Null while it is current."
    )


class FactFilters(Paged, AsOf):
    """The filters and the order of facts."""

    kind = Choice(choices=FactKind, required=False, help_text="Only facts of the kind.")
    current = serializers.BooleanField(
        required=False, help_text="Whether only the versions that hold are listed."
    )
    search = search_parameter("statements, opinion, other")
    order = order_parameter("number", "start_at")


class Facts(ListView, AgentView):
    """The lasting facts of an agent."""

    query = FactFilters

    @operation("listFacts", "/facts", "minds", page_of_items(Fact))
    def get(self, request: Request, agent: str, **_names: str) -> Any:
        """List all versions of an agent's lasting facts, by default by their numbers."""
        rows = fact_versions(
            self.context.id,
            agent,
            as_of_tick=self.pin_tick(self.context.as_of_tick),
            only_current=self.parameters.get("current", False),
            kind=self.parameters.get("kind", ""),
            search=self.parameters.get("search"),
        )
        return self.page(
            rows, Fact, number=("number", "from_tick"), start_at=("from_tick", "number")
        )
