"""The audit of model calls, and what they cost (L3)."""

import re
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http import downloads, listing
from apps.api.http.fields import SLUG_PATTERN, Choice, GameTime, Slug
from apps.api.http.paging import Paged, TimeRange, page_response, split_page
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import SimulationView
from apps.llm import queries as llm_queries
from apps.llm.answering import AnswerOutcome
from apps.llm.models import ModelCallRow
from apps.llm.queries import CallCursor, CallFilters, ModelCallUnknown

OUTCOMES = [outcome.value for outcome in AnswerOutcome]
_CALL_ID = re.compile(rf"[0-9]{{1,10}}/{SLUG_PATTERN}/[a-z0-9_.]{{1,80}}/[0-9]{{1,10}}")


class Call(serializers.Serializer[Any]):
    """A model call, as a list shows it."""

    id = serializers.CharField(help_text='"tick/stream/chain/n".')
    tick = serializers.IntegerField(min_value=0)
    time = GameTime()
    stream = serializers.CharField()
    chain = serializers.CharField()
    wording_version = serializers.CharField()
    server = serializers.CharField()
    model = serializers.CharField()
    outcome = Choice(choices=OUTCOMES)
    fallback = serializers.CharField(allow_null=True, help_text="The fallback that answered.")
    prompt_tokens = serializers.IntegerField(min_value=0)
    completion_tokens = serializers.IntegerField(min_value=0)
    latency_ms = serializers.IntegerField(min_value=0)
    cost = serializers.FloatField(min_value=0)
    recorded_at = serializers.DateTimeField(help_text="By the service's clock.")


class CallInFull(Call):
    """A model call with what was asked, what came back each time, and the answer."""

    messages = serializers.ListField(child=serializers.DictField())
    attempts = serializers.ListField(child=serializers.DictField())
    answer = serializers.DictField()


class CallParameters(Paged, TimeRange, downloads.FormatParameter):
    """Which calls, in which order."""

    agent = Slug(required=False, help_text="Only those of this agent's turns.")
    chain = serializers.CharField(
        required=False, max_length=80, help_text="Only those of this chain."
    )
    outcome = Choice(choices=OUTCOMES, required=False, help_text="Only those that ended so.")
    full = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Each call with messages, attempts and answer, as …/model-calls/{id} has it.",
    )
    search = listing.search_parameter("prompts, answer")
    order = listing.order_parameter("tick", default="tick")


class ModelCalls(downloads.Downloadable, SimulationView):
    """The calls of a simulation."""

    errors: ClassVar = {"GET": (AgentUnknown,)}
    query = CallParameters

    @extend_schema(
        operation_id="listModelCalls",
        summary="The model calls of what is settled, in the order of tick, stream, call",
        tags=["models"],
        responses=downloads.page_or_download(Call),
    )
    def get(self, request: Request, **_names: str) -> Response | downloads.Download:
        """List the calls; what a guest may read of one call, they may read of all."""
        context, requested = self.context, self.parameters
        context.require_known_agent(requested.get("agent"))
        keys = listing.cursor_keys(self, int, str, int)
        rows = llm_queries.model_call_rows(
            context.id,
            _filters(requested, context),
            after=None if keys is None else CallCursor(*keys),
            descending=listing.is_descending(requested["order"]),
        )
        item, show = (CallInFull, show_full_call) if requested["full"] else (Call, _call)
        if self.line_format:
            return self.download(rows, item, lambda row: show(row, context), name="model-calls")
        page, more = split_page(rows, requested["limit"])
        shown = item([show(row, context) for row in page], many=True).data
        last = page[-1] if more else None
        next_page = last and listing.next_cursor(self, last.tick, last.stream, last.pk)
        return page_response(request, shown, next_page=next_page)


class OneModelCall(SimulationView):
    """A call."""

    errors: ClassVar = {"GET": (ModelCallUnknown,)}

    @extend_schema(
        operation_id="getModelCall",
        summary="One model call: messages, raw answers, attempts; its id ends the address",
        tags=["models"],
        responses={200: CallInFull},
    )
    def get(
        self, _request: Request, tick: str, stream: str, chain: str, call: str, **_names: str
    ) -> Response:
        """Show the call."""
        call_id = f"{tick}/{stream}/{chain}/{call}"
        found = _settled_call(call_id, self.context)
        return Response(CallInFull(show_full_call(found, self.context)).data)


def _filters(requested: dict[str, Any], context: SimulationContext) -> CallFilters:
    end = context.as_of_tick + 1
    return CallFilters(
        stream=requested.get("agent"),
        chain=requested.get("chain"),
        outcome=requested.get("outcome"),
        from_tick=requested.get("from"),
        to_tick=min(requested.get("to", end), end),
        search=requested.get("search"),
    )


def _settled_call(call_id: str, context: SimulationContext) -> ModelCallRow:
    unknown = ModelCallUnknown(f"no settled model call of this simulation has the id {call_id}")
    if not _CALL_ID.fullmatch(call_id):
        raise unknown
    found = llm_queries.get_model_call(context.id, call_id)
    if found.tick > context.as_of_tick:
        raise unknown
    return found


def _call(call: ModelCallRow, context: SimulationContext) -> dict[str, Any]:
    return {
        "id": call.call_id,
        "tick": call.tick,
        "time": context.time_at(call.tick),
        "stream": call.stream,
        "chain": call.chain,
        "wording_version": call.wording_version,
        "server": call.server,
        "model": call.model,
        "outcome": call.outcome,
        "fallback": call.fallback or None,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "latency_ms": call.latency_ms,
        "cost": call.cost,
        "recorded_at": call.recorded_at,
    }


def show_full_call(call: ModelCallRow, context: SimulationContext) -> dict[str, Any]:
    """Return the call as `CallInFull` takes it."""
    return _call(call, context) | {
        "messages": call.messages,
        "attempts": call.attempts,
        "answer": call.answer,
    }
