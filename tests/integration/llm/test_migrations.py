"""Calls that were recorded before their cached tokens had a column."""

import json
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from apps.lineage.views import create_views, drop_views
from apps.llm.models import ModelCallRow
from apps.llm.prompts.parts import PromptPartRow

BEFORE = ("llm", "0003_differences")
AFTER = ("llm", "0004_cached_tokens")
BY_CONTENT = ("llm", "0007_reused_calls")  # as the model reads the rows
MESSAGES = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "“Who is there?”\n\nAnswer."},
]
ATTEMPTS = [
    {"prompt_tokens": 1_200, "cached_prompt_tokens": 1_024, "completion_tokens": 10},
    {"prompt_tokens": 1_300, "cached_prompt_tokens": 1_152, "completion_tokens": 12},
]
INSERT = """
INSERT INTO llm_modelcallrow (
    simulation_id, tick, stream, chain, ordinal, call_id, request_sha256, wording_version,
    server, model, messages, answer, outcome, fallback, attempts, differences, prompt_tokens,
    completion_tokens, latency_ms, cost
)
VALUES (
    %s, 1, 'a', 'b.c', 0, %s, '', '', 's', 'm', '[]', '{}', 'valid', '',
    %s, '[]', 2500, 22, 1, 0
)
"""


@pytest.fixture
def old_schema(transactional_db: None) -> Iterator[None]:
    """Have the tables as they were, and the newest ones afterwards."""
    migrate(BEFORE)
    yield
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes("llm")
    migrate(*newest)
    create_views()


def migrate(*targets: tuple[str, str]) -> None:
    """Migrate as the command does, which drops the views before."""
    drop_views(plan=list(targets))
    MigrationExecutor(connection).migrate(list(targets))


def test_fills_the_columns_from_the_attempts(old_schema: None) -> None:
    simulation_id = uuid4()
    with connection.cursor() as cursor:
        for name, attempts in (("cached", ATTEMPTS), ("uncached", []), ("failed", [{}])):
            cursor.execute(INSERT, [simulation_id, name, json.dumps(attempts)])
    migrate(AFTER)
    found = ModelCallRow.objects.filter(simulation_id=simulation_id).order_by("call_id")
    assert list(
        found.values_list("call_id", "cached_prompt_tokens", "billed_equivalent_tokens")
    ) == [("cached", 2_176, 2_522 - 1_088), ("failed", 0, 2_522), ("uncached", 0, 2_522)]


def test_stores_the_messages_of_recorded_calls_by_content(old_schema: None) -> None:
    simulation_id = uuid4()
    with connection.cursor() as cursor:
        for name in ("first", "second"):
            cursor.execute(
                INSERT.replace("'[]', '{}', 'valid'", "%s, '{}', 'valid'"),
                [simulation_id, name, json.dumps(MESSAGES), "[]"],
            )
    migrate(BY_CONTENT)
    calls = ModelCallRow.objects.filter(simulation_id=simulation_id)
    assert [call.messages for call in calls] == [MESSAGES, MESSAGES]
    assert PromptPartRow.objects.count() == 2
    migrate(BEFORE)
    with connection.cursor() as cursor:
        cursor.execute("SELECT messages FROM llm_modelcallrow")
        assert [json.loads(text) for (text,) in cursor.fetchall()] == [MESSAGES, MESSAGES]
