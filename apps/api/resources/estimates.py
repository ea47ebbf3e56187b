"""Estimates of the cost of a run: of a simulation, and of game days before there is one."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import NAME_CHARACTERS_MAX, Choice, MomentParameter, Renaming, Strict
from apps.api.http.game_times import TICK_MAX
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import ApiView
from apps.api.resources.models import ModelPrice, show_price
from apps.api.resources.simulations.creation import AGENTS_MAX, MODEL_CHARACTERS_MAX
from apps.kernel.errors import DomainError
from apps.llm.estimates import Measurement, RestsOn, measurement
from apps.llm.model_spec import UnknownModel
from apps.simulation.engine.lifecycle import Founding
from apps.simulation.engine.run_estimates import RunEstimate, estimate_first_run, estimate_run
from apps.simulation.settings import SimulationSettings
from apps.world.errors import UnknownWorld
from apps.world.problems import WorldBroken

SECONDS_PER_DAY = 86_400
DAYS_MIN, DAYS_MAX = 0.01, 10_000
RESTS_ON = [rests_on.value for rests_on in RestsOn]
COUNTED = ("calls", "prompt_tokens", "completion_tokens", "cost")


class RunParameters(Strict):
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


class EstimateFigures(serializers.Serializer[Any]):
    """How the figures were measured that an estimate rests on."""

    measured_by = serializers.CharField(help_text="The command; it lives one game day.")
    measured_on = serializers.DateField()
    world = serializers.CharField()
    agent_count = serializers.IntegerField(min_value=1)


class EstimatedModels(serializers.Serializer[Any]):
    """The models of an estimate and their prices; null where a price is not known."""

    chat_model = serializers.CharField()
    embedding_model = serializers.CharField()
    price = ModelPrice(allow_null=True)
    embedding_price = ModelPrice(allow_null=True)
    is_priced = serializers.BooleanField(
        help_text="Whether both prices are known; otherwise `cost` counts nothing for them."
    )


class CostEstimate(Renaming):
    """What a planned run is going to cost, about."""

    ticks = serializers.IntegerField(min_value=1)
    people = serializers.IntegerField(min_value=0, **deprecated_name_of("agent_count"))
    agent_days = serializers.FloatField(
        min_value=0, help_text="Days of people's lives; an hour of the night counts like any."
    )
    total = Estimated()
    by_chain = EstimatedOfChain(many=True)
    unmeasured = serializers.ListField(
        child=serializers.CharField(), help_text="Chains of which nothing is known yet."
    )
    agent_count = serializers.IntegerField(min_value=0)
    models = EstimatedModels()
    figures = EstimateFigures()


class EstimateParameters(Strict):
    """How many game days of which agents with which model."""

    world = serializers.CharField(
        required=False,
        default="smallville",
        max_length=NAME_CHARACTERS_MAX,
        help_text="A world that GET /worlds lists.",
    )
    days = serializers.FloatField(
        required=False,
        default=1.0,
        min_value=DAYS_MIN,
        max_value=DAYS_MAX,
        help_text="Game days; hours of the night count like any.",
    )
    agents = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=AGENTS_MAX,
        help_text="How many agents; all agents of the world, if left out.",
    )
    model = serializers.CharField(
        required=False,
        max_length=MODEL_CHARACTERS_MAX,
        help_text='A model that is set up here ("offline", "openai:gpt-4o-mini"), or a hosted '
        'one of the price table ("gpt-4o-mini"); the default model, if left out.',
    )


class Estimate(SimulationView):
    """The estimate of a planned run."""

    query = RunParameters

    @extend_schema(
        operation_id="getCostEstimate",
        summary="What a run from now on is going to cost, about, and what that rests on",
        tags=["models"],
        responses={200: CostEstimate},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the estimate."""
        row = self.context.row
        forecast = estimate_run(row, self._ticks(), [chain.name for chain in wiring.LLM_TASKS])
        return Response(CostEstimate(_shown(forecast)).data)

    def _ticks(self) -> int:
        """Return the number of planned ticks; of two ends the nearer one counts."""
        settled = self.context.row.settled_tick
        planned: list[int] = []
        if "ticks" in self.parameters:
            planned.append(self.parameters["ticks"])
        if "until" in self.parameters:
            planned.append(self.parameters["until"] - settled)
        ticks = min(planned, default=SECONDS_PER_DAY // self.context.calendar.tick_seconds)
        if ticks < 1:
            detail = f"the simulation has settled tick {settled}; ask for a later time"
            raise InvalidRequest([FieldError(parameter="until", code="past", detail=detail)])
        return ticks


class EstimateOfDays(ApiView):
    """The estimate of game days, before a simulation or a key of a model exists."""

    errors: ClassVar = {"GET": (UnknownWorld, WorldBroken, UnknownModel, DomainError)}
    query = EstimateParameters

    @extend_schema(
        operation_id="estimateCosts",
        summary="Estimate calls, tokens and cost of game days, before anything is set up",
        tags=["models"],
        responses={200: CostEstimate},
    )
    def get(self, _request: Request) -> Response:
        """Show the estimate."""
        founding = Founding(
            name="estimate",
            world=self.parameters["world"],
            seed=0,
            model=self.parameters.get("model"),
            people=self.parameters.get("agents"),
        )
        ticks = round(
            self.parameters["days"] * SECONDS_PER_DAY / SimulationSettings().tick_seconds
        )
        chains = [chain.name for chain in wiring.LLM_TASKS]
        forecast = estimate_first_run(wiring.ports(), founding, ticks, chains)
        return Response(CostEstimate(_shown(forecast)).data)


def _shown(forecast: RunEstimate) -> dict[str, Any]:
    lines, models = forecast.estimate.lines, forecast.models
    by: Measurement = measurement()
    return {
        "ticks": forecast.ticks,
        "agent_count": forecast.people,
        "agent_days": forecast.agent_days,
        "total": {name: sum(getattr(line, name) for line in lines) for name in COUNTED},
        "by_chain": lines,
        "unmeasured": forecast.estimate.unmeasured,
        "models": {
            "chat_model": models.chat_model,
            "embedding_model": models.embedding_model,
            "price": show_price(models.prices.chat),
            "embedding_price": show_price(models.prices.embedding),
            "is_priced": models.prices.are_known,
        },
        "figures": {
            "measured_by": by.measured_by,
            "measured_on": by.measured_on,
            "world": by.world,
            "agent_count": by.people,
        },
    }
