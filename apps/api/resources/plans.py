"""Plans: the outline of a day, its hours, and the actions of the hours that are near (P1)."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.acts import ActKind
from apps.api.http.fields import Choice, Clock, Serializer, Tick
from apps.api.http.simulation_views import AgentView, AsOf
from apps.api.http.views import operation
from apps.history.agent_days import plan_of_day


class PlannedSpan(Serializer):
    """The fields of all plan items."""

    number = serializers.IntegerField(source="item.number", min_value=1)
    description = serializers.CharField(source="item.description")
    start_tick = Tick(source="item.from_tick")
    end_tick = Tick(source="item.to_tick")


class _PlannedSleep(PlannedSpan):
    asleep = serializers.BooleanField(source="item.asleep")


class PlannedAction(_PlannedSleep):
    """An action of a few minutes; `description` continues the sentence "<name> is"."""

    area = serializers.CharField(source="item.place")
    object = serializers.CharField(source="item.object", help_text="Empty for none.")
    object_state = serializers.CharField(source="item.object_state")
    emoji = serializers.CharField(source="item.emoji")
    importance = serializers.IntegerField(
        source="item.importance",
        help_text="Of the memory of the action, from 1 to 10; 0 where it is rated later.",
    )
    act = Choice(
        source="item.act",
        choices=ActKind,
        help_text="What the action does to or for another agent.",
    )
    other = serializers.CharField(
        source="item.other",
        help_text="The slug of the agent that the act names, empty for none.",
    )
    about = serializers.CharField(
        source="item.about", help_text="What is said, given or left; empty for nothing."
    )
    reused_from = serializers.CharField(
        source="item.reused_from",
        help_text="The id of the event that planned the action for an earlier hour with the "
        "same activity and place; empty where the model has planned it for this hour.",
    )


class PlannedHour(_PlannedSleep):
    """About an hour; its actions are planned just in time."""

    place = serializers.CharField(source="item.place")
    actions = PlannedAction(source="parts", many=True)


class PlannedChunk(_PlannedSleep):
    """A part of the day; `free` where a revision has left nothing for the time."""

    free = serializers.BooleanField(source="item.free")
    place = serializers.CharField(source="item.place")
    hours = PlannedHour(source="parts", many=True)


class Plan(Serializer):
    """A plan-day, from waking to the next waking; empty before the first one is made."""

    clock = Clock()
    day = serializers.DateField(allow_null=True, help_text="The date on which it began.")
    outline = PlannedChunk(many=True)


class PlanParameters(AsOf):
    """The requested plan-day, and the moment as of which its plan is read."""

    day = serializers.DateField(
        required=False,
        input_formats=["%Y-%m-%d"],
        help_text="The date on which it began, 2023-02-13; the latest one if left out.",
    )


class DayPlan(AgentView):
    """The plan of an agent."""

    query = PlanParameters

    @operation("getPlan", "/plan", "minds", Plan)
    def get(self, request: Request, agent: str, **_names: str) -> Response:
        """Show an agent's plan of a day as a tree: outline, hours, actions."""
        day, tick = self.parameters.get("day"), self.context.as_of_tick
        tree = plan_of_day(
            self.context.id,
            agent,
            day=None if day is None else day.isoformat(),
            as_of_tick=tick,
        )
        shown: dict[str, Any] = {"clock": tick, "day": day, "outline": []}
        if tree is not None:
            shown |= {"day": tree.day, "outline": tree.branches}
        return Response(self.represent(Plan, shown))
