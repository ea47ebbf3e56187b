"""What every call log and every storage of vectors must do: in memory, in PostgreSQL."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from uuid import uuid4

import pytest

from apps.llm.calls.call_log import (
    CallLog,
    CallPlace,
    CompletedCall,
    EmbeddingContext,
    Vectors,
)
from apps.llm.calls.django_call_log import DjangoCallLog
from apps.llm.embeddings import StoredVectors
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.port import EmbeddingModel
from apps.llm.usage import Usage
from tests.model_server.example import request
from tests.support.llm_doubles import MemoryCallLog, MemoryVectors

SIMULATION = uuid4()


def call(tick: int = 7, *, answer: int = 9, sha256: str = "a" * 64) -> CompletedCall:
    return CompletedCall(
        place=CallPlace(
            simulation_id=SIMULATION,
            tick=tick,
            stream="klaus-mueller",
            task="memory.importances",
            ordinal=0,
        ),
        request_sha256=sha256,
        wording_version="0123456789ab",
        server="offline",
        model="rule model",
        messages=request().messages,
        answer={"importances": [answer]},
        outcome="valid",
        fallback="",
        attempts=({"prompt_tokens": 1},),
        spent=Usage(
            prompt_tokens=1, completion_tokens=2, latency_ms=3, cost=Decimal("0.00000015")
        ),
    )


class CallLogContract:
    def test_has_the_answers_of_a_turn(self, call_log: CallLog) -> None:
        call_log.record(call())
        call_log.record(call(tick=8))
        assert call_log.completed(tick=7, stream="klaus-mueller") == {
            call().key: {"importances": [9]}
        }
        assert call_log.completed(tick=7, stream="maria-lopez") == {}

    def test_keeps_the_first_answer(self, call_log: CallLog) -> None:
        assert call_log.record(call(answer=9)) == {"importances": [9]}
        assert call_log.record(call(answer=5)) == {"importances": [9]}

    def test_keeps_another_question_under_the_same_id(self, call_log: CallLog) -> None:
        call_log.record(call())
        assert call_log.record(call(answer=5, sha256="b" * 64)) == {"importances": [5]}
        assert len(call_log.completed(tick=7, stream="klaus-mueller")) == 2

    def test_keeps_several_at_once_but_none_twice(self, call_log: CallLog) -> None:
        call_log.record(call(answer=9))
        call_log.record_all([call(answer=5), replace(call(), request_sha256="c" * 64)])
        call_log.record_all([])
        answers = call_log.completed(tick=7, stream="klaus-mueller")
        assert list(answers.values()) == [{"importances": [9]}] * 2


class TestMemoryCallLog(CallLogContract):
    @pytest.fixture
    def call_log(self) -> CallLog:
        return MemoryCallLog()


@pytest.mark.django_db
class TestDjangoCallLog(CallLogContract):
    @pytest.fixture
    def call_log(self) -> CallLog:
        return DjangoCallLog(SIMULATION)


class CountingEmbedding(HashingEmbedding):
    """Notes what it is asked for, and is asked as rarely as a server."""

    remote = True

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        return super().embed(texts)


class VectorsContract:
    Make = Callable[[EmbeddingModel], Vectors]

    def test_embed_each_text_once(self, make: Make) -> None:
        model = CountingEmbedding()
        kept = make(model)
        kept.ensure(["a walk", "a party", "a walk"])
        kept.ensure(["a party"])
        kept.vectors(["a walk", "a swim"])
        assert sorted(model.asked) == ["a party", "a swim", "a walk"]

    @pytest.mark.parametrize("model", [HashingEmbedding(), CountingEmbedding()])
    def test_come_back_as_half_floats(self, make: Make, model: EmbeddingModel) -> None:
        kept = make(model).vectors(["a walk in the park"])["a walk in the park"]
        assert (
            kept == MemoryVectors(model).vectors(["a walk in the park"])["a walk in the park"]
        )

    def test_of_nothing_are_none(self, make: Make) -> None:
        assert make(HashingEmbedding()).vectors([]) == {}


class TestMemoryVectors(VectorsContract):
    @pytest.fixture
    def make(self) -> VectorsContract.Make:
        return MemoryVectors


@pytest.mark.django_db(transaction=True)
class TestStoredVectors(VectorsContract):
    @pytest.fixture
    def make(self) -> VectorsContract.Make:
        context = EmbeddingContext(simulation_id=SIMULATION, tick=7, stream="klaus-mueller")
        return partial(StoredVectors, context=context)
