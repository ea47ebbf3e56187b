"""Experiments: many runs under conditions, requested, estimated, listed, controlled."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework import serializers

from apps import wiring
from apps.api.http.fields import GameTime, ResourceURL, Serializer, TextOrNull
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import FOUNDING, Errors
from apps.api.resources.simulation_forms import SPECIFICATION_ERRORS
from apps.api.resources.work import (
    OfKind,
    Work,
    WorkRequests,
    WorkView,
    views_of_requests,
    views_of_work,
)
from apps.experiments.commands import EXPERIMENTS, request_experiment
from apps.experiments.design import ExperimentDesign, UnusableExperiment
from apps.experiments.design_checks import check_design, estimate_experiment
from apps.experiments.event_table import progress_of
from apps.experiments.experiment_report import ListedFigure
from apps.experiments.measure_registry import MeasureUnknown
from apps.experiments.queries import RunLine, list_experiments, spent_of
from apps.experiments.results import ResultSummary, ResultValue
from apps.kernel.request_models import RequestModel
from apps.kernel.requested_values import Reason
from apps.llm.calls.budget import Budget
from apps.work.rows import WorkRow


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


class ResumedBudget(RequestModel):
    """Another budget, if the old one is spent."""

    budget: Budget | None = None
    """Of all runs together, from the beginning; what was used so far counts. The old one, if
    left out."""


DESIGN_ERRORS: Errors = (UnusableExperiment, MeasureUnknown, *SPECIFICATION_ERRORS)


class _DesignView(OfKind):
    """A view that reads a design."""

    kind = EXPERIMENTS
    shown_as = Experiment

    @property
    def serializer_context(self) -> dict[str, Any]:
        """The context, with the owner of the questionnaires that a design names."""
        return super().serializer_context | {"owner": self.user}

    def shown(self, row: WorkRow) -> dict[str, Any]:
        """Return the representation of an experiment, with what its events amount to."""
        values = self.values_of([row])[0] | _values(row)
        shown: dict[str, Any] = self.represent(Experiment, values)
        return shown


class ExperimentRequests(WorkRequests, _DesignView):
    """The experiments of a user."""

    body_model = NewExperiment
    estimated_model = ExperimentDesign
    estimated_as = ExperimentEstimateShown
    listed_as = ExperimentSummary
    searched: ClassVar = {"name": "name", "title": "title"}

    def rows(self) -> QuerySet[Any]:
        """Return the experiments of the user."""
        return list_experiments(self.user.pk)

    def record(self, requested: NewExperiment) -> WorkRow:
        """Run simulations under conditions, measure them at moments, and compare them by seed.

        Every combination of the levels of world, settings, model and intervention is a
        condition. Runs that differ by an intervention only share their past as forks. You own
        the simulations, whose names begin with that of the experiment, and their use counts to
        the budget. `POST /experiments/estimate` estimates the cost before.
        """
        return request_experiment(
            wiring.ports(),
            requested,
            wiring.LLM_TASK_NAMES,
            by=self.user.get_username(),
            reason=requested.reason,
            owner_id=self.user.pk,
        )

    def estimate(self, requested: ExperimentDesign) -> dict[str, Any]:
        """Return the values of `ExperimentEstimateShown` of a validated design."""
        check_design(wiring.ports(), requested)
        found = estimate_experiment(wiring.ports(), requested, wiring.LLM_TASK_NAMES)
        return {
            "conditions": len(requested.conditions),
            "runs": len(requested.measured_runs),
            "shared_pasts": requested.shared_pasts,
            "ticks": found.ticks,
            "shared_ticks": found.shared_ticks,
            "total": found.total,
        }


class ExperimentView(_DesignView, WorkView):
    """A view of one experiment of the user."""

    address: ClassVar[str] = "/api/v1/experiments/{experiment}"
    parameter = "experiment"
    resumption = ResumedBudget

    def found_by(self, **_names: str) -> dict[str, Any]:
        """Return the owner."""
        return {"owner_id": self.user.pk}


VIEWS = views_of_work(ExperimentView, tag="evaluation") + views_of_requests(
    ExperimentRequests,
    tag="evaluation",
    route="/experiments",
    request_id="createExperiment",
    rate=FOUNDING,
    errors=DESIGN_ERRORS,
)


def _values(row: WorkRow) -> dict[str, Any]:
    progress = progress_of(row.pk)
    return {
        "design": progress.design.to_json(),
        "conditions": len(progress.design.conditions),
        "shared_pasts": progress.design.shared_pasts,
        "estimate": progress.requested.estimate["total"],
        "used": spent_of(progress),
    }
