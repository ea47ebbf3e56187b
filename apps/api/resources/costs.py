"""The models and their prices; the costs of a simulation so far and of planned runs."""

from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import history, wiring
from apps.access.rights import NotAllowed
from apps.api.http.fields import Choice, MomentParameter, Serializer, Strict, TextOrNull
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_views import AsOf, SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import THINKING, ApiView, operation
from apps.api.resources.model_calls import billed_tokens, cached_tokens
from apps.history.agent_days import HourCounts
from apps.kernel.errors import DomainError
from apps.kernel.game_time import TICK_MAX
from apps.kernel.requested_values import AGENTS_MAX, NAME_CHARACTERS_MAX
from apps.llm.calls import queries as llm_queries
from apps.llm.calls.queries import CostGroup
from apps.llm.catalogue import ModelNotAllowed, OfferedModel, list_models
from apps.llm.estimates import Estimate as ExpectedUse
from apps.llm.estimates import Measurement, RestsOn, measurement
from apps.llm.model_spec import MODEL_CHARACTERS_MAX, UnknownModel
from apps.llm.usage import Usage, UsageLine
from apps.simulation.engine.lifecycle import SimulationSpec
from apps.simulation.engine.model_check import CheckedCapability, ModelCheck, check_model
from apps.simulation.engine.run_estimates import RunEstimate, estimate_first_run, estimate_run
from apps.simulation.settings import SimulationSettings
from apps.world.problems import UnknownWorld, WorldBroken

SECONDS_PER_DAY = 86_400
DAYS_MIN, DAYS_MAX = 0.01, 10_000


class ModelPrice(Serializer):
    """The price of a million tokens, as the operator or the preset of the server has it."""

    prompt = serializers.FloatField(
        min_value=0, help_text="Of an embedding model: of its texts."
    )
    cached_prompt = serializers.FloatField(
        min_value=0, allow_null=True, help_text="Of a prompt's tokens in the server's cache."
    )
    completion = serializers.FloatField(min_value=0)
    source = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True,
        help_text="The price list; MODEL_PRICES if the operator set it there; empty for models "
        "that answer on this machine.",
    )
    as_of = TextOrNull(
        allow_null=True,
        help_text="The day on which the price list was read; null for the other two.",
    )


ModelOffer = serializer_of(
    OfferedModel,
    "ModelOffer",
    model=serializers.CharField(source="name", help_text="`model` of `POST /simulations`."),
    price=ModelPrice(
        allow_null=True,
        help_text="Null if it is not known; then a budget of money is rejected.",
    ),
    embedding_price=ModelPrice(allow_null=True),
)


class Models(ListView):
    """The models that simulations may use."""

    query = list_parameters("model, embedding model", "model")

    @operation("listModels", "/models", "models", page_of_items(ModelOffer))
    def get(self, request: Request) -> Any:
        """List the models that simulations may use, with their prices."""
        return self.page_of(
            list_models(), ModelOffer, "name", "embedding_model", model=("name",)
        )


class Estimated(Serializer):
    """Calls, tokens and cost."""

    calls = serializers.IntegerField(min_value=0)
    prompt_tokens = serializers.IntegerField(min_value=0)
    cached_prompt_tokens = cached_tokens()
    completion_tokens = serializers.IntegerField(min_value=0)
    billed_equivalent_tokens = billed_tokens()
    cost = serializers.FloatField(
        min_value=0, help_text="In the currency of the price list; 0 without a price."
    )


CapabilityOfModel = serializer_of(
    CheckedCapability,
    fix=TextOrNull(
        allow_null=True,
        help_text="The line for the server in MODELS_FILE, or what to change at the server "
        "itself; null if nothing is to be changed.",
    ),
)
CheckOfModel = serializer_of(
    ModelCheck,
    "ModelCheck",
    also=("day_minutes", "is_usable"),
    day=Estimated(help_text="What an agent-day uses, by the figures of `GET /costs/estimate`."),
)


class CheckedModel(ApiView):
    """What a model can do, for administrators: each check makes about ten calls of it."""

    rate_limits: ClassVar = {"POST": THINKING}
    waits_for_llm = True

    @operation(
        "checkModel",
        "/models/{model}/check",
        "models",
        CheckOfModel,
        errors=(NotAllowed, UnknownModel, ModelNotAllowed),
    )
    def post(self, request: Request, model: str) -> Response:
        """Check what a model can do.

        Each capability is tried by a call of the kind that runs make: `works` says whether it
        does, `fix` what to change if not. A server that does not answer is a result as well.
        Only for administrators, since the calls cost money.
        """
        if not self.user.is_superuser:
            raise NotAllowed("the models of the service are checked by administrators only")
        return Response(self.represent(CheckOfModel, check_model(model, wiring.LLM_TASK_NAMES)))


class CostOfGroup(Estimated):
    """The costs of a group of calls; failed ones count where tokens were paid."""

    key = serializers.CharField()
    latency_ms = serializers.IntegerField(min_value=0)


PlannedHours = serializer_of(HourCounts, "PlannedHours")
TokenNotes = serializer_of(llm_queries.TokenNotes)


class CostTable(Serializer):
    """The costs of a simulation, now with calls of turns in progress."""

    total = CostOfGroup()
    tokens = TokenNotes()
    hours = PlannedHours()
    by_task = CostOfGroup(many=True, required=False)
    by_model = CostOfGroup(
        many=True, required=False, help_text="By model, as `server:model`; or `offline`."
    )
    by_agent = CostOfGroup(many=True, required=False)
    by_day = CostOfGroup(
        many=True, required=False, help_text="By game day; the key is its date."
    )


class CostParameters(AsOf):
    """The grouping of the costs."""

    by = Choice(
        choices=[group.value for group in CostGroup],
        required=False,
        help_text="Only this one of the tables, besides the total.",
    )


class Costs(SimulationView):
    """The costs of a simulation."""

    query = CostParameters
    changes_later = True

    @operation("getCosts", "/costs", "models", CostTable)
    def get(self, request: Request, **_names: str) -> Response:
        """Show the costs of the model calls, by LLM task, model, agent and game day."""
        by_task = self._costs(CostGroup.TASK)
        shown: dict[str, Any] = {
            "total": {"key": llm_queries.ALL} | asdict(sum(by_task, Usage())),
            "tokens": llm_queries.token_notes(self.context.id, as_of_tick=self._as_of_tick),
            "hours": history.hour_counts(self.context.id, as_of_tick=self._as_of_tick),
        }
        groups = [self.parameters["by"]] if "by" in self.parameters else list(CostGroup)
        for group in groups:
            shown[f"by_{group}"] = self._lines(CostGroup(group))
        return Response(self.represent(CostTable, shown))

    @property
    def _as_of_tick(self) -> int | None:
        """The tick as of which the costs are read; None for all calls."""
        return self.context.as_of_tick if self.reads_past else None

    def _costs(self, group: CostGroup, **days: int) -> list[UsageLine]:
        return llm_queries.costs(self.context.id, by=group, as_of_tick=self._as_of_tick, **days)

    def _lines(self, group: CostGroup) -> list[UsageLine]:
        if group is not CostGroup.DAY:
            return self._costs(group)
        calendar = self.context.calendar
        tomorrow = calendar.start.replace(hour=0, minute=0, second=0) + timedelta(days=1)
        lines = self._costs(
            CostGroup.DAY,
            ticks_per_day=SECONDS_PER_DAY // calendar.tick_seconds,
            ticks_before_midnight=calendar.tick_at(tomorrow),
        )
        first = calendar.start.date()
        return [
            replace(line, key=(first + timedelta(days=int(line.key))).isoformat())
            for line in lines
        ]


class RunParameters(Strict):
    """The end of the planned run; a game day from now by default."""

    until = MomentParameter(required=False)
    ticks = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=TICK_MAX,
        help_text="The number of ticks from now on; with `until`, the nearer end counts.",
    )


class EstimateParameters(Strict):
    """The world, the number of game days and agents, and the model."""

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
        help_text="The number of agents; all agents of the world, if left out.",
    )
    model = serializers.CharField(
        required=False,
        max_length=MODEL_CHARACTERS_MAX,
        help_text='A model that is set up here ("offline", "openai:gpt-4o-mini"), or a hosted '
        'one of the price table ("gpt-4o-mini"); the default model, if left out.',
    )


class EstimatedOfTask(Estimated):
    """The estimate of one LLM task, and its source."""

    task = serializers.CharField(source="key")
    rests_on = Choice(
        choices=RestsOn,
        help_text="The simulation's own past, once it is a day long; before that figures that "
        "were measured on the rule-based model, with the tokens of own calls if there are "
        "enough of them.",
    )


class WorkEstimate(Estimated):
    """The expected use of background work, before it is requested."""

    is_priced = serializers.BooleanField(
        help_text="Whether the price of the model is known; else `cost` is 0."
    )
    by_task = EstimatedOfTask(many=True)


def work_estimate(found: ExpectedUse, **more: Any) -> dict[str, Any]:
    """Return the values of `WorkEstimate`, and more of a kind."""
    return asdict(found.total) | {"is_priced": found.is_priced, "by_task": found.lines} | more


EstimateFigures = serializer_of(
    Measurement,
    "EstimateFigures",
    measured_on=serializers.DateField(),
    agent_count=serializers.IntegerField(source="agents", min_value=1),
)


class EstimatedModels(Serializer):
    """The models of an estimate and their prices; null where a price is not known."""

    chat_model = serializers.CharField()
    embedding_model = serializers.CharField()
    price = ModelPrice(source="prices.chat", allow_null=True)
    embedding_price = ModelPrice(source="prices.embedding", allow_null=True)
    is_priced = serializers.BooleanField(
        source="prices.are_known",
        help_text="Whether both prices are known; `cost` does not count an unknown one.",
    )


class CostEstimate(Serializer):
    """The estimated cost of a planned run."""

    ticks = serializers.IntegerField(min_value=1)
    agent_days = serializers.FloatField(
        min_value=0, help_text="Days of all agents; an hour of the night counts like any."
    )
    total = Estimated()
    by_task = EstimatedOfTask(many=True)
    unmeasured = serializers.ListField(
        child=serializers.CharField(), help_text="LLM tasks without any figures."
    )
    agent_count = serializers.IntegerField(min_value=0)
    models = EstimatedModels()
    figures = EstimateFigures()


class Estimate(SimulationView):
    """The estimate of a planned run."""

    query = RunParameters

    @operation("getCostEstimate", "/costs/estimate", "models", CostEstimate)
    def get(self, request: Request, **_names: str) -> Response:
        """Estimate the cost of a run from now on, and name the source of the estimate."""
        forecast = estimate_run(self.context.row, self._ticks(), wiring.LLM_TASK_NAMES)
        return Response(self.represent(CostEstimate, _values_of(forecast)))

    def _ticks(self) -> int:
        """Return the number of planned ticks; of two ends the nearer one counts."""
        committed_tick = self.context.row.committed_tick
        planned = [self.parameters["ticks"]] if "ticks" in self.parameters else []
        if "until" in self.parameters:
            planned.append(self.parameters["until"] - committed_tick)
        ticks: int = min(planned, default=SECONDS_PER_DAY // self.context.calendar.tick_seconds)
        if ticks < 1:
            latest = self.context.calendar.moment(committed_tick)
            detail = f"the simulation has come to {latest}; name a later time"
            raise InvalidRequest([FieldError(parameter="until", code="past", detail=detail)])
        return ticks


class EstimateOfDays(ApiView):
    """The estimate of game days, without a simulation or the key of a model."""

    query = EstimateParameters

    @operation(
        "estimateCosts",
        "/costs/estimate",
        "models",
        CostEstimate,
        errors=(UnknownWorld, WorldBroken, UnknownModel, DomainError),
    )
    def get(self, request: Request) -> Response:
        """Estimate calls, tokens and cost of game days, before anything is set up."""
        spec = SimulationSpec(
            name="estimate",
            world=self.parameters["world"],
            seed=0,
            model=self.parameters.get("model"),
            agents=self.parameters.get("agents"),
        )
        seconds = self.parameters["days"] * SECONDS_PER_DAY
        ticks = round(seconds / SimulationSettings().tick_seconds)
        forecast = estimate_first_run(wiring.ports(), spec, ticks, wiring.LLM_TASK_NAMES)
        return Response(self.represent(CostEstimate, _values_of(forecast)))


def _values_of(forecast: RunEstimate) -> dict[str, Any]:
    return {
        "ticks": forecast.ticks,
        "agent_count": forecast.agents,
        "agent_days": forecast.agent_days,
        "total": forecast.estimate.total,
        "by_task": forecast.estimate.lines,
        "unmeasured": forecast.estimate.unmeasured,
        "models": forecast.models,
        "figures": measurement(),
    }
