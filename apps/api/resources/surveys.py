"""Surveys: requested, estimated, listed; their interviews."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import DownloadableList, page_or_download
from apps.api.http.lists import list_parameters, page_of_items
from apps.api.http.moments import committed
from apps.api.http.operation import operation
from apps.api.http.rate_limits import THINKING
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.costs import work_estimate
from apps.api.resources.interviews import interview_values
from apps.api.resources.survey_serializers import (
    RequestedSurvey,
    Survey,
    SurveyEstimate,
    SurveyInterview,
    SurveyInterviewFilters,
)
from apps.api.resources.work import (
    OfKind,
    SimulationWorkView,
    TokenLimit,
    WorkList,
    views_of_work,
    work_values,
)
from apps.evaluation.expected_calls import expected_of_survey
from apps.evaluation.questionnaires.typed_questions import (
    QuestionnaireUnknown,
    get_questionnaire,
)
from apps.evaluation.surveys import commands as surveys
from apps.evaluation.surveys import queries as survey_queries
from apps.evaluation.surveys.commands import (
    SURVEYS,
    SurveyRequest,
    UnusableSurvey,
)
from apps.interaction.commands import INTERVIEWS, UnusableQuestion
from apps.interaction.conditions import FULL
from apps.simulation import queries
from apps.simulation.engine.run_estimates import estimate_work
from apps.simulation.turn.preparation import SimulationPreparing, ensure_prepared


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
