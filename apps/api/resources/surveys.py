"""Surveys: requested, estimated, listed; their interviews."""

from itertools import chain
from typing import Annotated, Any, ClassVar

from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request

from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import Choice, Clock, ResourceURL, SlugParameter
from apps.api.http.lists import Paged, order_parameter, search_parameter
from apps.api.http.simulation_views import SimulationView, committed
from apps.api.http.views import THINKING, operation
from apps.api.resources.costs import WorkEstimate, work_estimate
from apps.api.resources.interviews import Interview, interview_values
from apps.api.resources.work import (
    LimitedWork,
    SimulationWorkRequests,
    SimulationWorkView,
    TokenLimit,
    progress_of_work,
    views_of_requests,
    views_of_work,
    work_values,
)
from apps.evaluation.expected_calls import expected_of_survey
from apps.evaluation.models import SurveyRow
from apps.evaluation.questionnaires.typed_questions import (
    NAME_CHARACTERS_MAX,
    QuestionnaireName,
    QuestionnaireUnknown,
    get_questionnaire,
)
from apps.evaluation.surveys import commands as surveys
from apps.evaluation.surveys import queries as survey_queries
from apps.evaluation.surveys.commands import SURVEYS, SurveyRequest, UnusableSurvey
from apps.interaction.commands import INTERVIEWS, PersonaText, UnusableQuestion
from apps.interaction.conditions import ChosenCondition, UnknownCondition, condition_named
from apps.interaction.context import PERSONA_DEFAULT
from apps.kernel.request_models import Listed
from apps.kernel.requested_values import LastTickUntil, Reason, Slug
from apps.simulation.engine.run_estimates import estimate_work
from apps.simulation.turn.preparation import SimulationPreparing, ensure_prepared
from apps.work.rows import WorkState

AGENTS_MAX, MOMENTS_MAX, CONDITIONS_MAX = 10_000, 1_000, 16


class RequestedSurvey(TokenLimit):
    """A questionnaire, and who is asked when under which conditions."""

    questionnaire: QuestionnaireName
    """A name that GET /questionnaires lists."""
    agents: Annotated[Listed[Slug], Field(max_length=AGENTS_MAX)] | None = None
    """All agents that are there at each moment, if left out."""
    moments: Annotated[Listed[LastTickUntil], Field(min_length=1, max_length=MOMENTS_MAX)] = ()
    """Committed game times or ticks; now, if left out."""
    conditions: Listed[ChosenCondition] = Field(
        ("full",), validate_default=True, min_length=1, max_length=CONDITIONS_MAX
    )
    """The kinds of memory that the answers may rest on, as in an interview; only `full`, if
    left out."""
    persona: PersonaText = PERSONA_DEFAULT
    """The role of the interviewer for the agents."""
    reason: Reason = ""
    """The reason; it is stored with the survey."""


SurveyProgress = progress_of_work(survey_queries.SurveyProgress, "SurveyProgress")


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

    agent = SlugParameter(required=False, help_text="Only interviews with this agent.")
    question = serializers.CharField(
        required=False,
        max_length=NAME_CHARACTERS_MAX,
        help_text="Only interviews with this question.",
    )
    conditions = serializers.CharField(
        required=False, help_text="Only interviews under this condition."
    )
    state = Choice(
        choices=WorkState,
        required=False,
        help_text="Only interviews in this state.",
    )
    search = search_parameter("question, answer")
    order = order_parameter("number")

    def validate_conditions(self, value: str) -> str:
        """Return the name of the condition, with its kinds in order."""
        try:
            return condition_named(value).name
        except UnknownCondition as error:
            raise serializers.ValidationError(error.message, code=error.code) from None


class SurveyRequests(SimulationWorkRequests):
    """The surveys of a simulation; a request needs the right to command: it uses the budget."""

    kind = SURVEYS
    shown_as = Survey
    body_model = RequestedSurvey
    estimated_as = SurveyEstimate
    searched: ClassVar = {
        "questionnaire": "questionnaire__name",
        "by": "by",
        "reason": "reason",
    }

    def requested_survey(self, requested: RequestedSurvey) -> SurveyRequest:
        """Return the request with the agents of each moment.

        :raises QuestionnaireUnknown: if there is no such questionnaire.
        :raises InvalidRequest: if a moment is not committed, or an agent is not there.
        :raises SimulationPreparing: if an agent has no seed memories yet.
        """
        committed_tick = self.context.row.committed_tick
        ticks = [
            committed(tick, committed_tick, self.context.calendar, pointer=f"/moments/{place}")
            for place, tick in enumerate(requested.moments or [committed_tick])
        ]
        questionnaire = get_questionnaire(self.user, requested.questionnaire)
        conditions = [*{one.name: one for one in requested.conditions}.values()]
        # Before the agents of each moment are read: there is at least one of them.
        least = len(set(ticks)) * len(set(requested.agents or ["one"]))
        surveys.ensure_bounded(least * len(conditions) * len(questionnaire.questions))
        agents = {
            tick: self.agents_at(tick, requested.agents, may_have_left=True)
            for tick in dict.fromkeys(ticks)
        }
        ensure_prepared(self.context.row, {*chain.from_iterable(agents.values())})
        found = SurveyRequest(
            questionnaire=questionnaire,
            agents=agents,
            conditions=conditions,
            persona=requested.persona,
            tokens_max=requested.tokens_max,
        )
        surveys.ensure_bounded(found.interviews)
        return found

    def record(self, requested: RequestedSurvey) -> SurveyRow:
        """Ask a questionnaire of agents at past moments; workers ask the model.

        Nothing of the history changes, and no agent remembers it.
        """
        return surveys.request_survey(
            self.context.id,
            self.requested_survey(requested),
            by=self.user.get_username(),
            reason=requested.reason,
        )

    def estimate(self, requested: RequestedSurvey) -> dict[str, Any]:
        """Return the values of `SurveyEstimate`."""
        asked = self.requested_survey(requested)
        agents = [agent for agents in asked.agents.values() for agent in agents]
        found = estimate_work(self.context.id, expected_of_survey(asked), agents=agents)
        return work_estimate(found, interviews=asked.interviews)


class SurveyView(SimulationWorkView):
    """A view below a survey."""

    kind = SURVEYS
    shown_as = Survey
    address: ClassVar[str] = f"{SimulationView.address}/surveys/{{survey}}"
    parameter = "survey"
    resumption = TokenLimit


VIEWS = views_of_work(SurveyView, tag="evaluation") + views_of_requests(
    SurveyRequests,
    tag="evaluation",
    route="/surveys",
    request_id="requestSurvey",
    rate=THINKING,
    errors=(
        AgentUnknown,
        QuestionnaireUnknown,
        SimulationPreparing,
        UnusableQuestion,
        UnusableSurvey,
    ),
)


class SurveyInterviews(DownloadableList, SurveyView):
    """The interviews of a survey, in pages or as one file."""

    query = SurveyInterviewFilters

    @operation(
        "listSurveyInterviews", "/interviews", "evaluation", page_or_download(SurveyInterview)
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the interviews of a survey, answered or not, in the order of asking."""
        filters = self.filters("agent", "question", "conditions", "state", "search")
        rows = survey_queries.interviews_of(self.work_row, **filters)
        return self.page(
            rows,
            SurveyInterview,
            prepare=lambda page: interview_values(work_values(INTERVIEWS, page), page),
            number=("number",),
        )
