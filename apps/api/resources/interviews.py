"""Interviews: requested from an agent, listed, shown."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.agents.naming import AgentUnknown
from apps.api.http.fields import Clock, ResourceURL, SlugParameter, TextOrNull
from apps.api.http.lists import (
    ListView,
    Paged,
    order_parameter,
    page_of_items,
    search_parameter,
)
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_views import AgentView, SimulationView
from apps.api.http.views import THINKING, operation
from apps.api.resources.commands import Command
from apps.api.resources.costs import WorkEstimate, work_estimate
from apps.api.resources.memories import Memory
from apps.api.resources.questionnaires import AnswerFormField, AnswerValue
from apps.api.resources.retrievals import LLM_ERRORS
from apps.api.resources.work import (
    PREFER,
    OfKind,
    SimulationWorkView,
    Work,
    prefers_async,
    views_of_work,
)
from apps.evaluation.expected_calls import expected_of_interviews
from apps.interaction import commands as interviews
from apps.interaction import models as interview_queries
from apps.interaction.answer_forms import OPEN, AnswerForm
from apps.interaction.commands import (
    INTERVIEWS,
    InterviewRequest,
    PersonaText,
    QuestionText,
    UnusableQuestion,
)
from apps.interaction.conditions import ChosenCondition
from apps.interaction.context import PERSONA_DEFAULT
from apps.interaction.models import InterviewRow
from apps.kernel.request_models import RequestModel
from apps.kernel.requested_values import LastTickUntil, Reason
from apps.llm.catalogue import ModelNotAllowed
from apps.simulation.commands.command_log import get_command
from apps.simulation.engine.lifecycle import ensure_not_deleted
from apps.simulation.engine.run_estimates import estimate_work
from apps.simulation.queries import WorldChanged
from apps.simulation.turn.preparation import ensure_prepared
from apps.work.kinds import WorkStopped
from apps.work.rows import WorkState


class Question(RequestModel):
    """A question to an agent."""

    question: QuestionText
    """The text of the question."""
    persona: PersonaText = PERSONA_DEFAULT
    """The role of the interviewer for the agent: "a reporter"."""
    remember: bool = False
    """Whether the agent remembers question and answer: then it is a command."""
    answer_form: AnswerForm = OPEN
    """Spoken words alone, if left out."""
    conditions: ChosenCondition = Field("full", validate_default=True)
    """The kinds of memory that the answer may rest on: `full`, `no-reflection`,
    `no-reflection-no-planning`, `no-observation-no-reflection-no-planning`, or kinds with `+`
    between them, as `observation+dialogue`."""
    at: LastTickUntil | None = None
    """The moment as of which the agent answers; by default, and with `remember` always, now."""
    reason: Reason = ""
    """The reason; it is stored with the interview."""


class UsedMemory(Memory):
    """A memory in the prompt of the answer, with the query, rank and score of its retrieval."""

    origin = serializers.CharField(help_text="Its source.")
    query = serializers.CharField()
    rank = serializers.IntegerField(min_value=1)
    score = serializers.FloatField()


class Interview(Work):
    """A question, and the answer once there is one."""

    id = serializers.UUIDField()
    status_url = ResourceURL("getInterview", simulation="simulation_id", interview="id")
    agent = serializers.CharField()
    persona = serializers.CharField()
    question = serializers.CharField()
    conditions = serializers.CharField()
    as_of = Clock(source="as_of_tick", help_text="The moment as of which the agent answers.")
    answer = serializers.CharField(allow_null=True)
    answer_form = AnswerFormField(source="form")
    value = AnswerValue(
        allow_null=True,
        help_text="The option or the number of the answer; null where it has none.",
    )
    no_value = TextOrNull(
        allow_null=True,
        help_text="Why a typed question has no value: `unreadable` or `not-given` "
        "by a language model; `form-not-answered`, `not-supported` by a memory and "
        "`contradictory` by the rule-based model, which answers no scales.",
    )
    parse_error = TextOrNull(
        allow_null=True,
        help_text="The error of the last attempt, if the model gave no valid answer; then "
        "`answer` is that of the fallback.",
    )
    memories = UsedMemory(many=True, help_text="The memories in the prompt, best first.")
    model_calls = serializers.ListField(
        child=serializers.CharField(), help_text="Ids under …/model-calls."
    )
    remembered = serializers.BooleanField()
    command = Command(allow_null=True, help_text="The command that records the memory.")


class InterviewFilters(Paged):
    """The filters and the order of interviews."""

    agent = SlugParameter(required=False, help_text="Only interviews with this agent.")
    search = search_parameter("question, answer")
    order = order_parameter("recorded_at", default="-recorded_at")


class _InterviewView(OfKind, SimulationView):
    kind = INTERVIEWS
    shown_as = Interview

    def values_of(self, rows: Sequence[InterviewRow]) -> list[dict[str, Any]]:
        """Return the values of the interviews."""
        return interview_values(super().values_of(rows), rows)


def interview_values(
    values: Iterable[dict[str, Any]], rows: Iterable[InterviewRow]
) -> list[dict[str, Any]]:
    """Return values of work as those of interviews with commands, and answers once done."""
    return [
        one
        | {
            "answer": row.answer if row.state == WorkState.DONE else None,
            "remembered": row.remember and row.state == WorkState.DONE,
            "command": row.command_id and get_command(row.simulation_id, row.command_id),
        }
        for one, row in zip(values, rows, strict=True)
    ]


class Interviews(_InterviewView, AgentView):
    """Interviews with an agent; a request needs the right to command: it uses the budget."""

    rate_limits: ClassVar = {"POST": THINKING}
    waits_for_llm = True

    @operation(
        "interviewAgent",
        "/interviews",
        "agents",
        {200: Interview, 202: Interview},
        request=Question,
        parameters=[PREFER],
        errors=(*LLM_ERRORS, WorldChanged, UnusableQuestion, ModelNotAllowed, WorkStopped),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Interview an agent; it remembers the interview only on request."""
        requested = self.body(Question)
        waits = not prefers_async(request)
        ensure_prepared(self.context.row, [self.agent_row.agent])
        row = interviews.request_interview(
            self.context.id,
            self._wanted(requested, waits=waits),
            by=self.user.get_username(),
            reason=requested.reason,
        )
        if not waits:
            return self.accepted_at_once(row)
        answered = interviews.answer_interview(wiring.ports(), row.pk)
        if answered is None:
            ensure_not_deleted(self.context.id)
        assert answered is not None, "no other process answers an interview that is waited for"
        return Response(self.shown(answered))

    def _wanted(self, requested: Question, *, waits: bool) -> InterviewRequest:
        as_of_tick = self.moment(requested.at)
        if as_of_tick < self.agent_row.joined_tick:
            detail = f"{self.agent_row.name} had not joined the simulation yet"
            raise InvalidRequest([FieldError(pointer="/at", code="not-in-town", detail=detail)])
        if requested.remember and requested.at is not None:
            detail = "an interview to remember takes place now: leave one of the two out"
            raise InvalidRequest([FieldError(pointer="/at", code="not-now", detail=detail)])
        return InterviewRequest(
            agent=self.agent_row.agent,
            question=requested.question,
            persona=requested.persona,
            conditions=requested.conditions,
            form=requested.answer_form,
            remember=requested.remember,
            as_of_tick=as_of_tick,
            answered_by=InterviewRow.Answerer.REQUEST
            if waits
            else InterviewRow.Answerer.WORKER,
        )


class InterviewEstimates(AgentView):
    """The estimate of an interview, before it is requested."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "estimateInterview",
        "/interviews/estimate",
        "agents",
        WorkEstimate,
        request=Question,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Estimate calls, tokens and cost of an interview without asking anything."""
        requested = self.body(Question)
        expected = expected_of_interviews(
            [requested.answer_form], [requested.conditions], asked=1
        )
        found = estimate_work(self.context.id, expected, agents=[self.agent_row.agent])
        return Response(self.represent(WorkEstimate, work_estimate(found)))


class PastInterviews(ListView, _InterviewView):
    """The interviews of a simulation."""

    query = InterviewFilters

    @operation(
        "listInterviews",
        "/interviews",
        "agents",
        page_of_items(Interview),
        errors=(AgentUnknown,),
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the interviews of a simulation, by default the latest first."""
        self.context.require_known_agent(self.parameters.get("agent"))
        filters = self.filters("agent", "search")
        rows = interview_queries.list_interviews(self.context.id, **filters)
        return self.page(rows, Interview, prepare=self.values_of, recorded_at=("number",))


class InterviewView(_InterviewView, SimulationWorkView):
    """A view of an interview."""

    address: ClassVar[str] = f"{SimulationView.address}/interviews/{{interview}}"
    parameter = "interview"


VIEWS = views_of_work(InterviewView, tag="agents")
