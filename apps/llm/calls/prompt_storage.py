"""Stores prompts by content: the sections of messages are rows, and calls refer to them."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import connection

from apps.django_support.statements import carry_out, rows_of
from apps.llm.models import ModelCallRow
from apps.llm.port import Message, Messages
from apps.llm.prompts.parts import PromptJson, packed, part_key, read_prompts

ATTEMPTS_MAX = 5

_INSERT_PARTS = """
INSERT INTO llm_promptpartrow (sha256, content)
SELECT new.sha256, new.content
FROM unnest(%(keys)s::bytea[], %(contents)s::bytea[]) AS new(sha256, content)
ON CONFLICT DO NOTHING
"""

# A lock like that of a foreign key: a deletion waits for the calls that refer to the parts.
_LOCK_PARTS = """
SELECT sha256, id FROM llm_promptpartrow WHERE sha256 = ANY(%(keys)s)
ORDER BY id FOR KEY SHARE
"""

_PARTS_OF_SIMULATION = """
SELECT part.id FROM llm_promptpartrow AS part
WHERE part.id IN (
    SELECT reference::bigint
    FROM llm_modelcallrow AS call,
        jsonb_path_query(call.prompt, '$[*][1 to last]') AS reference
    WHERE call.simulation_id = %(simulation)s
)
ORDER BY part.id FOR UPDATE
"""

_DELETE_UNREFERENCED = """
DELETE FROM llm_promptpartrow AS part
WHERE part.id = ANY(%(parts)s) AND part.id NOT IN (
    SELECT reference::bigint
    FROM llm_modelcallrow AS call,
        jsonb_path_query(call.prompt, '$[*][1 to last]') AS reference
    WHERE call.simulation_id <> %(simulation)s
)
"""


def store_prompts(prompts: Sequence[Messages]) -> list[PromptJson]:
    """Store the parts of the prompts that are not stored yet; return the prompts as stored.

    The calls that refer to the parts are to be written in the same transaction.
    """
    ids = store_parts(text for prompt in prompts for text in _parts_of(prompt))
    return [
        [
            [message.role, *(ids[part_key(text)] for text in _parts_of([message]))]
            for message in prompt
        ]
        for prompt in prompts
    ]


def store_parts(parts: Iterable[str]) -> dict[bytes, int]:
    """Return the ids of the parts by key; those that are not stored yet are inserted."""
    texts = {part_key(text): text for text in parts}
    keys = sorted(texts)  # so that two workers with the same parts cannot deadlock
    values = {"keys": keys, "contents": [packed(texts[key]) for key in keys]}
    assert connection.in_atomic_block, "parts are locked until their calls are written"
    for _ in range(ATTEMPTS_MAX):
        carry_out(_INSERT_PARTS, values)
        found = {bytes(key): int(part) for key, part in rows_of(_LOCK_PARTS, values)}
        # Another transaction may delete a part between the two statements.
        if len(found) == len(keys):
            return found
    raise AssertionError(f"parts of prompts were deleted {ATTEMPTS_MAX} times at once")


def fetch_messages(calls: Iterable[ModelCallRow]) -> list[ModelCallRow]:
    """Return the calls with their messages, which are read by one query for all."""
    found = list(calls)
    for call, messages in zip(found, read_prompts([one.prompt for one in found]), strict=True):
        call.fetched_messages = messages
    return found


def delete_unshared_parts(simulation_id: UUID) -> None:
    """Delete the parts of prompts to which only the calls of this simulation refer.

    The calls themselves are to be deleted later in the same transaction. The lock waits for
    the calls of other simulations that are being written; a statement after it sees them.
    """
    values = {"simulation": simulation_id}
    parts = [part for (part,) in rows_of(_PARTS_OF_SIMULATION, values)]
    carry_out(_DELETE_UNREFERENCED, {**values, "parts": parts})


def _parts_of(messages: Iterable[Message]) -> list[str]:
    parts: list[str] = []
    for message in messages:
        sections = message.sections or (message.content,)
        assert "".join(sections) == message.content, "the sections of a message are its content"
        parts += sections
    return parts
