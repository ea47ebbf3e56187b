"""Reflections: questions, insights, and the trees of their evidence (R3)."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from apps.api.http.fields import Choice, NumberOrNull, Serializer, Tick, plain_list_of
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import AgentView, AsOf
from apps.api.http.views import operation
from apps.kernel.game_moments import iso
from apps.memory.events import MemoryKind
from apps.reflection import queries
from apps.reflection.events import DropReason, ReflectionKind
from apps.reflection.queries import TreeNode, trees


class TreeMemory(Serializer):
    """A memory in a reflection tree.

    `because_of` unfolds `evidence`; it is empty for a memory without evidence, eight levels
    down, and where the tree has unfolded the same memory before.
    """

    id = serializers.IntegerField(min_value=1)
    kind = Choice(choices=MemoryKind)
    description = serializers.CharField()
    importance = serializers.IntegerField(min_value=1, max_value=10)
    evidence = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids of the memories that it rests on."
    )
    because_of = plain_list_of("TreeMemory")
    created_tick = Tick()


class Insight(Serializer):
    """An insight: a memory, with its evidence."""

    question = serializers.CharField(help_text="The question that it answers.")
    memory = TreeMemory()
    replaces = NumberOrNull(
        min_value=1,
        allow_null=True,
        help_text="Id of the memory of the earlier insight that it revises; null for none.",
    )


class Dropped(Serializer):
    """An insight of the model that was dropped."""

    question = serializers.CharField()
    statement = serializers.CharField()
    reason = Choice(choices=DropReason)
    cited = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Numbers in the list of statements that it was inferred from.",
    )


class Reflection(Serializer):
    """The result of one reflection.

    A consolidation condenses a day when the agent goes to sleep; its insights are what is kept.
    """

    kind = Choice(choices=ReflectionKind)
    event = serializers.CharField(source="event_id")
    importance = serializers.IntegerField(
        help_text="The summed importance of the observations since the reflection before."
    )
    questions = serializers.ListField(child=serializers.CharField())
    insights = Insight(many=True)
    dropped = Dropped(many=True)
    created_tick = Tick(source="tick")


class Reflections(ListView, AgentView):
    """The reflections of an agent."""

    query = list_parameters(
        "questions, insights, dropped insights",
        "created_at",
        default="-created_at",
        more=AsOf,
    )

    @operation("listReflections", "/reflections", "minds", page_of_items(Reflection))
    def get(self, request: Request, agent: str, **_names: str) -> Any:
        """List the reflections of an agent with their trees, by default the newest first."""
        context = self.context
        # All pages show the stream as it was when the first one was read.
        tick = self.pin_tick(context.as_of_tick)
        rows = queries.list_reflections(
            context.id, agent, as_of_tick=tick, search=self.parameters.get("search")
        )

        def with_trees(page: list[Any]) -> list[Any]:
            roots = [insight["memory"] for row in page for insight in row.insights]
            unfolded = trees(context.id, agent, as_of_tick=tick, roots=roots)
            shown = {tree.memory.number: _tree(tree, context) for tree in unfolded}
            for row in page:
                for insight in (*row.insights, *row.dropped):
                    insight["question"] = row.questions[insight["question"]]
                for insight in row.insights:
                    insight["memory"] = shown[insight["memory"]]
            return page

        return self.page(rows, Reflection, prepare=with_trees, created_at=("tick",))


def _tree(node: TreeNode, context: SimulationContext) -> dict[str, Any]:
    """Return the tree in plain values: serializers for each of its nodes would be slow."""
    memory = node.memory
    return {
        "id": memory.number,
        "kind": memory.kind,
        "description": memory.description,
        "importance": memory.importance,
        "created_at": iso(context.time_at(memory.formed_tick)),
        "created_tick": memory.formed_tick,
        "evidence": memory.evidence,
        "because_of": [_tree(below, context) for below in node.rests_on],
    }
