"""Prompts are stored once by content and read back byte for byte."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.llm.calls.django_call_log import forget_calls
from apps.llm.calls.prompt_storage import fetch_messages, store_prompts
from apps.llm.calls.queries import CallFilters, model_call_rows
from apps.llm.models import ModelCallRow
from apps.llm.port import Message, Messages
from apps.llm.prompts.parts import PromptPartRow, read_prompts
from tests.integration.llm.conftest import AgentLLMMaker
from tests.model_server.example import GOOD, IMPORTANCES, INPUTS
from tests.support.llm_doubles import ScriptedModel

NAME = IMPORTANCES.name
# Any text that a prompt can hold, also what UTF-8 cannot encode.
TEXTS = st.text(st.characters(), max_size=40)
Role = Literal["system", "user", "assistant"]
ROLES: st.SearchStrategy[Role] = st.sampled_from(("system", "user", "assistant"))


@st.composite
def messages(draw: st.DrawFn) -> Message:
    sections = tuple(draw(st.lists(TEXTS, max_size=4)))
    if not sections:
        return Message(draw(ROLES), draw(TEXTS))
    return Message(draw(ROLES), "".join(sections), sections=sections)


PROMPTS = st.lists(st.lists(messages(), max_size=3).map(tuple), max_size=4)


@pytest.mark.django_db
class TestStorage:
    @given(prompts=PROMPTS)
    @settings(
        max_examples=150,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    def test_gives_back_every_prompt_byte_for_byte(self, prompts: list[Messages]) -> None:
        stored = store_prompts(prompts)
        expected = [[message.to_json() for message in prompt] for prompt in prompts]
        assert read_prompts(stored) == expected
        assert store_prompts(prompts) == stored

    def test_stores_a_repeated_section_once(self) -> None:
        first, second = (
            (Message("user", f"You are Klaus.{task}", sections=("You are Klaus.", task)),)
            for task in ("Eat.", "Sleep.")
        )
        [[[_, *of_first]], [[_, *of_second]]] = store_prompts([first, second])
        assert of_first[0] == of_second[0]
        assert PromptPartRow.objects.count() == 3

    def test_refuses_sections_that_are_not_the_content(self) -> None:
        with pytest.raises(AssertionError, match="are its content"):
            store_prompts([(Message("user", "Eat.", sections=("Sleep.",)),)])


@pytest.mark.django_db
class TestCalls:
    def test_have_the_messages_that_were_sent(
        self, mind_of: AgentLLMMaker, simulation_id: UUID
    ) -> None:
        mind_of(ScriptedModel({NAME: GOOD})).ask(IMPORTANCES, INPUTS)
        row = ModelCallRow.objects.get(simulation_id=simulation_id)
        assert row.messages == [one.to_json() for one in IMPORTANCES.prompt(INPUTS)]

    def test_are_read_with_their_prompts_by_one_query(
        self, mind_of: AgentLLMMaker, simulation_id: UUID
    ) -> None:
        mind = mind_of(ScriptedModel({NAME: [GOOD, GOOD, GOOD]}))
        for _ in range(3):
            mind.ask(IMPORTANCES, INPUTS)
        rows = list(ModelCallRow.objects.filter(simulation_id=simulation_id))
        with queries() as sent:
            contents = [call.messages[0]["content"] for call in fetch_messages(rows)]
        assert len(set(contents)) == 1
        assert len(sent) == 1

    def test_are_found_by_words_of_their_prompts(
        self, mind_of: AgentLLMMaker, simulation_id: UUID
    ) -> None:
        mind_of(ScriptedModel({NAME: GOOD})).ask(IMPORTANCES, INPUTS)
        text = IMPORTANCES.prompt(INPUTS)[1].content
        for wanted, found in ((text[5:40].upper(), 1), ("no such words", 0), ("Größe", 0)):
            filters = CallFilters(search=wanted)
            assert model_call_rows(simulation_id, filters).count() == found


@pytest.mark.django_db(transaction=True)
class TestDeletion:
    def test_removes_the_parts_that_no_other_call_refers_to(
        self, mind_of: AgentLLMMaker, simulation_id: UUID
    ) -> None:
        mind_of(ScriptedModel({NAME: GOOD})).ask(IMPORTANCES, INPUTS)
        other = uuid4()
        shared = IMPORTANCES.prompt(INPUTS)[:1]
        with transaction.atomic():
            record_call(other, shared)
        forget_calls(simulation_id)
        [left] = ModelCallRow.objects.filter(simulation_id=other)
        assert left.messages == [one.to_json() for one in shared]
        assert PromptPartRow.objects.count() == 1
        forget_calls(other)
        assert PromptPartRow.objects.count() == 0

    def test_waits_for_a_call_that_is_being_written(
        self, mind_of: AgentLLMMaker, simulation_id: UUID
    ) -> None:
        """The other transaction has its parts, and has not written its call yet."""
        mind_of(ScriptedModel({NAME: GOOD})).ask(IMPORTANCES, INPUTS)
        prompt, other = IMPORTANCES.prompt(INPUTS), uuid4()
        with transaction.atomic():
            record_call(other, prompt)
            deletion = threading.Thread(target=delete_and_close, args=(simulation_id,))
            deletion.start()
            wait_until_blocked()
        deletion.join()
        [left] = ModelCallRow.objects.all()
        assert left.simulation_id == other
        assert left.messages == [one.to_json() for one in prompt]


def record_call(simulation_id: UUID, prompt: Messages) -> None:
    [stored] = store_prompts([prompt])
    ModelCallRow.objects.create(
        simulation_id=simulation_id, tick=1, stream="a", server="s", model="m", task="b.c",
        call_id="1/a/b.c/0", ordinal=0, prompt=stored, answer={}, attempts=[], outcome="valid",
        prompt_tokens=1, cached_prompt_tokens=0, completion_tokens=1,
        billed_equivalent_tokens=2, latency_ms=0, cost=0,
    )  # fmt: skip


def delete_and_close(simulation_id: UUID) -> None:
    forget_calls(simulation_id)
    connection.close()


def wait_until_blocked() -> None:
    with connection.cursor() as cursor:
        for _ in range(1_000):
            cursor.execute("SELECT pg_sleep(0.01), pg_stat_clear_snapshot()")
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
    raise AssertionError("the deletion did not wait")


@contextmanager
def queries() -> Iterator[list[str]]:
    sent: list[str] = []

    def note(execute: object, sql: str, *others: object) -> object:
        sent.append(sql)
        return execute(sql, *others)  # type: ignore[operator]

    with connection.execute_wrapper(note):
        yield sent
