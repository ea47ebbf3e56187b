"""The audit of model calls, and what they cost (L3)."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.base import SimulationView
from apps.api.fields import SLUG_PATTERN, Choice, GameTime, MomentParameter, Slug, Strict
from apps.api.openapi import NO_SUCH_PERSON
from apps.api.paging import (
    CURSOR_CHARACTERS_MAX,
    Key,
    decode_cursor,
    encode_cursor,
    listed,
    page_response,
)
from apps.api.reading import Reading
from apps.llm import queries as llm_queries
from apps.llm.answering import Outcome
from apps.llm.queries import (
    CALLS_PER_PAGE_MAX,
    CallCursor,
    CallFilters,
    CostGroup,
    CostLine,
    ModelCall,
    ModelCallUnknown,
)

LIMIT_DEFAULT = 50
OUTCOMES = [outcome.value for outcome in Outcome]
SECONDS_PER_DAY = 86_400
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


class CallParameters(Strict):
    """Which calls."""

    limit = serializers.IntegerField(
        required=False,
        default=LIMIT_DEFAULT,
        min_value=1,
        max_value=CALLS_PER_PAGE_MAX,
        help_text="How many calls a page holds at most.",
    )
    cursor = serializers.CharField(
        required=False,
        max_length=CURSOR_CHARACTERS_MAX,
        help_text="As it stands in `next` of the page before; its form may change.",
    )
    agent = Slug(required=False, help_text="Only those of this person's turns.")
    chain = serializers.CharField(
        required=False, max_length=80, help_text="Only those of this chain."
    )
    outcome = Choice(choices=OUTCOMES, required=False, help_text="Only those that ended so.")
    from_ = MomentParameter(required=False)
    to = MomentParameter(required=False)


class CostOfGroup(serializers.Serializer[Any]):
    """What the calls of a group used, failed ones too where tokens were paid."""

    key = serializers.CharField()
    calls = serializers.IntegerField(min_value=0)
    prompt_tokens = serializers.IntegerField(min_value=0)
    completion_tokens = serializers.IntegerField(min_value=0)
    latency_ms = serializers.IntegerField(min_value=0)
    cost = serializers.FloatField(min_value=0)


class CostTable(serializers.Serializer[Any]):
    """What a simulation has used so far, calls of turns in work included."""

    total = CostOfGroup()
    by_chain = CostOfGroup(many=True, required=False)
    by_agent = CostOfGroup(many=True, required=False)
    by_day = CostOfGroup(
        many=True, required=False, help_text="By game day; the key is its date."
    )


class CostParameters(Strict):
    """How the costs are to be told apart."""

    by = Choice(
        choices=[group.value for group in CostGroup],
        required=False,
        help_text="Only this one of the three tables, besides the total.",
    )


class ModelCalls(SimulationView):
    """The calls of a simulation."""

    query = CallParameters

    @extend_schema(
        operation_id="listModelCalls",
        summary="The model calls of what is settled, in the order of tick, stream, call",
        tags=["models"],
        parameters=[CallParameters],
        responses={200: listed(Call), **NO_SUCH_PERSON},
    )
    def get(self, request: Request, **_names: str) -> Response:
        """List the calls."""
        self.reading.refuse_stranger(self.asked.get("agent"))
        filters, limit = _filters(self.asked, self.reading), self.asked["limit"]
        cursor = decode_cursor(self.asked.get("cursor"), int, str, int)
        after = None
        if cursor is not None:
            after = CallCursor(tick=cursor[0], stream=cursor[1], id=cursor[2])
        page = llm_queries.list_model_calls(self.reading.id, filters, after=after, limit=limit)
        shown = Call([_call(call, self.reading) for call in page], many=True).data
        next_page = self._next_page(filters, page) if len(page) == limit else None
        return page_response(request, shown, next_page=next_page)

    def _next_page(self, filters: CallFilters, page: list[ModelCall]) -> dict[str, Key] | None:
        last = page[-1]
        after = CallCursor(tick=last.tick, stream=last.stream, id=last.id)
        more = llm_queries.list_model_calls(self.reading.id, filters, after=after, limit=1)
        return {"cursor": encode_cursor(last.tick, last.stream, last.id)} if more else None


class OneModelCall(SimulationView):
    """A call."""

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
        found = _settled_call(call_id, self.reading)
        return Response(CallInFull(shown_in_full(found, self.reading)).data)


class Costs(SimulationView):
    """What a simulation costs."""

    query = CostParameters

    @extend_schema(
        operation_id="getCosts",
        summary="What the model calls have used, by chain, agent and game day",
        tags=["models"],
        parameters=[CostParameters],
        responses={200: CostTable},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the costs."""
        reading = self.reading
        by_chain = llm_queries.costs(reading.id, by=CostGroup.CHAIN)
        tables: dict[str, Callable[[], Any]] = {
            CostGroup.CHAIN: lambda: by_chain,
            CostGroup.AGENT: lambda: llm_queries.costs(reading.id, by=CostGroup.AGENT),
            CostGroup.DAY: lambda: _by_day(reading),
        }
        wanted = [self.asked["by"]] if "by" in self.asked else list(tables)
        shown = {"total": _total(by_chain)} | {f"by_{by}": tables[by]() for by in wanted}
        return Response(CostTable(shown).data)


def _filters(asked: dict[str, Any], reading: Reading) -> CallFilters:
    end = reading.as_of_tick + 1
    return CallFilters(
        stream=asked.get("agent"),
        chain=asked.get("chain"),
        outcome=asked.get("outcome"),
        from_tick=asked.get("from"),
        to_tick=min(asked.get("to", end), end),
    )


def _settled_call(call_id: str, reading: Reading) -> ModelCall:
    unknown = ModelCallUnknown(f"no settled model call of this simulation has the id {call_id}")
    if not _CALL_ID.fullmatch(call_id):
        raise unknown
    found = llm_queries.get_model_call(reading.id, call_id)
    if found.tick > reading.as_of_tick:
        raise unknown
    return found


def _call(call: ModelCall, reading: Reading) -> dict[str, Any]:
    return {
        "id": call.call_id,
        "tick": call.tick,
        "time": reading.time_at(call.tick),
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


def shown_in_full(call: ModelCall, reading: Reading) -> dict[str, Any]:
    """Return the call as `CallInFull` takes it."""
    return _call(call, reading) | {
        "messages": [dict(message) for message in call.messages],
        "attempts": [dict(attempt) for attempt in call.attempts],
        "answer": call.answer,
    }


def _total(lines: list[CostLine]) -> dict[str, Any]:
    counted = ("calls", "prompt_tokens", "completion_tokens", "latency_ms", "cost")
    return {"key": "all"} | {
        name: sum(getattr(line, name) for line in lines) for name in counted
    }


def _by_day(reading: Reading) -> list[dict[str, Any]]:
    calendar = reading.calendar
    first = calendar.start.date()
    ticks_per_day = SECONDS_PER_DAY // calendar.tick_seconds
    tomorrow = calendar.start.replace(hour=0, minute=0, second=0) + timedelta(days=1)
    lines = llm_queries.costs(
        reading.id,
        by=CostGroup.DAY,
        ticks_per_day=ticks_per_day,
        ticks_before_midnight=calendar.tick_at(tomorrow),
    )
    return [_dated(line, first) for line in lines]


def _dated(line: CostLine, first: date) -> dict[str, Any]:
    day = first + timedelta(days=int(line.key))
    return {
        "key": day.isoformat(),
        "calls": line.calls,
        "prompt_tokens": line.prompt_tokens,
        "completion_tokens": line.completion_tokens,
        "latency_ms": line.latency_ms,
        "cost": line.cost,
    }
