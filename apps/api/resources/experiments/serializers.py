"""Representations of experiments, their runs, events, values and summaries."""

from rest_framework import serializers

from apps.api.http.fields import Choice, GameTime, ResourceURL, Serializer, TextOrNull
from apps.api.resources.work import Work
from apps.work.rows import WorkState


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


class ExperimentRun(Serializer):
    """A run: what it has come to, its estimate, and what it has used."""

    number = serializers.IntegerField(min_value=1)
    key = serializers.CharField(help_text="Its levels and its seed.")
    world = serializers.CharField()
    settings = serializers.CharField()
    model = serializers.CharField()
    intervention = serializers.CharField(help_text='"-" for a run that is only forked.')
    seed = serializers.IntegerField(min_value=0)
    is_measured = serializers.BooleanField()
    state = Choice(choices=WorkState.choices)
    problem = TextOrNull(allow_null=True)
    simulation = serializers.UUIDField(allow_null=True)
    parent = serializers.UUIDField(  # type: ignore[assignment]
        allow_null=True, help_text="The simulation that it was forked from."
    )
    fork_tick = serializers.IntegerField(allow_null=True)
    committed_tick = serializers.IntegerField(allow_null=True)
    until_tick = serializers.IntegerField(allow_null=True)
    measured_moments = serializers.IntegerField(min_value=0)
    estimated_calls = serializers.IntegerField(min_value=0)
    estimated_tokens = serializers.IntegerField(min_value=0)
    estimated_cost = serializers.FloatField(min_value=0)
    calls = serializers.IntegerField(min_value=0)
    tokens = serializers.IntegerField(min_value=0)
    cost = serializers.FloatField(min_value=0)


class ExperimentEventShown(Serializer):
    """An event: what was requested, done or observed."""

    number = serializers.IntegerField(min_value=1)
    type = serializers.CharField()
    by = TextOrNull(allow_null=True, help_text="The user; null for the service.")
    data = serializers.DictField()  # type: ignore[assignment]
    recorded_at = serializers.DateTimeField(help_text="By the service's clock.")


class ConditionLevels(Serializer):
    """The levels of a condition."""

    world = serializers.CharField()
    settings = serializers.CharField()
    model = serializers.CharField()
    intervention = serializers.CharField()


class ExperimentValue(ConditionLevels):
    """A value of a measure of one run as of a moment."""

    number = serializers.IntegerField(min_value=1)
    experiment = serializers.CharField()
    seed = serializers.IntegerField(min_value=0)
    time = GameTime(source="moment")
    tick = serializers.IntegerField(min_value=0)
    measure = serializers.CharField()
    value = serializers.FloatField(allow_null=True, help_text="Null if there is none.")


def _number(help_text: str) -> serializers.FloatField:
    return serializers.FloatField(allow_null=True, help_text=help_text)


class ConditionSummary(ConditionLevels):
    """A measure under a condition as of a moment, over the seeds, against the baseline."""

    number = serializers.IntegerField(min_value=1)
    time = GameTime(source="moment")
    tick = serializers.IntegerField(min_value=0)
    measure = serializers.CharField()
    runs = serializers.IntegerField(min_value=0, help_text="Those with a value.")
    mean = _number("Over the seeds.")
    standard_deviation = _number("Over the seeds; null of one.")
    low = _number("The lower end of the 95 % bootstrap interval of the mean.")
    high = _number("Its upper end.")
    is_baseline = serializers.BooleanField()
    pairs = serializers.IntegerField(min_value=0, help_text="Seeds of both conditions.")
    difference = _number("From the baseline, the mean over the pairs.")
    difference_low = _number("The lower end of its 95 % bootstrap interval.")
    difference_high = _number("Its upper end.")
    t_p = _number("Of the paired t-test, two-sided; null without a spread or without scipy.")
    wilcoxon_p = _number("Of Wilcoxon's signed-rank test, two-sided.")
    reference = _number("A published value.")


class ExperimentFigure(Serializer):
    """A figure of the report: a measure by condition over the moments."""

    number = serializers.IntegerField(min_value=1)
    name = serializers.CharField(help_text="Of the address `…/plots/{name}.svg`.")
    measure = serializers.CharField()
    title = serializers.CharField(help_text="What the measure counts.")
    unit = serializers.CharField()
    problem = TextOrNull(
        allow_null=True,
        help_text="Why it is not drawn: no value yet, or one value in all runs; null if it is.",
    )
