"""Plans: a day in broad strokes, its hours, and the actions of the hours that are near (P1)."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import Clock, GameTime, Renaming, Strict, Tick
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import AgentView
from apps.planning import queries as plan_queries
from apps.planning.queries import PlanBranch
from apps.planning.rules import PlanItem


class _PlannedSpan(Renaming):
    number = serializers.IntegerField(min_value=1)
    description = serializers.CharField()
    from_ = GameTime(**deprecated_name_of("start_at"))
    to = GameTime(**deprecated_name_of("end_at"))
    start_at = GameTime()
    start_tick = Tick()
    end_at = GameTime()
    end_tick = Tick()
    asleep = serializers.BooleanField()


class PlannedAction(_PlannedSpan):
    """A few minutes: what follows "<name> is", where, with what."""

    area = serializers.CharField()
    object = serializers.CharField(help_text="Empty when nothing is used.")
    object_state = serializers.CharField()
    emoji = serializers.CharField()


class PlannedHour(_PlannedSpan):
    """An hour or so; its actions are planned just in time."""

    place = serializers.CharField()
    actions = PlannedAction(many=True)


class PlannedChunk(_PlannedSpan):
    """A part of the day."""

    place = serializers.CharField()
    hours = PlannedHour(many=True)


class Plan(serializers.Serializer[Any]):
    """A plan-day, from waking to the next waking; empty before the first one is made."""

    clock = Clock()
    day = serializers.DateField(allow_null=True, help_text="The date on which it began.")
    outline = PlannedChunk(many=True)


class PlanParameters(Strict):
    """Which plan-day."""

    day = serializers.DateField(
        required=False,
        input_formats=["%Y-%m-%d"],
        help_text="The date on which it began, 2023-02-13; the latest one if left out.",
    )


class DayPlan(AgentView):
    """The plan of an agent."""

    query = PlanParameters

    @extend_schema(
        operation_id="getPlan",
        summary="A person's plan of a day as a tree: outline, hours, actions",
        tags=["minds"],
        responses={200: Plan},
    )
    def get(self, _request: Request, agent: str, **_names: str) -> Response:
        """Show the plan as it stands."""
        context, day = self.context, self.parameters.get("day")
        tree = plan_queries.plan_of_day(
            context.id,
            agent,
            day=None if day is None else day.isoformat(),
            as_of_tick=context.as_of_tick,
        )
        shown = {
            "clock": context.clock,
            "day": tree.day if tree else day,
            "outline": [_chunk(branch, context) for branch in tree.branches] if tree else [],
        }
        return Response(Plan(shown).data)


def _chunk(branch: PlanBranch, context: SimulationContext) -> dict[str, Any]:
    hours = [_hour(part, context) for part in branch.parts]
    return _item(branch.item, context) | {"place": branch.item.place, "hours": hours}


def _hour(branch: PlanBranch, context: SimulationContext) -> dict[str, Any]:
    actions = [_action(part.item, context) for part in branch.parts]
    return _item(branch.item, context) | {"place": branch.item.place, "actions": actions}


def _action(item: PlanItem, context: SimulationContext) -> dict[str, Any]:
    return _item(item, context) | {
        "area": item.place,
        "object": item.object,
        "object_state": item.object_state,
        "emoji": item.emoji,
    }


def _item(item: PlanItem, context: SimulationContext) -> dict[str, Any]:
    return {
        "number": item.number,
        "description": item.description,
        **context.moment("start", item.from_tick),
        **context.moment("end", item.to_tick),
        "asleep": item.asleep,
    }
