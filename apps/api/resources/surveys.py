"""Surveys: requested, estimated, listed; their interviews."""

from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import (
    Choice,
    Clock,
    PastMoment,
    ResourceURL,
    Slug,
    Text,
)
from apps.api.http.lists import (
    Paged,
    list_parameters,
    order_parameter,
    page_of_items,
    search_parameter,
)
from apps.api.http.simulation_views import SimulationView, committed
from apps.api.http.views import THINKING, operation
from apps.api.resources.costs import WorkEstimate, work_estimate
from apps.api.resources.interviews import Interview, interview_values
from apps.api.resources.questionnaires import CONDITIONS_HELP, ConditionField, NameField
from apps.api.resources.work import (
    LimitedWork,
    OfKind,
    Progress,
    SimulationWorkView,
    TokenLimit,
    WorkList,
    stored_reason,
    views_of_work,
    work_values,
)
from apps.evaluation.expected_calls import expected_of_survey
from apps.evaluation.questionnaires.queries import QuestionnaireUnknown, get_questionnaire
from apps.evaluation.surveys import commands as surveys
from apps.evaluation.surveys import queries as survey_queries
from apps.evaluation.surveys.commands import (
    SURVEYS,
    SurveyRequest,
    UnusableSurvey,
)
from apps.interaction.commands import INTERVIEWS, PERSONA_CHARACTERS_MAX, UnusableQuestion
from apps.interaction.conditions import FULL
from apps.interaction.context import PERSONA_DEFAULT
from apps.simulation import queries
from apps.simulation.engine.run_estimates import estimate_work
from apps.simulation.turn.preparation import SimulationPreparing, ensure_prepared
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


class SurveysView(OfKind, SimulationView):
    """A view that reads the request of a survey."""

    kind = SURVEYS
    shown_as = Survey

    def requested_survey(self, requested: dict[str, Any]) -> SurveyRequest:
        """Return the request with the agents of each moment.

        :raises QuestionnaireUnknown: if there is no such questionnaire.
        :raises InvalidRequest: if a moment is not committed, or an agent is not there.
        :raises SimulationPreparing: if an agent has no seed memories yet.
        """
        committed_tick = self.context.row.committed_tick
        ticks = [
            committed(tick, committed_tick, self.context.calendar, pointer=f"/moments/{place}")
            for place, tick in enumerate(requested.get("moments", [committed_tick]))
        ]
        questionnaire = get_questionnaire(self.user, requested["questionnaire"])
        conditions = [*{one.name: one for one in requested.get("conditions", [FULL])}.values()]
        asked = requested.get("agents")
        # Before the agents of each moment are read: there is at least one of them.
        least = len(set(ticks)) * len(set(asked or ["one"]))
        surveys.ensure_bounded(least * len(conditions) * len(questionnaire.questions))
        agents = {
            tick: self.agents_at(tick, asked, may_have_left=True)
            for tick in dict.fromkeys(ticks)
        }
        for agent in dict.fromkeys(agent for present in agents.values() for agent in present):
            ensure_prepared(self.context.row, agent)
        found = SurveyRequest(
            questionnaire=questionnaire,
            agents=agents,
            conditions=conditions,
            persona=requested["persona"],
            tokens_max=requested.get("tokens_max"),
        )
        surveys.ensure_bounded(found.interviews)
        return found


class Surveys(WorkList, SurveysView):
    """The surveys of a simulation; a request needs the right to command: it uses the budget."""

    query = list_parameters("questionnaire, by, reason", "recorded_at", default="-recorded_at")
    rate_limits: ClassVar = {"POST": THINKING}

    @operation("listSurveys", "/surveys", "evaluation", page_of_items(Survey))
    def get(self, request: Request, **_names: str) -> Any:
        """List the surveys of a simulation, by default the latest first."""
        rows = SURVEYS.rows.filter(simulation_id=self.context.id)
        return self.listed(rows, "questionnaire__name", "by", "reason")

    @operation(
        "requestSurvey",
        "/surveys",
        "evaluation",
        {202: Survey},
        request=RequestedSurvey,
        examples={
            "The interview of the paper under its conditions": {
                "questionnaire": "paper",
                "moments": ["2023-02-13T20:00:00"],
                "conditions": [
                    "full",
                    "no-reflection",
                    "no-reflection-no-planning",
                    "no-observation-no-reflection-no-planning",
                ],
                "tokens_max": 1_000_000,
            },
            "The news, at noon and in the evening": {
                "questionnaire": "news",
                "agents": ["klaus-mueller"],
                "moments": ["2023-02-13T12:00:00", "2023-02-13T20:00:00"],
            },
        },
        errors=(
            AgentUnknown,
            QuestionnaireUnknown,
            SimulationPreparing,
            UnusableQuestion,
            UnusableSurvey,
        ),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask a questionnaire of agents at past moments; workers ask the model.

        Nothing of the history changes, and no agent remembers it.
        """
        requested = self.body(RequestedSurvey)
        row = surveys.request_survey(
            self.context.id,
            self.requested_survey(requested),
            by=self.user.get_username(),
            reason=requested.get("reason", ""),
        )
        return self.accepted(row)


class SurveyEstimates(SurveysView):
    """The estimate of a survey, before it is requested."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "estimateSurvey",
        "/surveys/estimate",
        "evaluation",
        SurveyEstimate,
        request=RequestedSurvey,
        examples={"The interview of the paper": {"questionnaire": "paper"}},
        errors=(AgentUnknown, QuestionnaireUnknown, SimulationPreparing, UnusableSurvey),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Estimate calls, tokens and cost of a survey without asking anything."""
        requested = self.requested_survey(self.body(RequestedSurvey))
        found = estimate_work(
            queries.model_of(self.context.id),
            expected_of_survey(requested),
            simulation_id=self.context.id,
        )
        shown = work_estimate(found, interviews=requested.interviews)
        return Response(self.represent(SurveyEstimate, shown))


class SurveyView(SimulationWorkView):
    """A view below a survey."""

    kind = SURVEYS
    shown_as = Survey
    address: ClassVar[str] = f"{SimulationView.address}/surveys/{{survey}}"
    parameter = "survey"
    resumption = TokenLimit
    resumption_example: ClassVar = {"tokens_max": 2_000_000}


VIEWS = views_of_work(SurveyView, tag="evaluation")


class SurveyInterviews(DownloadableList, SurveyView):
    """The interviews of a survey, in pages or as one file."""

    query = SurveyInterviewFilters

    @operation(
        "listSurveyInterviews", "/interviews", "evaluation", page_or_download(SurveyInterview)
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the interviews of a survey, answered or not, in the order of asking."""
        filters = self.filters("agent", "question", "state", "search")
        if "conditions" in self.parameters:
            filters["conditions"] = self.parameters["conditions"].name
        rows = survey_queries.interviews_of(self.work_row, **filters)
        return self.page(
            rows,
            SurveyInterview,
            prepare=lambda page: interview_values(work_values(INTERVIEWS, page), page),
            number=("number",),
        )
