"""Each quirk of model servers that users reported ends with an answer, or says what to do."""

import math
from pathlib import Path

import pytest

from apps.llm.calls.answering import AnswerOutcome, ValidAnswer, ask_until_valid
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.port import ModelError
from apps.llm.servers.openai_chat import OpenAIChatModel
from apps.llm.servers.openai_embedding import OpenAIEmbeddingModel
from tests.model_server.example import GOOD, IMPORTANCES, INPUTS, Importances, request
from tests.model_server.faults import NONSENSE
from tests.model_server.quirks import (
    Ends,
    Quirk,
    chat_quirks,
    embedding_quirks,
    quirks_page,
)
from tests.model_server.server import DIMENSIONS, EMBEDDING_MODEL, MODEL, ModelServer

PAGE = Path("docs/reference/model_quirks.md")
TEXTS = [f"Isabella is doing thing number {number}" for number in range(40)]
LONG = "a very long thought " * 100


def id_of(quirk: Quirk) -> str:
    return f"{quirk.server} {quirk.what}"


@pytest.mark.parametrize("quirk", chat_quirks(), ids=id_of)
def test_a_chat_server_with_a_quirk(model_server: ModelServer, quirk: Quirk) -> None:
    model = OpenAIChatModel(model_server.as_server(), MODEL)
    model_server.quirk = quirk.reply
    if quirk.answers_before:
        model_server.goes_wrong(NONSENSE)

    def asked() -> ValidAnswer[Importances]:
        return ask_until_valid(IMPORTANCES, INPUTS, request(), model)

    if quirk.ends is Ends.PAUSED:
        with pytest.raises(Exception, match=quirk.told):
            asked()
        return
    answered = asked()
    first = answered.attempts[0]
    if quirk.ends is Ends.FELL_BACK:
        assert answered.outcome is AnswerOutcome.FELL_BACK
        assert quirk.told in str(first.error)
        assert len(model_server.requests) <= 3
        return
    assert answered.answer == GOOD
    is_repaired = quirk.ends is Ends.ASKED_AGAIN or quirk.answers_before
    outcome = AnswerOutcome.REPAIRED if is_repaired else AnswerOutcome.VALID
    assert answered.outcome is outcome
    if quirk.ends is Ends.WAITED:
        assert len(first.completion.setbacks) == 1
    if quirk.ends in (Ends.CONCEDED, Ends.ASKED_AGAIN):
        # What was learnt holds for later calls.
        before = len(model_server.requests)
        asked()
        if not quirk.answers_before and "too long together" not in quirk.what:
            assert len(model_server.requests) == before + 1


@pytest.mark.parametrize("quirk", embedding_quirks(), ids=id_of)
def test_an_embedding_server_with_a_quirk(model_server: ModelServer, quirk: Quirk) -> None:
    model = OpenAIEmbeddingModel(model_server.as_server(), EMBEDDING_MODEL, DIMENSIONS)
    model_server.quirk = quirk.reply
    texts = [*TEXTS, LONG]
    if quirk.ends is Ends.PAUSED:
        with pytest.raises(ModelError, match=quirk.told):
            model.embed(texts)
        return
    embedded = model.embed_at_once(texts)
    assert [len(vector) for vector in embedded.vectors] == [DIMENSIONS] * len(texts)
    assert all(math.hypot(*vector) == pytest.approx(1.0) for vector in embedded.vectors)
    hashed = [
        text for text in texts if f"embedded by hashing: {text[:60]}" in embedded.setbacks
    ]
    if quirk.ends is Ends.EMBEDDED:
        assert hashed == []
        return
    assert hashed == [text for text in texts if "number 3" in text]
    by_hashing = HashingEmbedding(DIMENSIONS).embed([TEXTS[3]])[0]
    assert embedded.vectors[3] == pytest.approx(by_hashing)


def test_xai_counts_the_thoughts(model_server: ModelServer) -> None:
    quirk = next(one for one in chat_quirks() if one.server == "xAI")
    model_server.quirk = quirk.reply
    completion = OpenAIChatModel(model_server.as_server(), MODEL).complete(request())
    assert (completion.completion_tokens, completion.reasoning_tokens) == (47, 40)


def test_the_page_lists_every_quirk() -> None:
    assert PAGE.read_text(encoding="utf-8") == quirks_page()
