"""The quality of a run: repetitions, outcomes of answers, and checks of its latest day."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.http.fields import Clock, Serializer, TextOrNull
from apps.api.http.operation import operation
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.model_calls import OutcomesOfTask
from apps.evaluation.quality.counts import run_quality
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


class QualityReport(Serializer):
    """The quality of a run, counted without a model."""

    as_of = Clock(source="as_of_tick")
    agents = serializers.IntegerField(min_value=0)
    agent_days = serializers.FloatField(min_value=0)
    memories_per_agent_day = serializers.FloatField(min_value=0, allow_null=True)
    memories = RepetitionCounts(help_text="Repeated are those in the words of an earlier one.")
    utterances = RepetitionCounts()
    reflections = RepetitionCounts(help_text="Insights; numbers are left out like names.")
    answers = OutcomesOfTask(help_text="All answers of the model.")
    answers_by_task = OutcomesOfTask(many=True)
    checked_day = TextOrNull(
        allow_null=True,
        help_text="The date of the latest day that is over, at 3:00 of the next one; null "
        "before.",
    )
    passed = serializers.IntegerField(min_value=0, help_text="Checks without a fault.")
    checks = QualityCheckResult(
        many=True,
        help_text="Impossible or senseless behaviour on that day. Checks that read words are "
        "left out in worlds of other languages than English.",
    )


class Quality(SimulationView):
    """The quality of a run."""

    changes_later = True

    @operation("getQuality", "evaluation", QualityReport, errors=(WorldChanged,))
    def get(self, request: Request, **_names: str) -> Response:
        """Count the quality of a run without a model, by default as of now.

        It reads the whole latest day of all agents, which takes seconds with many agents.
        """
        self.context.constants()  # the checks need the files of the world
        tick = self.context.as_of_tick
        found = run_quality(self.context.id, wiring.ports().worlds_root, as_of_tick=tick)
        return Response(self.represent(QualityReport, found))
