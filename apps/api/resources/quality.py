"""The quality of a run: repetitions, outcomes of answers, and checks of its latest day."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.fields import Clock, Serializer, TextOrNull
from apps.api.http.simulation_views import AsOf, SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.api.resources.model_calls import OutcomesOfTask
from apps.evaluation.quality.counts import (
    CheckResult,
    RepetitionCount,
    RunQuality,
    latest_checks,
    passed_of,
    quality_badge,
    run_quality,
)
from apps.evaluation.quality.days import DayFigures
from apps.evaluation.quality.persona_drift import AgentDrift, DriftOfDay
from apps.simulation.queries import WorldChanged

RepetitionCounts = serializer_of(RepetitionCount, "RepetitionCounts", also=("repeated_share",))
QualityCheckResult = serializer_of(
    CheckResult,
    "QualityCheckResult",
    left_out=TextOrNull(
        allow_null=True,
        help_text="Why the check says nothing of this world; null if it was made.",
    ),
)


class FigureByDay(Serializer):
    """A count, a mean or a share, with a value for each day that is over."""

    name = serializers.CharField()
    values = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="Null of nothing."
    )


FiguresByDay = serializer_of(
    DayFigures, "FiguresByDay", without=("series",), figures=FigureByDay(many=True)
)


DriftByDay = serializer_of(DriftOfDay, "DriftByDay")
DriftOfAgent = serializer_of(AgentDrift, "DriftOfAgent")


class QualityParameters(AsOf):
    """The moment, and whether to count by day."""

    by_day = serializers.BooleanField(
        required=False,
        default=False,
        help_text="With `by_day` and `drift`, for which all days are read.",
    )


QualityReport = serializer_of(
    RunQuality,
    "QualityReport",
    also=("memories_per_agent_day",),
    answers=OutcomesOfTask(help_text="All answers of the model to turns, without interviews."),
    answers_by_task=OutcomesOfTask(many=True),
    as_of=Clock(source="as_of_tick"),
    checked_day=TextOrNull(
        allow_null=True,
        help_text="The date of the latest day that is over, at 3:00 of the next one; null "
        "before.",
    ),
    passed=serializers.IntegerField(
        min_value=0, help_text="Checks that were made and have no fault."
    ),
)


class Quality(SimulationView):
    """The quality of a run."""

    query = QualityParameters
    changes_later = True

    @operation("getQuality", "/quality", "evaluation", QualityReport, errors=(WorldChanged,))
    def get(self, request: Request, **_names: str) -> Response:
        """Count the quality of a run without a model, by default as of now.

        It reads the whole latest day of all agents, which takes seconds with many agents.
        """
        self.context.constants()  # the checks need the files of the world
        found = run_quality(
            self.context.id,
            wiring.ports().worlds,
            as_of_tick=self.context.as_of_tick,
            has_days=self.parameters["by_day"],
        )
        return Response(self.represent(QualityReport, found))


class QualityBadge(SimulationView):
    """The checks of a run as an image."""

    @operation(
        "getQualityBadge",
        "/quality/badge.svg",
        "evaluation",
        {(200, "image/svg+xml"): OpenApiTypes.STR},
        errors=(WorldChanged,),
    )
    def get(self, request: Request, **_names: str) -> HttpResponse:
        """Draw how many of the made checks the latest whole day has passed, as an SVG image."""
        self.context.constants()
        _, checks = latest_checks(
            self.context.id, wiring.ports().worlds, as_of_tick=self.context.as_of_tick
        )
        made = sum(not check.left_out for check in checks)
        badge = quality_badge(passed_of(checks), made)
        return HttpResponse(badge, content_type="image/svg+xml")
