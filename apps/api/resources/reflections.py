"""Reflections: questions, insights, and the trees of their evidence (R3)."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http import listing
from apps.api.http.fields import Choice, GameTime, Tick, plain_list_of
from apps.api.http.game_times import GAME_TIME_PATTERN, iso
from apps.api.http.paging import Paged, page_of_items, page_response, split_page
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import AgentView
from apps.api.resources.memories import KINDS
from apps.reflection import queries
from apps.reflection.events import DropReason
from apps.reflection.trees import TreeNode, trees

REASONS = [reason.value for reason in DropReason]


class TreeMemory(serializers.Serializer[Any]):
    """A memory in a reflection tree.

    `because_of` unfolds `evidence`; it is empty for what rests on nothing, eight levels
    down, and where the tree has unfolded the same memory before.
    """

    id = serializers.IntegerField(min_value=1)
    kind = Choice(choices=KINDS)
    description = serializers.CharField()
    importance = serializers.IntegerField(min_value=1, max_value=10)
    created_at = serializers.RegexField(GAME_TIME_PATTERN)
    evidence = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids of the memories that it rests on."
    )
    because_of = plain_list_of("TreeMemory")
    created_tick = Tick()


class Insight(serializers.Serializer[Any]):
    """An insight: a memory, with all that it rests on."""

    question = serializers.CharField(help_text="The question that it answers.")
    memory = TreeMemory()


class Dropped(serializers.Serializer[Any]):
    """An insight that the model gave and that was not kept."""

    question = serializers.CharField()
    statement = serializers.CharField()
    reason = Choice(choices=REASONS)
    cited = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Numbers in the list of statements that it was inferred from.",
    )


class Reflection(serializers.Serializer[Any]):
    """What came of one reflection."""

    created_at = GameTime()
    event = serializers.CharField()
    importance = serializers.IntegerField(
        help_text="The summed importance of what was perceived since the one before."
    )
    questions = serializers.ListField(child=serializers.CharField())
    insights = Insight(many=True)
    dropped = Dropped(many=True)
    created_tick = Tick()


class ReflectionFilters(Paged):
    """Which reflections, in which order."""

    search = listing.search_parameter("questions, insights, dropped insights")
    order = listing.order_parameter("created_at", default="-created_at")


class Reflections(AgentView):
    """An agent's reflections."""

    query = ReflectionFilters

    @extend_schema(
        operation_id="listReflections",
        summary="An agent's reflections with their trees; by default the newest first",
        tags=["minds"],
        responses=page_of_items(Reflection),
    )
    def get(self, request: Request, agent: str, **_names: str) -> Response:
        """List the reflections."""
        context, requested = self.context, self.parameters
        # All pages show the stream as it was when the first one was asked for.
        as_of_tick, after_tick = context.as_of_tick, None
        cursor = listing.cursor_keys(self, int, int)
        if cursor is not None:
            as_of_tick, after_tick = min(cursor[0], as_of_tick), cursor[1]
        rows = queries.list_reflections(
            context.id,
            agent,
            as_of_tick=as_of_tick,
            search=requested.get("search"),
            descending=listing.is_descending(requested["order"]),
            after_tick=after_tick,
        )
        page, more = split_page(rows, requested["limit"])
        roots = [insight["memory"] for row in page for insight in row.insights]
        unfolded = trees(context.id, agent, as_of_tick=as_of_tick, roots=roots)
        by_number = {tree.memory.number: tree for tree in unfolded}
        shown = [_reflection(row, by_number, context) for row in page]
        next_page = listing.next_cursor(self, as_of_tick, page[-1].tick) if more else None
        return page_response(request, Reflection(shown, many=True).data, next_page=next_page)


def _reflection(
    row: Any, by_number: Mapping[int, TreeNode], context: SimulationContext
) -> dict[str, Any]:
    return {
        **context.moment("created", row.tick),
        "event": row.event_id,
        "importance": row.importance,
        "questions": row.questions,
        "insights": [
            {
                "question": row.questions[insight["question"]],
                "memory": _tree(by_number[insight["memory"]], context),
            }
            for insight in row.insights
        ],
        "dropped": [
            insight | {"question": row.questions[insight["question"]]}
            for insight in row.dropped
        ],
    }


def _tree(node: TreeNode, context: SimulationContext) -> dict[str, Any]:
    """Return the tree in plain values: those beneath are shown as they are."""
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
