"""Calls of a family used again: branches do not ask what has been answered already (V4)."""

from collections.abc import Collection
from functools import cache
from uuid import UUID

from django.db import transaction

from apps.django_support.statements import carry_out, rows_of
from apps.lineage.branches import family_of
from apps.llm.calls.call_log import CallKey
from apps.llm.models import ModelCallRow

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
