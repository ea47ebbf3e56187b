"""The quality of a run: repetitions, outcomes of answers, and checks of its latest day."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.fields import Clock, Serializer, TextOrNull
from apps.api.http.moments import AsOf
from apps.api.http.operation import operation
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.model_calls import OutcomesOfTask
from apps.evaluation.quality.badge import quality_badge
from apps.evaluation.quality.counts import latest_checks, passed_of, run_quality
from apps.simulation.queries import WorldChanged


class RepetitionCounts(Serializer):
    """How many texts there are, and how many repeat an earlier one but for names."""

    count = serializers.IntegerField(min_value=0)
    repeated = serializers.IntegerField(min_value=0)
    repeated_share = serializers.FloatField(min_value=0, max_value=1, allow_null=True)


class QualityCheckResult(Serializer):
    """A check of the latest whole day."""

    name = serializers.CharField()
    fault_count = serializers.IntegerField(min_value=0)
    faults = serializers.ListField(
        child=serializers.CharField(), help_text="The first ten of them, in words."
    )
    left_out = TextOrNull(
        allow_null=True,
        help_text="Why the check says nothing of this world; null if it was made.",
    )


class FigureByDay(Serializer):
    """A count, a mean or a share, with a value for each day that is over."""

    name = serializers.CharField()
    values = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="Null of nothing."
    )


class FiguresByDay(Serializer):
    """The figures of the days that are over."""

    dates = serializers.ListField(child=serializers.CharField())
    figures = FigureByDay(many=True)


def _share(help_text: str) -> serializers.FloatField:
    return serializers.FloatField(
        min_value=0, max_value=1, allow_null=True, help_text=help_text
    )


class DriftByDay(Serializer):
    """An agent at the end of a day, compared with its description; shares are 0 to 1."""

    date = serializers.CharField()
    seeds_in_summary = _share("The phrases of the description that its summary has.")
    occupation_in_summary = serializers.BooleanField(allow_null=True)
    facts_kept = _share("The lasting facts of its description that hold unchanged.")
    occupation_kept = _share("Those about its occupation.")
    pursuits_kept = _share("Those about its pursuits.")
    facts_added = serializers.IntegerField(min_value=0, help_text="Facts from elsewhere.")
    action_divergence = serializers.FloatField(
        min_value=0,
        max_value=1,
        allow_null=True,
        help_text="The Jensen-Shannon divergence, in bits, of the time by used object or area "
        "from that of the first day.",
    )


class DriftOfAgent(Serializer):
    """How far an agent has moved from its description."""

    agent = serializers.CharField()
    days = DriftByDay(many=True)


class QualityParameters(AsOf):
    """The moment, and whether to count by day."""

    by_day = serializers.BooleanField(
        required=False,
        default=False,
        help_text="With `by_day` and `drift`, for which all days are read.",
    )


class QualityReport(Serializer):
    """The quality of a run, counted without a model."""

    as_of = Clock(source="as_of_tick")
    agents = serializers.IntegerField(min_value=0)
    agent_days = serializers.FloatField(min_value=0)
    memories_per_agent_day = serializers.FloatField(min_value=0, allow_null=True)
    memories = RepetitionCounts(help_text="Repeated are those in the words of an earlier one.")
    utterances = RepetitionCounts()
    reflections = RepetitionCounts(help_text="Insights; numbers are left out like names.")
    answers = OutcomesOfTask(help_text="All answers of the model to turns, without interviews.")
    answers_by_task = OutcomesOfTask(many=True)
    checked_day = TextOrNull(
        allow_null=True,
        help_text="The date of the latest day that is over, at 3:00 of the next one; null "
        "before.",
    )
    passed = serializers.IntegerField(
        min_value=0, help_text="Checks that were made and have no fault."
    )
    checks = QualityCheckResult(
        many=True,
        help_text="Impossible or senseless behaviour on that day. A check that the world or "
        "its language does not support is left out, with the reason.",
    )
    by_day = FiguresByDay(
        allow_null=True, help_text="Null unless requested. A day begins at 3:00."
    )
    drift = DriftOfAgent(
        many=True, allow_null=True, help_text="Null unless requested; by agent and day."
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
