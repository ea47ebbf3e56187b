"""Trials of models: requested, estimated, listed, shown; their answers."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request

from apps import wiring
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import Choice, GameTime, ResourceURL, Serializer, Tick
from apps.api.http.lists import Paged, order_parameter, search_parameter
from apps.api.http.simulation_views import SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import THINKING, operation
from apps.api.resources.costs import WorkEstimate, work_estimate
from apps.api.resources.model_calls import task_parameter
from apps.api.resources.work import (
    LimitedWork,
    OfKind,
    SimulationWorkRequests,
    SimulationWorkView,
    TokenLimit,
    views_of_requests,
    views_of_work,
    work_values,
)
from apps.kernel.request_models import RequestModel
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.calls.budget import Money
from apps.llm.catalogue import ModelNotAllowed, named_models, parse_chat_model
from apps.llm.estimates import Past, estimate_calls
from apps.llm.model_spec import UnknownModel
from apps.llm.prices import PriceUnknown
from apps.replays import trial_reports
from apps.replays.trial_sample import (
    TrialRequest,
    UnusableTrial,
    expected_use,
    sample_of,
    span_of,
)
from apps.replays.trials import TRIALS, request_trial


class TrialLimits(TokenLimit):
    """Other limits of a trial."""

    money_max: Money | None = None
    """The trial pauses when its calls have cost so much."""


serializer_of(trial_reports.TrialUse)
TrialLine = serializer_of(trial_reports.TrialLine, also=("valid_share", "equal_share"))


class ModelTrial(LimitedWork):
    """A trial of a model, and what it has found so far."""

    id = serializers.UUIDField()
    status_url = ResourceURL("getModelTrial", simulation="simulation_id", trial="id")
    model = serializers.CharField(help_text="The model that is asked.")
    from_tick = Tick()
    to_tick = Tick()
    tasks = serializers.ListField(child=serializers.CharField())
    calls_per_task = serializers.IntegerField(min_value=1)
    seed = serializers.IntegerField(min_value=0)
    calls = serializers.IntegerField(
        min_value=1, help_text="Recorded calls that the model is asked again."
    )
    left_out = serializers.IntegerField(
        min_value=0,
        allow_null=True,
        help_text="Those of `calls` whose prompt this version of the service no longer "
        "produces: they were not asked; null until the trial is done.",
    )
    money = serializers.FloatField(min_value=0, help_text="What its calls have cost so far.")
    money_max = serializers.FloatField(allow_null=True)
    total = TrialLine()
    by_task = TrialLine(many=True)


class TrialAnswer(Serializer):
    """The answer of the other model to a recorded call."""

    id = serializers.CharField(source="call_id", help_text="That of the recorded call.")
    tick = serializers.IntegerField(min_value=0)
    time = GameTime(source="tick")
    agent = serializers.CharField(source="stream")
    task = serializers.CharField()
    outcome = Choice(choices=AnswerOutcome)
    recorded_outcome = Choice(choices=AnswerOutcome)
    prompt_tokens = serializers.IntegerField(min_value=0)
    completion_tokens = serializers.IntegerField(min_value=0)
    latency_ms = serializers.IntegerField(min_value=0)
    cost = serializers.FloatField(
        min_value=0, allow_null=True, help_text="Null if the price is not known."
    )
    recorded_model = serializers.CharField()
    answer = serializers.DictField(help_text="The answer that would be done.")
    decision = serializers.ListField(
        child=serializers.ListField(),
        allow_null=True,
        help_text="The facts of the answer that lead to events; null for a task of text alone, "
        "and for a fallback.",
    )
    recorded_decision = serializers.ListField(
        child=serializers.ListField(), allow_null=True, help_text="Those of the recorded one."
    )
    is_equal = serializers.BooleanField(
        allow_null=True, help_text="Whether both decisions are equal; null without two of them."
    )
    overlap = serializers.FloatField(
        allow_null=True, help_text="The share of the facts that both decisions have."
    )


class TrialEstimate(WorkEstimate):
    """The expected use of a trial, by what the recorded calls used."""


class TrialAnswerFilters(Paged, FormatParameter):
    """The filters and the order of the answers of a trial."""

    task = task_parameter()
    is_equal = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Only answers whose decision is equal, or is not.",
    )
    search = search_parameter("task, agent")
    order = order_parameter("tick")


class OfTrials(OfKind):
    """A view that shows trials."""

    kind = TRIALS
    shown_as = ModelTrial

    def values_of(self, rows: Sequence[Any]) -> list[dict[str, Any]]:
        """Return the values of trials with what they have found."""
        lines = trial_reports.lines_of_trials(rows)
        return [
            values | {"by_task": lines[row.pk][:-1], "total": lines[row.pk][-1]}
            for values, row in zip(work_values(self.kind, rows), rows, strict=True)
        ]


class TrialRequests(OfTrials, SimulationWorkRequests):
    """The trials of models on a simulation; a request needs the right to command: it pays."""

    body_model = TrialRequest
    estimated_as = TrialEstimate
    searched: ClassVar = {"model": "model", "by": "by", "reason": "reason"}

    def record(self, requested: TrialRequest) -> Any:
        """Ask another model a sample of the recorded calls, and compare the answers.

        Nothing of the simulation changes. The answers are validated as those of a turn, and
        their decisions, which each LLM task declares, are compared with the recorded ones.
        """
        return request_trial(
            wiring.ports(), self.context.id, requested, by=self.user.get_username()
        )

    def estimate(self, requested: TrialRequest) -> dict[str, Any]:
        """Return the values of `TrialEstimate`."""
        spec = parse_chat_model(requested.model)
        span = span_of(self.context.row, requested.from_, requested.to)
        sample = sample_of(
            self.context.id, span, requested.tasks, requested.calls_per_task, requested.seed
        )
        prices = named_models(spec, can_wait=True).prices
        return work_estimate(
            estimate_calls(expected_use(self.context.id, sample), Past(used={}), prices)
        )


class TrialView(OfTrials, SimulationWorkView):
    """A view below a trial."""

    address: ClassVar[str] = f"{SimulationView.address}/model-trials/{{trial}}"
    parameter = "trial"
    resumption: ClassVar[type[RequestModel]] = TrialLimits


VIEWS = views_of_work(TrialView, tag="models") + views_of_requests(
    TrialRequests,
    tag="models",
    route="/model-trials",
    request_id="requestModelTrial",
    rate=THINKING,
    errors=(UnusableTrial, UnknownModel, ModelNotAllowed, PriceUnknown),
)


class TrialAnswers(DownloadableList, TrialView):
    """The answers of a trial, in pages or as one file."""

    query = TrialAnswerFilters

    @operation("listModelTrialAnswers", "/answers", "models", page_or_download(TrialAnswer))
    def get(self, request: Request, **_names: str) -> Any:
        """List the answers of the other model, in the order of tick, agent, call."""
        asked = {name: self.parameters.get(name) for name in ("task", "is_equal")}
        given = {name: value for name, value in asked.items() if value is not None}
        rows = self.matching(self.work_row.answers.filter(**given), "task", "stream")
        return self.page(rows, TrialAnswer, tick=("tick", "stream", "pk"))
