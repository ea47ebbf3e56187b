"""What a planned run of a simulation is going to cost, about."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.base import SimulationView
from apps.api.fields import Choice, MomentParameter, Strict
from apps.api.moments import TICK_MAX
from apps.api.refusals import FieldError, InvalidRequest
from apps.llm.estimates import RestsOn
from apps.simulation.forecast import Forecast, forecast_run

SECONDS_PER_DAY = 86_400
RESTS_ON = [rests_on.value for rests_on in RestsOn]
COUNTED = ("calls", "prompt_tokens", "completion_tokens", "cost")


class PlannedRun(Strict):
    """How far the run is to go; a game day, if neither is said."""

    until = MomentParameter(required=False)
    ticks = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=TICK_MAX,
        help_text="How many ticks from now on; with `until`, the nearer end counts.",
    )


class Estimated(serializers.Serializer[Any]):
    """What is going to be used."""

    calls = serializers.IntegerField(min_value=0)
    prompt_tokens = serializers.IntegerField(min_value=0)
    completion_tokens = serializers.IntegerField(min_value=0)
    cost = serializers.FloatField(
        min_value=0, help_text="In the currency of the price list; 0 without a price."
    )


class EstimatedOfChain(Estimated):
    """What one chain is going to use, and what that rests on."""

    chain = serializers.CharField()
    rests_on = Choice(
        choices=RESTS_ON,
        help_text="The simulation's own past, once it has lived a day; before that figures "
        "that were measured on the offline stand-in, with the tokens of own calls if there "
        "are enough of them.",
    )


class CostEstimate(serializers.Serializer[Any]):
    """What a planned run is going to cost, about."""

    ticks = serializers.IntegerField(min_value=1)
    people = serializers.IntegerField(min_value=0)
    agent_days = serializers.FloatField(
        min_value=0, help_text="Days of people's lives; an hour of the night counts like any."
    )
    total = Estimated()
    by_chain = EstimatedOfChain(many=True)
    unmeasured = serializers.ListField(
        child=serializers.CharField(), help_text="Chains of which nothing is known yet."
    )


class Estimate(SimulationView):
    """The estimate of a planned run."""

    query = PlannedRun

    @extend_schema(
        operation_id="getCostEstimate",
        summary="What a run from now on is going to cost, about, and what that rests on",
        tags=["models"],
        parameters=[PlannedRun],
        responses={200: CostEstimate},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the estimate."""
        row = self.reading.row
        forecast = forecast_run(row, self._ticks(), [chain.name for chain in wiring.CHAINS])
        return Response(CostEstimate(_shown(forecast)).data)

    def _ticks(self) -> int:
        """Return how many ticks are planned: to the nearer end, where both are said."""
        settled = self.reading.row.settled_tick
        planned: list[int] = []
        if "ticks" in self.asked:
            planned.append(self.asked["ticks"])
        if "until" in self.asked:
            planned.append(self.asked["until"] - settled)
        ticks = min(planned, default=SECONDS_PER_DAY // self.reading.calendar.tick_seconds)
        if ticks < 1:
            detail = f"the simulation has settled tick {settled}; ask for a later time"
            raise InvalidRequest([FieldError(parameter="until", code="past", detail=detail)])
        return ticks


def _shown(forecast: Forecast) -> dict[str, Any]:
    lines = forecast.estimate.lines
    return {
        "ticks": forecast.ticks,
        "people": forecast.people,
        "agent_days": forecast.agent_days,
        "total": {name: sum(getattr(line, name) for line in lines) for name in COUNTED},
        "by_chain": lines,
        "unmeasured": forecast.estimate.unmeasured,
    }
