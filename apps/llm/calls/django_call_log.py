"""The call log in PostgreSQL: a completed call is stored once and never made twice."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from functools import cache
from uuid import UUID

from django.db import connection, transaction

from apps.django_support.statements import carry_out, rows_of
from apps.kernel.batches import batches
from apps.lineage.branches import family_of
from apps.lineage.history_rows import own_rows
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.calls.budget import add_to_budget, check_budget
from apps.llm.calls.call_log import CallKey, CompletedCall, FailedCall, JsonObject
from apps.llm.calls.metrics import count_calls, count_failure
from apps.llm.calls.prompt_storage import delete_unshared_parts, store_prompts
from apps.llm.models import (
    BudgetRow,
    EmbeddingCallRow,
    EmbeddingRow,
    ModelCallRow,
    ModelFailureRow,
)
from apps.llm.port import CallPurpose, Served
from apps.llm.prompts.parts import PromptJson
from apps.llm.usage import Usage, totals_of

_FOUND = """
llm_modelcallrow AS call
JOIN unnest(%(call_ids)s::text[], %(hashes)s::text[]) AS requested(id, hash)
    ON call.call_id = requested.id AND call.request_sha256 = requested.hash
"""
_OF_FAMILY = """
call.simulation_id = ANY(%(family)s) AND call.tick = %(tick)s AND call.stream = %(stream)s
"""

# A lock like that of a foreign key: a deletion of the other simulation waits for the copies.
_LOCK_PARTS = f"""
SELECT part.id FROM llm_promptpartrow AS part
WHERE part.id IN (
    SELECT reference::bigint
    FROM {_FOUND}, jsonb_path_query(call.prompt, '$[*][1 to last]') AS reference
    WHERE {_OF_FAMILY}
)
ORDER BY part.id FOR KEY SHARE
"""  # noqa: S608 (conditions of this module)
_COPY = """
INSERT INTO llm_modelcallrow (
    simulation_id, reused_from, prompt_tokens, cached_prompt_tokens, completion_tokens,
    billed_equivalent_tokens, latency_ms, cost, {columns}
)
SELECT DISTINCT ON (call_id, request_sha256)
    %(simulation)s, coalesce(reused_from, simulation_id), 0, 0, 0, 0, 0, 0, {columns}
FROM {found}
WHERE {of_family}
ORDER BY call_id, request_sha256, call.id
ON CONFLICT DO NOTHING
"""
_NOT_COPIED = {
    "id", "simulation_id", "reused_from", "recorded_at", "prompt_tokens",
    "cached_prompt_tokens", "completion_tokens", "billed_equivalent_tokens", "latency_ms",
    "cost",
}  # fmt: skip


def reuse_calls(
    simulation_id: UUID, *, tick: int, stream: str, keys: Collection[CallKey]
) -> int:
    """Copy the calls of a turn that the family has answered; return how many those are.

    A copy has used nothing and costs nothing.
    """
    family = family_of(simulation_id)
    if not family:
        return 0
    values = {
        "simulation": simulation_id,
        "family": list(family),
        "tick": tick,
        "stream": stream,
        "call_ids": [key.call_id for key in keys],
        "hashes": [key.request_sha256 for key in keys],
    }
    with transaction.atomic():
        rows_of(_LOCK_PARTS, values)
        return carry_out(_copying(), values)


@cache
def _copying() -> str:
    """Return the statement with the columns that a copy has of the original."""
    columns = (
        str(field.column)
        for field in ModelCallRow._meta.concrete_fields
        if field.column not in _NOT_COPIED
    )
    return _COPY.format(columns=", ".join(columns), found=_FOUND, of_family=_OF_FAMILY)


ROWS_PER_INSERT_MAX = 500
OVERTAKEN = "overtaken"
# A simulation pauses when its first FALLBACKS_MIN calls or more, or any FALLBACKS_MAX in a row,
# had no answer that could be used.
FALLBACKS_MIN, FALLBACKS_MAX = 5, 20
_PLACE = ("tick", "stream", "task", "call_id")
_CALL = (
    "request_sha256", "wording_version", "server", "model", "answer", "outcome", "fallback",
    "attempts", "differences",
)  # fmt: skip
_SERVED = tuple(field.name for field in fields(Served))

_RECORD = """
INSERT INTO llm_modelcallrow (
    simulation_id, tick, stream, task, ordinal, purpose, call_id, request_sha256,
    wording_version, server, model, prompt, answer, outcome, fallback, attempts, differences,
    served_model, system_fingerprint, server_version, prompt_tokens, cached_prompt_tokens,
    completion_tokens, billed_equivalent_tokens, latency_ms, cost
)
SELECT %(simulation)s, call.*
FROM jsonb_to_recordset(%(calls)s) AS call(
    tick int, stream text, task text, ordinal int, purpose text, call_id text,
    request_sha256 text, wording_version text, server text, model text, prompt jsonb,
    answer jsonb, outcome text, fallback text, attempts jsonb, differences jsonb,
    served_model text, system_fingerprint text, server_version text,
    prompt_tokens int, cached_prompt_tokens int, completion_tokens int,
    billed_equivalent_tokens int, latency_ms int, cost numeric
)
ON CONFLICT DO NOTHING
"""


class DjangoCallLog:
    """The calls of one simulation in ModelCallRow and ModelFailureRow; see `CallLog`."""

    def __init__(self, simulation_id: UUID) -> None:
        self._simulation_id = simulation_id
        self._may_have_budget = True

    def completed(self, *, tick: int, stream: str) -> Mapping[CallKey, JsonObject]:
        """Return the answers of a turn's completed calls."""
        rows = (
            ModelCallRow.objects.own()
            .filter(simulation_id=self._simulation_id, tick=tick, stream=stream)
            .values_list("call_id", "request_sha256", "answer")
        )
        return {CallKey(call_id, sha256): answer for call_id, sha256, answer in rows}

    def reuse(self, *, tick: int, stream: str, keys: Collection[CallKey]) -> int:
        """Store the calls of the turn that the family has answered; see `CallLog`."""
        return reuse_calls(self._simulation_id, tick=tick, stream=stream, keys=keys)

    def record(self, call: CompletedCall) -> JsonObject:
        """Store the call; return the answer that counts.

        After a claim has lapsed two workers may execute one turn: the first row counts, and
        both continue with its answer.
        """
        with transaction.atomic():
            if self._write([call]):
                add_to_budget(self._simulation_id, [call.spent])
                count_calls(self._simulation_id, [call])
            else:
                self.record_failure(_overtaken(call))
        answer: JsonObject = (
            ModelCallRow.objects.own()
            .values_list("answer", flat=True)
            .get(
                simulation_id=self._simulation_id,
                call_id=call.place.call_id,
                request_sha256=call.request_sha256,
            )
        )
        return answer

    def record_all(self, calls: Sequence[CompletedCall]) -> None:
        """Store the calls; those that are stored already stay as they are."""
        with transaction.atomic(savepoint=False):
            self._write(calls)
            if self._may_have_budget:
                add_to_budget(self._simulation_id, [call.spent for call in calls])
            count_calls(self._simulation_id, calls)

    def record_failure(self, failure: FailedCall) -> None:
        """Store a failed call."""
        place, spent = failure.place, failure.spent
        with transaction.atomic():
            ModelFailureRow.objects.create(
                simulation_id=place.simulation_id,
                server=failure.server,
                model=failure.model,
                code=failure.code,
                detail=failure.detail,
                attempts=list(failure.attempts),
                **_values(place, _PLACE),
                **totals_of(spent),
            )
            add_to_budget(self._simulation_id, [spent])
            count_failure(self._simulation_id, failure)

    def fell_back_only(self, *, server: str, model: str) -> bool:
        """Return whether the last calls all had to fall back; see `CallLog`."""
        rows = ModelCallRow.objects.own().filter(
            simulation_id=self._simulation_id,
            purpose=CallPurpose.TURN,
            server=server,
            model=model,
        )
        latest = rows.order_by("-id").values_list("outcome", flat=True)[:FALLBACKS_MAX]
        outcomes = list(latest)
        return len(outcomes) >= FALLBACKS_MIN and set(outcomes) == {AnswerOutcome.FELL_BACK}

    def ensure_within_budget(self, unrecorded: Sequence[Usage], *, is_priced: bool) -> None:
        """Check the budget before a call; see `CallLog`.

        A simulation gets a budget only while it is paused, so one query tells for the rest of
        the turn that it has none.
        """
        if self._may_have_budget:
            self._may_have_budget = check_budget(
                self._simulation_id, unrecorded, is_priced=is_priced
            )

    def release_connection(self) -> None:
        """Release the database connection; see `release_connection`."""
        release_connection()

    def _write(self, calls: Sequence[CompletedCall]) -> int:
        """Insert the calls that are not stored yet; return how many those are."""
        written = 0
        for batch in batches(calls, ROWS_PER_INSERT_MAX):
            prompts = store_prompts([call.messages for call in batch])
            rows = [_row_of(*stored) for stored in zip(batch, prompts, strict=True)]
            values = {"simulation": self._simulation_id, "calls": json.dumps(rows, default=str)}
            written += carry_out(_RECORD, values)
        return written


def release_connection() -> None:
    """Return this thread's connection to the pool for the time of a remote call.

    If it were held, fifty threads on five connections would take ten times as long.

    :raises AssertionError: inside a transaction.
    """
    assert not connection.in_atomic_block, (
        "a remote model must not be called inside a transaction (ARCHITECTURE, invariant 6)"
    )
    connection.close()


def forget_calls(simulation_id: UUID) -> None:
    """Delete a simulation's calls and its budget: for the deletion of the simulation only.

    Parts of prompts to which other calls refer stay, and so do vectors that all simulations
    share; those of its archive are deleted.
    """
    with transaction.atomic():
        delete_unshared_parts(simulation_id)
        for table in (ModelCallRow, ModelFailureRow, EmbeddingCallRow, BudgetRow):
            own_rows(table, simulation_id).delete()
        EmbeddingRow.objects.filter(origin=simulation_id).delete()


def _overtaken(call: CompletedCall) -> FailedCall:
    return FailedCall(
        place=call.place,
        server=call.server,
        model=call.model,
        code=OVERTAKEN,
        detail="another worker had completed the same call first; its answer counts",
        attempts=call.attempts,
        spent=call.spent,
    )


def _row_of(call: CompletedCall, prompt: PromptJson) -> JsonObject:
    return {
        **_values(call.place, (*_PLACE, "ordinal", "purpose")),
        **_values(call, _CALL),
        **_values(call.served, _SERVED),
        **totals_of(call.spent),
        "prompt": prompt,
    }


def _values(record: object, names: Sequence[str]) -> JsonObject:
    return {name: getattr(record, name) for name in names}
