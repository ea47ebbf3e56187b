"""The costs of a simulation's model calls, by chain, agent and game day."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Choice, Strict
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import SimulationView
from apps.llm import queries as llm_queries
from apps.llm.queries import (
    CostGroup,
    CostLine,
)

SECONDS_PER_DAY = 86_400


class CostOfGroup(serializers.Serializer[Any]):
    """What the calls of a group used, failed ones too where tokens were paid."""

    key = serializers.CharField()
    calls = serializers.IntegerField(min_value=0)
    prompt_tokens = serializers.IntegerField(min_value=0)
    completion_tokens = serializers.IntegerField(min_value=0)
    latency_ms = serializers.IntegerField(min_value=0)
    cost = serializers.FloatField(min_value=0)


class CostTable(serializers.Serializer[Any]):
    """What a simulation has used so far, calls of turns in work included."""

    total = CostOfGroup()
    by_chain = CostOfGroup(many=True, required=False)
    by_agent = CostOfGroup(many=True, required=False)
    by_day = CostOfGroup(
        many=True, required=False, help_text="By game day; the key is its date."
    )


class CostParameters(Strict):
    """How the costs are to be told apart."""

    by = Choice(
        choices=[group.value for group in CostGroup],
        required=False,
        help_text="Only this one of the three tables, besides the total.",
    )


class Costs(SimulationView):
    """What a simulation costs."""

    query = CostParameters

    @extend_schema(
        operation_id="getCosts",
        summary="What the model calls have used, by chain, agent and game day",
        tags=["models"],
        responses={200: CostTable},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the costs."""
        context = self.context
        by_chain = llm_queries.costs(context.id, by=CostGroup.CHAIN)
        tables: dict[str, Callable[[], Any]] = {
            CostGroup.CHAIN: lambda: by_chain,
            CostGroup.AGENT: lambda: llm_queries.costs(context.id, by=CostGroup.AGENT),
            CostGroup.DAY: lambda: _by_day(context),
        }
        wanted = [self.parameters["by"]] if "by" in self.parameters else list(tables)
        shown = {"total": _total(by_chain)} | {f"by_{by}": tables[by]() for by in wanted}
        return Response(CostTable(shown).data)


def _total(lines: list[CostLine]) -> dict[str, Any]:
    counted = ("calls", "prompt_tokens", "completion_tokens", "latency_ms", "cost")
    return {"key": "all"} | {
        name: sum(getattr(line, name) for line in lines) for name in counted
    }


def _by_day(context: SimulationContext) -> list[dict[str, Any]]:
    calendar = context.calendar
    first = calendar.start.date()
    ticks_per_day = SECONDS_PER_DAY // calendar.tick_seconds
    tomorrow = calendar.start.replace(hour=0, minute=0, second=0) + timedelta(days=1)
    lines = llm_queries.costs(
        context.id,
        by=CostGroup.DAY,
        ticks_per_day=ticks_per_day,
        ticks_before_midnight=calendar.tick_at(tomorrow),
    )
    return [_dated(line, first) for line in lines]


def _dated(line: CostLine, first: date) -> dict[str, Any]:
    day = first + timedelta(days=int(line.key))
    return {
        "key": day.isoformat(),
        "calls": line.calls,
        "prompt_tokens": line.prompt_tokens,
        "completion_tokens": line.completion_tokens,
        "latency_ms": line.latency_ms,
        "cost": line.cost,
    }
