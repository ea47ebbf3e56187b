"""Calls of background work in batches of their server: two rounds, errors, batches that end."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import override_settings

from apps.llm.batched_calls import BatchedCalls, awaited_batches, drop_batches
from apps.llm.calls.agent_llm import CallSeries
from apps.llm.calls.gateway import BatchAwaited
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.models import BatchRow, ModelCallRow, ModelFailureRow
from apps.llm.opening import Models, open_agent_llm
from apps.llm.port import CallPurpose, ModelMisconfigured, ModelUnavailable
from apps.llm.prices import Price
from apps.llm.servers.openai_chat import OpenAIChatModel
from tests.model_server.example import IMPORTANCES, Importances, NewMemories
from tests.model_server.faults import Fault, Says, Status
from tests.model_server.server import COMPLETION_TOKENS, MODEL, PROMPT_TOKENS, ModelServer

pytestmark = pytest.mark.django_db(transaction=True)

TEN = [NewMemories(descriptions=(f"the cup of guest {number}", "x")) for number in range(10)]
PRICE = Price(prompt=Decimal(1_000), completion=Decimal(2_000))
COST = Decimal("0.5") * (PROMPT_TOKENS * PRICE.prompt + COMPLETION_TOKENS * PRICE.completion)
COST_IN_BATCH = COST / 1_000_000
SHARE = 2  # of the price that a batch costs


@pytest.fixture
def server(model_server: ModelServer) -> Iterator[ModelServer]:
    """Yield a server that takes batches, named `own`, and is looked at without a pause."""
    own = model_server.as_server(
        name="own", batches=True, batch_look_seconds=0.001, service_tier_share=1 / SHARE
    )
    with override_settings(MODEL_SERVERS={"own": own}):
        yield model_server


class Work:
    """Work that asks ten calls, and is taken again by processes that remember nothing."""

    def __init__(self) -> None:
        self.id, self.simulation_id = uuid4(), uuid4()

    def step(self) -> list[Importances] | None:
        """Take the work once; return the answers, None if it waits for a batch."""
        batches = BatchedCalls("a test", self.id, lambda: None)
        chat = OpenAIChatModel(settings.MODEL_SERVERS["own"], MODEL)
        models = Models(chat=chat, embedding=HashingEmbedding(), seed=1, price=PRICE)
        try:
            batches.ensure_over()
            llm = open_agent_llm(
                simulation_id=self.simulation_id,
                tick=7,
                stream="klaus-mueller",
                models=models,
                series=CallSeries(
                    purpose=CallPurpose.INTERVIEW, can_wait=True, batches=batches
                ),
            )
            try:
                return llm.ask_together([(IMPORTANCES, one) for one in TEN])
            except BatchAwaited:
                batches.send()
                raise
        except BatchAwaited:
            return None

    def finish(self) -> list[Importances]:
        """Take the work until its calls are answered."""
        for _ in range(20):
            if (answers := self.step()) is not None:
                return answers
        raise AssertionError("the work has no end")

    @property
    def calls(self) -> list[ModelCallRow]:
        """The calls that are recorded, in order."""
        return list(
            ModelCallRow.objects.filter(simulation_id=self.simulation_id).order_by("ordinal")
        )


def guest_of(body: dict[str, Any]) -> int:
    """Return which of the ten calls a request is of."""
    text = json.dumps(body["messages"])
    return next(number for number in range(10) if f"guest {number}" in text)


def is_correction(body: dict[str, Any]) -> bool:
    return any(message["role"] == "assistant" for message in body["messages"])


def once_wrong(wrong: dict[int, Fault]) -> Any:
    """Return a quirk: what goes wrong with the first request of each of these calls."""
    left = dict(wrong)

    def quirk(body: dict[str, Any]) -> Fault | None:
        return left.pop(guest_of(body), None)

    return quirk


def test_an_invalid_answer_is_asked_again_in_the_next_batch(server: ModelServer) -> None:
    server.quirk = once_wrong({3: Says("I cannot say"), 5: Status(500, "out of order")})
    work = Work()
    assert [one.importances for one in work.finish()] == [[9, 1]] * 10
    first, second = server.batches.lines[:10], server.batches.lines[10:]
    assert sorted(guest_of(line["body"]) for line in first) == list(range(10))
    assert [(guest_of(line["body"]), is_correction(line["body"])) for line in second] == [
        (3, True)
    ]
    # The error of a line is understood by asking once outside of the batch.
    assert [guest_of(body) for body in server.answered] == [5]
    outcomes = {3: "repaired"}
    costs = {3: 2 * COST_IN_BATCH, 5: SHARE * COST_IN_BATCH}
    tokens = {3: 2 * PROMPT_TOKENS}
    for number, call in enumerate(work.calls):
        assert call.outcome == outcomes.get(number, "valid")
        assert call.cost == costs.get(number, COST_IN_BATCH)
        assert call.prompt_tokens == tokens.get(number, PROMPT_TOKENS)
        assert (call.server, call.model, call.served_model) == ("own", MODEL, MODEL)
    assert len(work.calls) == 10
    assert {"error" in one for one in work.calls[3].attempts} == {True, False}


def test_what_a_server_refuses_is_left_out_of_the_next_batch(server: ModelServer) -> None:
    server.refused_parameters = {"seed"}
    work = Work()
    assert len(work.finish()) == 10
    assert len(server.answered) == 1
    assert ["seed" in line["body"] for line in server.batches.lines] == [True] * 10 + [
        False
    ] * 9
    assert len(work.calls) == 10


@pytest.mark.parametrize("end", ["expired", "cancelled"])
def test_a_batch_that_ends_early_keeps_its_answers(server: ModelServer, end: str) -> None:
    server.batches.ends, server.batches.lines_max = end, 4
    work = Work()
    assert work.step() is None
    with pytest.raises(ModelUnavailable, match=f"the batch batch_1 is {end}"):
        work.step()
    assert len(work.calls) == 4
    assert ModelFailureRow.objects.filter(simulation_id=work.simulation_id).count() == 6
    server.batches.ends = "completed"
    assert len(work.finish()) == 10
    assert len(server.batches.lines) == len(work.calls) == 10
    assert sum(call.cost for call in work.calls) == 10 * COST_IN_BATCH


def test_a_batch_that_is_refused_whole_says_why(server: ModelServer) -> None:
    server.batches.ends = "failed"
    work = Work()
    assert work.step() is None
    with pytest.raises(ModelMisconfigured, match="this model has no batches"):
        work.step()
    assert not awaited_batches([work.id])
    server.batches.ends = "completed"
    assert len(work.finish()) == 10


@pytest.mark.parametrize("is_created", [True, False])
def test_a_batch_is_found_whose_creator_was_lost(
    server: ModelServer, *, is_created: bool
) -> None:
    work = Work()
    assert work.step() is None
    BatchRow.objects.filter(work_id=work.id).update(batch_id="")
    if not is_created:
        server.batches.batches.clear()
    assert len(work.finish()) == 10
    assert len(server.batches.batches) == 1
    assert len(server.batches.lines) == 10


def test_a_lost_reply_to_a_creation_creates_no_second_batch(server: ModelServer) -> None:
    work, server.batches.loses_replies = Work(), 1
    with pytest.raises(ModelUnavailable, match="the connection failed"):
        work.step()
    assert len(work.finish()) == 10
    assert len(server.batches.batches) == 1


def test_batches_of_work_that_is_over_are_cancelled(server: ModelServer) -> None:
    server.batches.looks = 1_000
    kept, over = Work(), Work()
    assert kept.step() is over.step() is None
    drop_batches(lambda _kind, work_id: work_id == kept.id)
    assert server.batches.cancelled == ["batch_2"]
    assert set(awaited_batches([over.id, kept.id])) == {kept.id}
