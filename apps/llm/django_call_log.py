"""The call log in PostgreSQL: every call is kept, and a completed one is never made twice."""

import json
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import connection, transaction

from apps.django_support.statements import carry_out
from apps.llm.budget import count_in, refuse_spent
from apps.llm.call_counts import count_calls, count_failure
from apps.llm.call_log import CallKey, CompletedCall, FailedCall, JsonObject, Spent
from apps.llm.models import BudgetRow, EmbeddingCallRow, ModelCallRow, ModelFailureRow

ROWS_PER_INSERT_MAX = 500
OVERTAKEN = "overtaken"

_RECORD = """
INSERT INTO llm_modelcallrow (
    simulation_id, tick, stream, chain, ordinal, call_id, request_sha256, wording_version,
    server, model, messages, answer, outcome, fallback, attempts, prompt_tokens,
    completion_tokens, latency_ms, cost
)
SELECT %(simulation)s, call.*
FROM jsonb_to_recordset(%(calls)s) AS call(
    tick int, stream text, chain text, ordinal int, call_id text, request_sha256 text,
    wording_version text, server text, model text, messages jsonb, answer jsonb,
    outcome text, fallback text, attempts jsonb, prompt_tokens int, completion_tokens int,
    latency_ms int, cost numeric
)
ON CONFLICT DO NOTHING
"""


class DjangoCallLog:
    """Keeps the calls of one simulation in ModelCallRow and ModelFailureRow."""

    def __init__(self, simulation_id: UUID) -> None:
        """Keep which simulation."""
        self._simulation_id = simulation_id
        self._may_have_budget = True

    def completed(self, *, tick: int, stream: str) -> Mapping[CallKey, JsonObject]:
        """Return the answers that a turn already has."""
        rows = ModelCallRow.objects.filter(
            simulation_id=self._simulation_id, tick=tick, stream=stream
        ).values_list("call_id", "request_sha256", "answer")
        return {CallKey(call_id, sha256): answer for call_id, sha256, answer in rows}

    def record(self, call: CompletedCall) -> JsonObject:
        """Keep the call and return the answer that stands.

        Two workers may take one turn, after a lapsed claim: the first row stands, and
        both go on with its answer.
        """
        with transaction.atomic():
            if self._write([call]):
                count_in(self._simulation_id, [call.spent])
                count_calls(self._simulation_id, [call])
            else:
                self.record_failure(_overtaken(call))
        answer: JsonObject = ModelCallRow.objects.values_list("answer", flat=True).get(
            simulation_id=self._simulation_id,
            call_id=call.place.call_id,
            request_sha256=call.request_sha256,
        )
        return answer

    def record_all(self, calls: Sequence[CompletedCall]) -> None:
        """Keep the calls; those already kept stay as they are."""
        with transaction.atomic(savepoint=False):
            self._write(calls)
            if self._may_have_budget:
                count_in(self._simulation_id, [call.spent for call in calls])
            count_calls(self._simulation_id, calls)

    def _write(self, calls: Sequence[CompletedCall]) -> int:
        """Write the calls that are not kept yet; return how many that are."""
        written = 0
        for first in range(0, len(calls), ROWS_PER_INSERT_MAX):
            rows = [_row_of(call) for call in calls[first : first + ROWS_PER_INSERT_MAX]]
            kept = {"simulation": self._simulation_id, "calls": json.dumps(rows)}
            written += carry_out(_RECORD, kept)
        return written

    def record_failure(self, failure: FailedCall) -> None:
        """Keep that the call failed."""
        with transaction.atomic():
            _failure_row_of(failure).save(force_insert=True)
            count_in(self._simulation_id, [failure.spent])
            count_failure(self._simulation_id, failure)

    def refuse_spent(self, besides: Sequence[Spent] = (), *, is_priced: bool = True) -> None:
        """Refuse to go on when the budget is spent; see `ledger.CallLog`.

        A simulation gets a budget only while it rests: one look tells that it has none.
        """
        if self._may_have_budget:
            self._may_have_budget = refuse_spent(
                self._simulation_id, besides, is_priced=is_priced
            )

    def let_go(self) -> None:
        """Give the connection back while a remote model thinks; see `give_back_connection`."""
        give_back_connection()


def give_back_connection() -> None:
    """Give this thread's connection back to the pool.

    Held across the wait, fifty threads on five connections take ten times as long.

    :raises AssertionError: inside a transaction.
    """
    assert not connection.in_atomic_block, (
        "a remote model must not be asked inside a transaction (design section 5)"
    )
    connection.close()


def answer_of_call(simulation_id: UUID, call_id: str) -> str | None:
    """Return the answer that a simulation's call_log has for the call, as JSON, or None.

    When a call was made anew, with other wording or another model, the last one counts.
    """
    answer = (
        ModelCallRow.objects.filter(simulation_id=simulation_id, call_id=call_id)
        .order_by("-id")
        .values_list("answer", flat=True)
        .first()
    )
    return None if answer is None else json.dumps(answer)


def forget_calls(simulation_id: UUID) -> None:
    """Delete a simulation's calls and its budget: for the deletion of the simulation only.

    Vectors stay: they belong to their texts, whoever said them.
    """
    for kept in (ModelCallRow, ModelFailureRow, EmbeddingCallRow, BudgetRow):
        kept._default_manager.filter(simulation_id=simulation_id).delete()


def _overtaken(call: CompletedCall) -> FailedCall:
    return FailedCall(
        place=call.place,
        server=call.server,
        model=call.model,
        code=OVERTAKEN,
        detail="another worker had answered the same call first; its answer stands",
        attempts=call.attempts,
        spent=call.spent,
    )


def _failure_row_of(failure: FailedCall) -> ModelFailureRow:
    place, spent = failure.place, failure.spent
    return ModelFailureRow(
        simulation_id=place.simulation_id,
        tick=place.tick,
        stream=place.stream,
        chain=place.chain,
        call_id=place.call_id,
        server=failure.server,
        model=failure.model,
        code=failure.code,
        detail=failure.detail,
        attempts=list(failure.attempts),
        prompt_tokens=spent.prompt_tokens,
        completion_tokens=spent.completion_tokens,
        latency_ms=spent.latency_ms,
        cost=spent.cost,
    )


def _row_of(call: CompletedCall) -> JsonObject:
    place, spent = call.place, call.spent
    return {
        "tick": place.tick,
        "stream": place.stream,
        "chain": place.chain,
        "ordinal": place.ordinal,
        "call_id": place.call_id,
        "request_sha256": call.request_sha256,
        "wording_version": call.wording_version,
        "server": call.server,
        "model": call.model,
        "messages": [message.to_json() for message in call.messages],
        "answer": call.answer,
        "outcome": call.outcome,
        "fallback": call.fallback,
        "attempts": call.attempts,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "latency_ms": spent.latency_ms,
        "cost": str(spent.cost),
    }
