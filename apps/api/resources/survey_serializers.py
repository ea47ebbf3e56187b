"""The bodies, parameters and responses of surveys."""

from rest_framework import serializers

from apps.api.http.downloads import FormatParameter
from apps.api.http.fields import (
    Choice,
    Clock,
    PastMoment,
    ResourceURL,
    Slug,
    Text,
)
from apps.api.http.lists import Paged, order_parameter, search_parameter
from apps.api.resources.costs import WorkEstimate
from apps.api.resources.interviews import Interview
from apps.api.resources.typed_questions import CONDITIONS_HELP, ConditionField, NameField
from apps.api.resources.work import LimitedWork, Progress, TokenLimit, stored_reason
from apps.interaction.commands import PERSONA_CHARACTERS_MAX
from apps.interaction.context import PERSONA_DEFAULT
from apps.work.rows import WorkState

AGENTS_MAX, MOMENTS_MAX, CONDITIONS_MAX = 10_000, 1_000, 16


class RequestedSurvey(TokenLimit):
    """A questionnaire, and who is asked when under which conditions."""

    questionnaire = NameField(help_text="A name that GET /questionnaires lists.")
    agents = serializers.ListField(
        child=Slug(),
        required=False,
        max_length=AGENTS_MAX,
        help_text="All agents that are there at each moment, if left out.",
    )
    moments = serializers.ListField(
        child=PastMoment(),
        required=False,
        min_length=1,
        max_length=MOMENTS_MAX,
        help_text="Committed game times or ticks; now, if left out.",
    )
    conditions = serializers.ListField(
        child=ConditionField(),
        required=False,
        min_length=1,
        max_length=CONDITIONS_MAX,
        help_text=f"{CONDITIONS_HELP} Only `full`, if left out.",
    )
    persona = Text(
        max_length=PERSONA_CHARACTERS_MAX,
        required=False,
        default=PERSONA_DEFAULT,
        help_text="The role of the interviewer for the agents.",
    )
    reason = stored_reason("survey")


class SurveyProgress(Progress):
    """The interviews of a survey by their outcome."""

    answered = serializers.IntegerField(min_value=0)
    failed = serializers.IntegerField(min_value=0)
    invalid = serializers.IntegerField(
        min_value=0,
        help_text="Of the answered ones, those in which the model gave no valid answer.",
    )
    without_value = serializers.DictField(
        child=serializers.IntegerField(min_value=1),
        help_text="The answers to typed questions that have no value, by the `no_value` of the "
        "interviews.",
    )


class Survey(LimitedWork):
    """A survey and its progress."""

    id = serializers.UUIDField()
    status_url = ResourceURL("getSurvey", simulation="simulation_id", survey="id")
    questionnaire = serializers.CharField(
        source="questionnaire.name", help_text="Its name when the survey was requested."
    )
    agents = serializers.ListField(child=serializers.CharField())
    moments = Clock(source="ticks", many=True)
    conditions = serializers.ListField(child=serializers.CharField())
    persona = serializers.CharField()
    progress = SurveyProgress()


# The columns of downloads have the order of the fields: a new one is put last.
class SurveyInterview(Interview):
    """An interview of a survey, with the name and the category of its question."""

    # The survey has the progress and says what it waits for.
    progress = None  # type: ignore[assignment]
    waits_for = None  # type: ignore[assignment]
    waits_since = None  # type: ignore[assignment]
    question_name = serializers.CharField()
    category = serializers.CharField()


class SurveyEstimate(WorkEstimate):
    """The expected use of a survey."""

    interviews = serializers.IntegerField(min_value=0)


class SurveyInterviewFilters(Paged, FormatParameter):
    """The filters and the order of a survey's interviews."""

    agent = Slug(required=False, help_text="Only interviews with this agent.")
    question = NameField(required=False, help_text="Only interviews with this question.")
    conditions = ConditionField(
        required=False, help_text="Only interviews under this condition."
    )
    state = Choice(
        choices=WorkState.choices,
        required=False,
        help_text="Only interviews in this state.",
    )
    search = search_parameter("question, answer")
    order = order_parameter("number")
