"""Surveys: requested, estimated, listed, shown, resumed, deleted; their interviews."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.agents import queries as agent_queries
from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import DownloadableList, page_or_download
from apps.api.http.fields import Strict
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.moments import committed
from apps.api.http.operation import operation
from apps.api.http.rate_limits import THINKING
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_context import parse_resource_id
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import Errors
from apps.api.http.worker_tasks import send_after_commit
from apps.api.resources.commands import accepted_response
from apps.api.resources.requested_work import values_of_work
from apps.api.resources.survey_serializers import (
    RequestedSurvey,
    Survey,
    SurveyEstimate,
    SurveyInterview,
    SurveyInterviewFilters,
    TokenLimit,
)
from apps.evaluation.models import SurveyRow
from apps.evaluation.questionnaires.queries import QuestionnaireUnknown, get_questionnaire
from apps.evaluation.surveys import commands as surveys
from apps.evaluation.surveys import queries as survey_queries
from apps.evaluation.surveys.commands import (
    SURVEYS,
    SurveyNotPaused,
    SurveyRequest,
    UnusableSurvey,
)
from apps.evaluation.surveys.queries import Progress, SurveyUnknown
from apps.evaluation.surveys.survey_estimates import estimate_survey
from apps.interaction.commands import UnusableQuestion
from apps.interaction.conditions import FULL
from apps.llm.catalogue import price_of
from apps.simulation import queries
from apps.simulation.turn.preparation import SimulationPreparing, ensure_prepared

ANSWER_SURVEY = "smallville.answer_survey"
_SUMMED = ("calls", "prompt_tokens", "completion_tokens", "cost")


class SurveysView(SimulationView):
    """A view that reads the request of a survey."""

    def requested_survey(self, requested: dict[str, Any]) -> SurveyRequest:
        """Return the request with the agents of each moment.

        :raises QuestionnaireUnknown: if there is no such questionnaire.
        :raises InvalidRequest: if a moment is not committed, or an agent is not there.
        :raises SimulationPreparing: if an agent has no seed memories yet.
        """
        settled = self.context.row.settled_tick
        ticks = [
            committed(tick, settled, self.context.calendar, pointer=f"/moments/{place}")
            for place, tick in enumerate(requested.get("moments", [settled]))
        ]
        questionnaire = get_questionnaire(self.user, requested["questionnaire"])
        conditions = [*{one.name: one for one in requested.get("conditions", [FULL])}.values()]
        asked = requested.get("agents")
        # Before the agents of each moment are read: there is at least one of them.
        least = len(set(ticks)) * len(set(asked or ["one"]))
        surveys.ensure_bounded(least * len(conditions) * len(questionnaire.questions))
        agents = {tick: self._agents_at(tick, asked) for tick in dict.fromkeys(ticks)}
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

    def _agents_at(self, tick: int, asked: Sequence[str] | None) -> list[str]:
        if asked is None:
            return agent_queries.slugs_in_simulation(self.context.id, as_of_tick=tick)
        for place, slug in enumerate(asked):
            row = self.context.get_agent(slug)
            if row.joined_tick > tick:
                detail = f"{row.name} had not joined the simulation yet"
                raise InvalidRequest(
                    [FieldError(pointer=f"/agents/{place}", code="not-in-town", detail=detail)]
                )
        return list(dict.fromkeys(asked))


class Surveys(ListView, SurveysView):
    """The surveys of a simulation; a request needs the right to command: it uses the budget."""

    query = list_parameters("questionnaire, by, reason", "recorded_at", default="-recorded_at")
    rate_limits: ClassVar = {"POST": THINKING}

    @operation("listSurveys", "/surveys", "evaluation", page_of_items(Survey))
    def get(self, request: Request, **_names: str) -> Any:
        """List the surveys of a simulation, by default the latest first."""
        rows = [
            row
            for row in survey_queries.list_surveys(self.context.id)
            if self.contains_search(row.questionnaire["name"], row.by, row.reason)
        ]
        return self.page(rows, Survey, prepare=_shown_all, recorded_at=("requested_at", "pk"))

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
        send_after_commit(ANSWER_SURVEY, survey_id=str(row.pk))
        return accepted_response(self.represent(Survey, _shown(row)))


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
        model = queries.model_of(self.context.id)
        price = price_of(model.chat_model, model.server)
        lines = estimate_survey(self.context.id, requested, price)
        sums = {name: sum(getattr(line, name) for line in lines) for name in _SUMMED}
        shown = sums | {
            "interviews": requested.interviews,
            "is_priced": price is not None,
            "by_chain": lines,
        }
        return Response(self.represent(SurveyEstimate, shown))


class SurveyView(SimulationView):
    """A view below a survey, which is in `survey_row`."""

    address: ClassVar[str] = f"{SimulationView.address}/surveys/{{survey}}"
    query = Strict
    errors: ClassVar[Errors] = (SurveyUnknown,)
    survey_row: SurveyRow

    def load_resources(self, **names: str) -> None:
        """Load the survey.

        :raises SurveyUnknown: if there is none of that id.
        """
        super().load_resources(**names)
        survey_id = parse_resource_id(names["survey"], SurveyUnknown, "there is no survey")
        self.survey_row = survey_queries.get_survey(self.context.id, survey_id)


class OneSurvey(SurveyView):
    """A survey."""

    @operation("getSurvey", "", "evaluation", Survey)
    def get(self, request: Request, **_names: str) -> Response:
        """Show a survey and its progress."""
        return Response(self.represent(Survey, _shown(self.survey_row)))

    @operation("deleteSurvey", "", "evaluation", {204: None})
    def delete(self, request: Request, **_names: str) -> Response:
        """Delete a survey with its interviews; if it is in progress, it stops."""
        surveys.delete_survey(self.survey_row)
        return Response(status=HTTPStatus.NO_CONTENT)


class ResumedSurvey(SurveyView):
    """The continuation of a paused survey."""

    @operation(
        "resumeSurvey",
        "/resume",
        "evaluation",
        {202: Survey},
        request=TokenLimit,
        examples={"With a higher limit": {"tokens_max": 2_000_000}},
        errors=(SurveyNotPaused,),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Let a paused survey go on, with another limit of tokens if one is given."""
        limit = self.body(TokenLimit).get("tokens_max")
        row = surveys.resume_survey(self.survey_row, tokens_max=limit)
        send_after_commit(ANSWER_SURVEY, survey_id=str(row.pk))
        return accepted_response(self.represent(Survey, _shown(row)))


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
        rows = survey_queries.interviews_of(self.survey_row, **filters)
        return self.page(rows, SurveyInterview, number=("number",))


def _shown(row: SurveyRow) -> dict[str, Any]:
    return _shown_all([row])[0]


def _shown_all(rows: list[SurveyRow]) -> list[dict[str, Any]]:
    progress = survey_queries.progress_of([row.pk for row in rows])
    return [
        values_of_work(SURVEYS, row)
        | {
            "questionnaire": row.questionnaire["name"],
            "progress": progress.get(row.pk, Progress()),
        }
        for row in rows
    ]
