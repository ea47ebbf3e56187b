"""Representations of experiments, their runs, events, values and summaries."""

from rest_framework import serializers

from apps.api.http.fields import GameTime, ResourceURL, Serializer, Strict, TextOrNull
from apps.api.http.value_serializers import serializer_of
from apps.api.resources.simulations.requests import BudgetField
from apps.api.resources.work import Work
from apps.experiments.design import ExperimentDesign
from apps.experiments.experiment_report import ListedFigure
from apps.experiments.queries import RunLine
from apps.experiments.results import ResultSummary, ResultValue
from apps.kernel.requested_values import Reason


class UseOfExperiment(Serializer):
    """Calls, tokens of prompts and answers together, and cost."""

    calls = serializers.IntegerField(min_value=0)
    tokens = serializers.IntegerField(min_value=0)
    cost = serializers.FloatField(
        min_value=0, help_text="In the currency of the price list; 0 without a price."
    )


class ExperimentEstimateShown(Serializer):
    """The expected use of an experiment, by recorded figures."""

    conditions = serializers.IntegerField(min_value=1)
    runs = serializers.IntegerField(min_value=1, help_text="Of the conditions, measured.")
    shared_pasts = serializers.IntegerField(
        min_value=0, help_text="Runs more, which are only forked."
    )
    ticks = serializers.IntegerField(min_value=0, help_text="Of all runs together.")
    shared_ticks = serializers.IntegerField(
        min_value=0, help_text="Of shared pasts, which are not run again."
    )
    total = UseOfExperiment()


class ExperimentSummary(Work):
    """An experiment in a list; its progress counts the measured runs that are over."""

    id = serializers.UUIDField()
    status_url = ResourceURL("getExperiment", experiment="id")
    name = serializers.CharField()
    title = serializers.CharField()


class Experiment(ExperimentSummary):
    """An experiment: its design, its progress, its estimate and its use."""

    design = serializers.DictField(help_text="As requested, with all defaults.")
    conditions = serializers.IntegerField(min_value=1)
    shared_pasts = serializers.IntegerField(
        min_value=0, help_text="Runs besides, which are only forked."
    )
    estimate = UseOfExperiment(help_text="Made before the start.")
    used = UseOfExperiment(help_text="So far, by all runs and their surveys.")
    runs_url = ResourceURL("listExperimentRuns", experiment="id")
    events_url = ResourceURL("listExperimentEvents", experiment="id")
    results_url = ResourceURL("listExperimentResults", experiment="id")
    summary_url = ResourceURL("listExperimentSummaries", experiment="id")
    report_url = ResourceURL("getExperimentReport", experiment="id")


ExperimentRun = serializer_of(RunLine, "ExperimentRun", problem=TextOrNull(allow_null=True))


class ExperimentEventShown(Serializer):
    """An event: what was requested, done or observed."""

    number = serializers.IntegerField(min_value=1)
    type = serializers.CharField()
    by = TextOrNull(allow_null=True, help_text="The user; null for the service.")
    data = serializers.DictField()  # type: ignore[assignment]
    recorded_at = serializers.DateTimeField(help_text="By the service's clock.")


ExperimentValue = serializer_of(ResultValue, "ExperimentValue", time=GameTime(source="moment"))
ConditionSummary = serializer_of(
    ResultSummary, "ConditionSummary", time=GameTime(source="moment")
)

ExperimentFigure = serializer_of(
    ListedFigure,
    "ExperimentFigure",
    problem=TextOrNull(
        allow_null=True,
        help_text="Why it is not drawn: no value yet, or one value in all runs; null if it is.",
    ),
)


class NewExperiment(ExperimentDesign):
    """An experiment that is to be carried out."""

    reason: Reason = ""
    """The reason; it is stored with the experiment."""


class ResumedBudget(Strict):
    """Another budget, if the old one is spent."""

    budget = BudgetField(required=False, help_text="Of all runs together, from the beginning.")
