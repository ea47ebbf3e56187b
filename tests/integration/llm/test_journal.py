"""The call log in PostgreSQL: paid once, kept for good, nothing held meanwhile (L3, L6)."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, connections, transaction

from apps.llm.calls.django_call_log import forget_calls
from apps.llm.models import EmbeddingRow, ModelCallRow, ModelFailureRow
from apps.llm.port import ModelUnavailable
from apps.llm.servers.delayed_model import DelayedModel
from apps.llm.servers.openai_chat import OpenAIChatModel
from apps.rule_model.model import RuleModel
from tests.integration.llm.conftest import AgentLLMMaker
from tests.model_server.example import (
    GOOD,
    GOOD_TEXT,
    IMPORTANCES,
    INPUTS,
    TASK_RULES,
    TEMPLATE,
    Importances,
    NewMemories,
)
from tests.model_server.server import MODEL, ModelServer
from tests.support.llm_doubles import ScriptedModel

NAME = IMPORTANCES.name


@pytest.mark.django_db
class TestAsking:
    def test_keeps_one_row_for_a_call(
        self, mind_of: AgentLLMMaker, simulation_id: UUID
    ) -> None:
        mind_of(ScriptedModel({NAME: ["no", GOOD_TEXT]})).ask(IMPORTANCES, INPUTS)
        row = ModelCallRow.objects.get(simulation_id=simulation_id)
        assert row.call_id == "7/klaus-mueller/memory.importances/0"
        assert (row.outcome, row.answer) == ("repaired", {"importances": [9, 1]})
        assert [message["role"] for message in row.messages] == ["system", "user"]
        assert (row.prompt_tokens, row.completion_tokens) == (20, 10)
        assert row.wording_version == TEMPLATE.version
        assert row.recorded_at is not None

    def test_sums_the_cached_tokens_of_all_attempts(
        self, mind_of: AgentLLMMaker, simulation_id: UUID
    ) -> None:
        model = ScriptedModel({NAME: ["no", GOOD_TEXT]})
        model.cached_prompt_tokens = 4
        mind_of(model).ask(IMPORTANCES, INPUTS)
        row = ModelCallRow.objects.get(simulation_id=simulation_id)
        assert (row.prompt_tokens, row.cached_prompt_tokens) == (20, 8)
        # Of a model without a price a cached token counts half.
        assert row.billed_equivalent_tokens == 12 + 4 + row.completion_tokens

    def test_never_makes_a_completed_call_again(self, mind_of: AgentLLMMaker) -> None:
        mind_of(ScriptedModel({NAME: GOOD})).ask(IMPORTANCES, INPUTS)
        silent = ScriptedModel({})
        assert mind_of(silent).ask(IMPORTANCES, INPUTS) == GOOD
        assert silent.asked == []

    def test_keeps_failures_apart(self, mind_of: AgentLLMMaker, simulation_id: UUID) -> None:
        with pytest.raises(ModelUnavailable):
            mind_of(ScriptedModel({NAME: ModelUnavailable("gone")})).ask(IMPORTANCES, INPUTS)
        assert not ModelCallRow.objects.filter(simulation_id=simulation_id).exists()
        failure = ModelFailureRow.objects.get(simulation_id=simulation_id)
        assert (failure.code, failure.detail) == ("model-unavailable", "gone")

    def test_writes_deferred_calls_with_the_turn(
        self, mind_of: AgentLLMMaker, simulation_id: UUID
    ) -> None:
        llm = mind_of(RuleModel(TASK_RULES, seed=1), deferred=True)
        with transaction.atomic():
            first = llm.ask(IMPORTANCES, INPUTS)
            llm.ask(IMPORTANCES, INPUTS)
            assert ModelCallRow.objects.count() == 0
            llm.save()
        assert ModelCallRow.objects.filter(simulation_id=simulation_id).count() == 2
        assert mind_of(ScriptedModel({NAME: GOOD})).ask(IMPORTANCES, INPUTS) != first

    def test_stores_whatever_a_model_says(self, mind_of: AgentLLMMaker) -> None:
        wild = ["\x00\ud800", '{"importances": "\\u0000"}', "\U0001f600" * 9_000]
        answer = mind_of(ScriptedModel({NAME: wild})).ask(IMPORTANCES, INPUTS)
        assert answer == Importances(importances=[3, 3])

    def test_is_forgotten_with_its_simulation_only(
        self, mind_of: AgentLLMMaker, simulation_id: UUID
    ) -> None:
        mind_of(ScriptedModel({NAME: GOOD})).ask(IMPORTANCES, INPUTS)
        forget_calls(uuid4())
        assert ModelCallRow.objects.count() == 1
        forget_calls(simulation_id)
        assert ModelCallRow.objects.count() == 0


@pytest.mark.django_db
class TestRows:
    def test_are_never_edited(self, mind_of: AgentLLMMaker) -> None:
        llm = mind_of(ScriptedModel({NAME: GOOD}))
        llm.ask(IMPORTANCES, INPUTS)
        llm.embed(["a walk"])
        for rows in (ModelCallRow.objects.own(), EmbeddingRow.objects):
            with pytest.raises(DatabaseError, match="never edited"), transaction.atomic():
                rows.update(model="another")

    def test_keep_their_vectors_in_line(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT attstorage FROM pg_attribute "
                "WHERE attrelid = 'llm_embeddingrow'::regclass AND attname = 'vector'"
            )
            assert cursor.fetchone() == ("p",)


@pytest.mark.django_db(transaction=True)
class TestRemoteModels:
    def test_think_while_no_connection_is_held(self, mind_of: AgentLLMMaker) -> None:
        mine = connections["default"]
        held: list[bool] = []
        # Both calls are under way before the first answer is recorded.
        both = threading.Barrier(2)

        def look(_inputs: NewMemories) -> Importances:
            held.append(mine.connection is not None)
            return GOOD

        def look_together(inputs: NewMemories) -> Importances:
            answer = look(inputs)
            both.wait(timeout=30)
            return answer

        llm = mind_of(ScriptedModel({NAME: [look_together, look_together, look]}, remote=True))
        llm.ask_together([(IMPORTANCES, INPUTS), (IMPORTANCES, INPUTS)])
        llm.ask(IMPORTANCES, INPUTS)
        assert held == [False, False, False]

    def test_are_not_asked_inside_a_transaction(self, mind_of: AgentLLMMaker) -> None:
        llm = mind_of(ScriptedModel({NAME: GOOD}, remote=True))
        with transaction.atomic(), pytest.raises(AssertionError, match="inside a transaction"):
            llm.ask(IMPORTANCES, INPUTS)

    def test_answer_a_turn_that_two_workers_take_alike(self, mind_of: AgentLLMMaker) -> None:
        both_asked = threading.Barrier(2)

        def take_turn(importance: int) -> Importances:
            def answer(_inputs: NewMemories) -> Importances:
                both_asked.wait(timeout=60)
                return Importances(importances=[importance, importance])

            llm = mind_of(ScriptedModel({NAME: answer}, remote=True))
            try:
                return llm.ask(IMPORTANCES, INPUTS)
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as threads:
            one, other = threads.map(take_turn, [4, 5])
        assert one == other
        assert ModelCallRow.objects.count() == 1
        # The answer that came second was paid, too, and is on record as overtaken.
        overtaken = ModelFailureRow.objects.get()
        assert (overtaken.code, overtaken.prompt_tokens) == ("overtaken", 10)

    def test_give_the_same_answers_in_any_order(self, mind_of: AgentLLMMaker) -> None:
        offline = RuleModel(TASK_RULES, seed=3)
        asked = [(IMPORTANCES, NewMemories(descriptions=(str(n),))) for n in range(10)]
        plain = mind_of(offline, tick=7).ask_together(asked)
        ModelCallRow.objects.all().delete()
        assert mind_of(DelayedModel(offline, seed=4), tick=7).ask_together(asked) == plain
        rows = ModelCallRow.objects.order_by("ordinal").values_list("ordinal", flat=True)
        assert list(rows) == list(range(10))

    def test_are_not_asked_again_after_the_process_was_killed(
        self, mind_of: AgentLLMMaker, model_server: ModelServer, simulation_id: UUID
    ) -> None:
        thinking, killed = threading.Event(), threading.Event()

        def answer(_body: object) -> str:
            if len(model_server.requests) == 2:
                thinking.set()
                killed.wait(timeout=60)
            return GOOD_TEXT

        model_server.answer = answer
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.integration.llm.asks_twice",
                str(simulation_id),
                model_server.url,
            ],
            env=os.environ | {"DATABASE_URL": _url_of_test_database()},
        )
        try:
            assert thinking.wait(timeout=60)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed.set()
        assert ModelCallRow.objects.count() == 1
        llm = mind_of(OpenAIChatModel(model_server.as_server(), MODEL))
        assert [llm.ask(IMPORTANCES, INPUTS), llm.ask(IMPORTANCES, INPUTS)] == [GOOD, GOOD]
        assert len(model_server.requests) == 3


def _url_of_test_database() -> str:
    base, _, query = os.environ["DATABASE_URL"].partition("?")
    name = connection.settings_dict["NAME"]
    return base.rpartition("/")[0] + f"/{name}" + (f"?{query}" if query else "")
