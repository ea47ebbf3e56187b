"""Reading the call log: pages, costs, the admin."""

from dataclasses import replace
from decimal import Decimal
from functools import partial
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.llm.calls.call_log import CallPlace, CompletedCall, FailedCall
from apps.llm.calls.django_call_log import FALLBACKS_MAX, FALLBACKS_MIN, DjangoCallLog
from apps.llm.calls.queries import (
    CallFilters,
    CostGroup,
    ModelCallUnknown,
    answer_outcomes,
    answering_models,
    calls_of_history,
    costs,
    costs_by_task_and_model,
    get_model_call,
    model_call_rows,
    spent,
    token_notes,
)
from apps.llm.models import EmbeddingCallRow, ModelCallRow
from apps.llm.port import CallPurpose, Served
from apps.llm.usage import Usage
from tests.model_server.example import request

pytestmark = pytest.mark.django_db

SPENT = Usage(
    prompt_tokens=100,
    cached_prompt_tokens=64,
    completion_tokens=10,
    billed_equivalent_tokens=78,
    latency_ms=50,
    cost=Decimal("0.001"),
)


def call(
    simulation_id: UUID, tick: int, stream: str, task: str = "planning.day"
) -> CompletedCall:
    place = CallPlace(
        simulation_id=simulation_id, tick=tick, stream=stream, task=task, ordinal=0
    )
    return CompletedCall(
        place=place,
        request_sha256="a" * 64,
        wording_version="0123456789ab",
        server="openai",
        model="gpt-4o-mini",
        messages=request().messages,
        answer={"text": "x"},
        outcome="valid",
        fallback="",
        attempts=({"prompt_tokens": 100},),
        spent=SPENT,
    )


@pytest.fixture
def lived(simulation_id: UUID) -> UUID:
    """Return a simulation with five calls of two people on two days, and one failure."""
    call_log = DjangoCallLog(simulation_id)
    call_log.record_all(
        [
            call(simulation_id, 9_000, "klaus-mueller"),
            call(simulation_id, 10, "maria-lopez"),
            call(simulation_id, 10, "klaus-mueller"),
            call(simulation_id, 10, "klaus-mueller", "memory.importances"),
            call(simulation_id, 8_639, "maria-lopez"),
            call(uuid4(), 10, "klaus-mueller"),
        ]
    )
    call_log.record_failure(
        FailedCall(
            place=CallPlace(
                simulation_id=simulation_id,
                tick=10,
                stream="klaus-mueller",
                task="planning.day",
                ordinal=1,
            ),
            server="openai",
            model="gpt-4o-mini",
            code="model-unavailable",
            detail="gone",
            attempts=(),
            spent=replace(SPENT, completion_tokens=0, billed_equivalent_tokens=68),
        )
    )
    return simulation_id


class TestModelCallRows:
    def test_are_in_canonical_order(self, lived: UUID) -> None:
        found = model_call_rows(lived, CallFilters())
        assert [(call.tick, call.stream) for call in found] == [
            (10, "klaus-mueller"),
            (10, "klaus-mueller"),
            (10, "maria-lopez"),
            (8_639, "maria-lopez"),
            (9_000, "klaus-mueller"),
        ]

    def test_filters(self, lived: UUID) -> None:
        filters = CallFilters(stream="klaus-mueller", task="planning.day", to_tick=9_000)
        assert [found.tick for found in model_call_rows(lived, filters)] == [10]
        assert not model_call_rows(lived, CallFilters(outcome="fell_back"))
        assert len(model_call_rows(lived, CallFilters(from_tick=8_639))) == 2


class TestPurpose:
    def test_leaves_the_calls_of_interviews_out_of_the_history(self, lived: UUID) -> None:
        turn = call(lived, 11, "klaus-mueller")
        place = replace(turn.place, purpose=CallPurpose.INTERVIEW)
        DjangoCallLog(lived).record(replace(turn, place=place))
        everything = model_call_rows(lived, CallFilters())
        assert [one.tick for one in everything if one.purpose == "interview"] == [11]
        assert calls_of_history(lived, until_tick=11).count() == 3
        assert answer_outcomes(lived, of_turns_only=True)[0].calls == everything.count() - 1


class TestGetModelCall:
    def test_has_prompt_and_answer(self, lived: UUID) -> None:
        found = get_model_call(lived, "10/maria-lopez/planning.day/0")
        assert found.messages[0]["role"] == "system"
        assert (found.answer, found.cost) == ({"text": "x"}, Decimal("0.001"))

    def test_refuses_what_there_is_not(self, lived: UUID) -> None:
        with pytest.raises(ModelCallUnknown, match="no model call"):
            get_model_call(lived, "11/maria-lopez/planning.day/0")


class TestAnsweringModels:
    def test_are_listed_in_order_with_their_ticks_and_without_interviews(
        self, lived: UUID
    ) -> None:
        again = Served(served_model="mini-2", system_fingerprint="fp")
        renewed = replace(call(lived, 9_001, "maria-lopez"), served=again)
        asked = replace(renewed.place, tick=9_002, purpose=CallPurpose.INTERVIEW)
        DjangoCallLog(lived).record_all([renewed, replace(renewed, place=asked)])
        first, second = answering_models(lived, until_tick=9_002)
        assert (first.calls, first.first_tick, first.last_tick) == (5, 10, 9_000)
        assert (first.server, first.model, first.served_model) == ("openai", "gpt-4o-mini", "")
        assert (second.served_model, second.system_fingerprint) == ("mini-2", "fp")
        assert (second.calls, second.first_tick, second.last_tick) == (1, 9_001, 9_001)
        assert answering_models(lived, until_tick=9_000) == [first]

    def test_are_those_of_embeddings_too(self, lived: UUID) -> None:
        of_chat = answering_models(lived, until_tick=9_000)
        embedded = partial(
            EmbeddingCallRow.objects.create,
            simulation_id=lived, stream="maria-lopez", server="vectors", model="small",
            served_model="small-2", prompt_tokens=9, latency_ms=1, cost=0, texts=2,
            characters=20, setbacks=[],
        )  # fmt: skip
        for tick in (11, 12, 9_001):
            embedded(tick=tick)
        embedded(tick=13, purpose=CallPurpose.INTERVIEW)
        *others, last = answering_models(lived, until_tick=9_000)
        assert others == of_chat
        assert (last.server, last.model, last.served_model) == ("vectors", "small", "small-2")
        assert (last.calls, last.first_tick, last.last_tick) == (2, 11, 12)


class TestCosts:
    def test_by_task_and_model_are_those_by_each(self, lived: UUID) -> None:
        assert costs_by_task_and_model(lived) == (
            costs(lived, by=CostGroup.TASK),
            costs(lived, by=CostGroup.MODEL),
        )

    def test_add_up_by_task_with_failures(self, lived: UUID) -> None:
        [importances, day] = costs(lived, by=CostGroup.TASK)
        assert (importances.key, importances.calls) == ("memory.importances", 1)
        assert (day.key, day.calls, day.prompt_tokens) == ("planning.day", 5, 500)
        assert (day.completion_tokens, day.cost) == (40, Decimal("0.005"))
        assert (day.cached_prompt_tokens, day.billed_equivalent_tokens) == (320, 4 * 78 + 68)

    def test_add_up_by_agent(self, lived: UUID) -> None:
        assert [(line.key, line.calls) for line in costs(lived, by=CostGroup.AGENT)] == [
            ("klaus-mueller", 4),
            ("maria-lopez", 2),
        ]

    def test_add_up_by_model_with_the_rule_based_one_under_its_name(self, lived: UUID) -> None:
        other = call(lived, 10, "maria-lopez", "memory.importances")
        DjangoCallLog(lived).record(replace(other, server="offline", model="rule model"))
        by_model = {"offline": 1, "openai:gpt-4o-mini": 6}
        lines = costs(lived, by=CostGroup.MODEL)
        assert {line.key: line.calls for line in lines} == by_model
        # The failure has no answer.
        total, outcomes = answer_outcomes(lived, by=CostGroup.MODEL)
        assert {line.key: line.kept for line in outcomes} == by_model | {
            "openai:gpt-4o-mini": 5
        }
        assert total.calls == 6

    def test_add_up_by_day(self, lived: UUID) -> None:
        lines = costs(lived, by=CostGroup.DAY, ticks_per_day=8_640)
        assert [(line.key, line.calls) for line in lines] == [("0", 5), ("1", 1)]

    def test_add_up_by_day_of_a_town_founded_before_midnight(self, lived: UUID) -> None:
        lines = costs(lived, by=CostGroup.DAY, ticks_per_day=8_640, ticks_before_midnight=5)
        assert [(line.key, line.calls) for line in lines] == [("1", 5), ("2", 1)]

    def test_are_spent_together(self, lived: UUID) -> None:
        assert (spent(lived).calls, spent(lived).cost) == (6, Decimal("0.006"))
        assert spent(uuid4()).calls == 0


class TestAdmin:
    @pytest.fixture
    def admin(self, client: Client) -> Client:
        client.force_login(User.objects.create_superuser("alice"))
        return client

    @pytest.mark.parametrize("page", ["modelcallrow", "modelfailurerow", "embeddingrow"])
    def test_shows_rows_and_adds_none(self, admin: Client, lived: UUID, page: str) -> None:
        assert admin.get(f"/admin/llm/{page}/", {"q": str(lived)}).status_code in (200, 302)
        assert admin.get(f"/admin/llm/{page}/").status_code == 200
        assert admin.get(f"/admin/llm/{page}/add/").status_code == 403

    def test_shows_a_call_but_changes_and_deletes_none(
        self, admin: Client, lived: UUID
    ) -> None:
        row = ModelCallRow.objects.filter(simulation_id=lived).latest("id")
        address = f"/admin/llm/modelcallrow/{row.pk}/"
        assert "gpt-4o-mini" in admin.get(f"{address}change/").content.decode()
        assert admin.post(f"{address}change/", {"model": "x"}).status_code == 403
        assert admin.post(f"{address}delete/", {"post": "yes"}).status_code == 403


def test_tells_of_thoughts_and_of_estimates(simulation_id: UUID) -> None:
    call_log = DjangoCallLog(simulation_id)
    plain = call(simulation_id, 10, "maria-lopez")
    call_log.record_all([plain, replace(call(simulation_id, 20, "maria-lopez"), attempts=())])
    assert (
        token_notes(simulation_id).reasoning_tokens,
        token_notes(simulation_id).is_estimated,
    ) == (0, False)
    thoughtful: tuple[dict[str, object], ...] = (
        {"reasoning_tokens": 40},
        {"reasoning_tokens": 2, "is_estimated": True},
    )
    call_log.record_all([replace(call(simulation_id, 30, "maria-lopez"), attempts=thoughtful)])
    found = token_notes(simulation_id)
    assert (found.reasoning_tokens, found.is_estimated) == (42, True)
    assert token_notes(simulation_id, as_of_tick=29).reasoning_tokens == 0


def test_knows_when_only_fallbacks_are_done(simulation_id: UUID) -> None:
    call_log = DjangoCallLog(simulation_id)

    def fell_back(tick: int) -> CompletedCall:
        return replace(call(simulation_id, tick, "maria-lopez"), outcome="fell_back")

    def only() -> bool:
        return call_log.fell_back_only(server="openai", model="gpt-4o-mini")

    call_log.record_all([fell_back(tick) for tick in range(FALLBACKS_MIN - 1)])
    assert not only()
    call_log.record(fell_back(100))
    assert only()
    assert not call_log.fell_back_only(server="openai", model="another")
    call_log.record(call(simulation_id, 101, "maria-lopez"))
    assert not only()
    call_log.record_all([fell_back(tick) for tick in range(200, 200 + FALLBACKS_MAX)])
    assert only()
