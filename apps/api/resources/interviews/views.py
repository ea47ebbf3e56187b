"""Interviews: requested from an agent, listed, shown."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.agents.naming import AgentUnknown
from apps.api.http import listing
from apps.api.http.fields import Slug
from apps.api.http.paging import Paged, page_of_items, page_response, split_page
from apps.api.http.rate_limits import THINKING
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_views import AgentView, SimulationView
from apps.api.resources.commands import accepted_response
from apps.api.resources.interviews.presentation import (
    ASKING,
    Interview,
    Question,
    show_interview,
)
from apps.api.resources.interviews.queue import request_answer_by_worker
from apps.api.resources.retrievals import settled_tick
from apps.interaction import commands as interviews
from apps.interaction import queries as interview_queries
from apps.interaction.commands import (
    InterviewRequest,
    UnusableQuestion,
)
from apps.interaction.conditions import Condition
from apps.interaction.queries import InterviewUnknown
from apps.llm.catalogue import ModelNotAllowed
from apps.llm.port import BudgetSpent, ModelMisconfigured, ModelUnavailable
from apps.llm.prices import PriceUnknown
from apps.simulation.engine.lifecycle import ensure_not_deleted
from apps.simulation.queries import WorldChanged
from apps.simulation.turn.preparation import SimulationPreparing, ensure_prepared

RESPOND_ASYNC = "respond-async"


class InterviewFilters(Paged):
    """Which interviews."""

    agent = Slug(required=False, help_text="Those with this agent.")
    search = listing.search_parameter("question, answer")
    order = listing.order_parameter("recorded_at", default="-recorded_at")


_PREFER = OpenApiParameter(
    "Prefer",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="`respond-async`: answer 202 at once with where to look for the answer.",
)


class Interviews(AgentView):
    """Interviews with an agent; a request needs the right to command: it uses the budget."""

    errors: ClassVar = {
        "POST": (
            SimulationPreparing,
            BudgetSpent,
            WorldChanged,
            UnusableQuestion,
            ModelNotAllowed,
            PriceUnknown,
            ModelMisconfigured,
            ModelUnavailable,
        )
    }
    rate_limits: ClassVar = {"POST": THINKING}
    waits_for_llm = True

    @extend_schema(
        operation_id="interviewAgent",
        summary="Ask a person something; they forget it, unless asked to remember",
        tags=["people"],
        parameters=[_PREFER],
        request=Question,
        responses={200: Interview, 202: Interview},
        examples=ASKING,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask, and wait for the answer unless that is not preferred."""
        requested = self.body(Question)
        waits = not _prefers_async(request)
        ensure_prepared(self.context.row, self.agent_row.agent)
        row = interviews.request_interview(
            self.context.id,
            self._interview_request(requested, waits=waits),
            by=self.user.get_username(),
            reason=requested.get("reason", ""),
        )
        if not waits:
            request_answer_by_worker(row.pk)
            response = accepted_response(show_interview(self, request, row))
            response.headers["Preference-Applied"] = RESPOND_ASYNC
            return response
        answered = interviews.answer_interview(wiring.ports(), row.pk)
        if answered is None:
            ensure_not_deleted(self.context.id)
        assert answered is not None, "no other process answers an interview that is waited for"
        return Response(show_interview(self, request, answered))

    def _interview_request(self, requested: dict[str, Any], *, waits: bool) -> InterviewRequest:
        as_of_tick = settled_tick(requested.get("at"), self.context)
        if as_of_tick < self.agent_row.joined_tick:
            detail = f"{self.agent_row.name} was not in town yet"
            raise InvalidRequest([FieldError(pointer="/at", code="not-in-town", detail=detail)])
        if requested["remember"] and requested.get("at") is not None:
            detail = "what is to be remembered is asked now: leave one of the two out"
            raise InvalidRequest([FieldError(pointer="/at", code="not-now", detail=detail)])
        return InterviewRequest(
            agent=self.agent_row.agent,
            question=requested["question"],
            persona=requested["persona"],
            conditions=Condition(requested["conditions"]),
            remember=requested["remember"],
            as_of_tick=as_of_tick,
            is_waited_for=waits,
        )


class PastInterviews(SimulationView):
    """The interviews of a simulation."""

    errors: ClassVar = {"GET": (AgentUnknown,)}
    query = InterviewFilters

    @extend_schema(
        operation_id="listInterviews",
        summary="What agents were asked and answered; by default the latest first",
        tags=["people"],
        responses={200: page_of_items(Interview)},
    )
    def get(self, request: Request, **_names: str) -> Response:
        """List the interviews."""
        requested = self.parameters
        self.context.require_known_agent(requested.get("agent"))
        cursor = listing.cursor_keys(self, int)
        rows = interview_queries.list_interviews(
            self.context.id,
            agent=requested.get("agent"),
            search=requested.get("search"),
            descending=listing.is_descending(requested["order"]),
            after=None if cursor is None else cursor[0],
        )
        page, more = split_page(rows, requested["limit"])
        next_page = listing.next_cursor(self, page[-1].number) if more else None
        shown = [show_interview(self, request, row) for row in page]
        return page_response(request, shown, next_page=next_page)


class OneInterview(SimulationView):
    """An interview."""

    errors: ClassVar = {"GET": (InterviewUnknown,)}

    @extend_schema(
        operation_id="getInterview",
        summary="One interview, with its answer once there is one",
        tags=["people"],
        responses={200: Interview},
    )
    def get(self, request: Request, *, interview: str, **_names: str) -> Response:
        """Show the interview."""
        try:
            interview_id = UUID(interview)
        except ValueError:
            raise InterviewUnknown(f"there is no interview {interview[:80]!r}") from None
        row = interview_queries.get_interview(self.context.id, interview_id)
        return Response(show_interview(self, request, row))


def _prefers_async(request: Request) -> bool:
    """Return whether the header Prefer (RFC 7240) has `respond-async`."""
    preferred = request.headers.get("Prefer", "").lower().split(",")
    return any(wish.partition(";")[0].strip() == RESPOND_ASYNC for wish in preferred)
