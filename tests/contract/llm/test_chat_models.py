"""What every chat model keeps to, whatever stands behind it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.llm.answers.answer_reading import answer_in
from apps.llm.port import ChatModel, Request
from apps.llm.servers.delayed_model import DelayedModel
from apps.llm.servers.openai_chat import OpenAIChatModel
from apps.rule_model.model import RuleModel
from tests.model_server.example import (
    GOOD,
    IMPORTANCES,
    TASK_RULES,
    Importances,
    request,
)
from tests.model_server.server import MODEL, ModelServer
from tests.support.llm_doubles import ScriptedModel


class ChatModelContract:
    """Inherited by a test class for each adapter, which says what its `model` is."""

    def test_answers_with_text_that_holds_the_answer(self, model: ChatModel) -> None:
        completion = model.complete(request())
        assert len(answer_in(completion.text, Importances).answer.importances) == 2

    def test_counts_tokens_and_time(self, model: ChatModel) -> None:
        completion = model.complete(request())
        assert completion.prompt_tokens >= 0
        assert completion.completion_tokens >= 0
        assert completion.latency_seconds >= 0

    def test_says_who_it_is(self, model: ChatModel) -> None:
        assert model.server
        assert model.name
        assert isinstance(model.remote, bool)

    def test_leaves_the_request_alone(self, model: ChatModel) -> None:
        asked = request()
        model.complete(asked)
        assert asked == request()

    def test_may_be_asked_by_several_threads(self, model: ChatModel) -> None:
        calls = [f"{tick}/isabella-rodriguez/memory.importances/0" for tick in range(12)]
        with ThreadPoolExecutor(6) as threads:
            texts = list(threads.map(lambda call: model.complete(request(call)).text, calls))
        assert all(answer_in(text, Importances) for text in texts)


class TestOfflineModel(ChatModelContract):
    @pytest.fixture
    def model(self) -> ChatModel:
        return RuleModel(TASK_RULES, seed=7)


class TestOpenAIChatModel(ChatModelContract):
    @pytest.fixture
    def model(self, model_server: ModelServer) -> ChatModel:
        return OpenAIChatModel(model_server.as_server(), MODEL)


class TestScriptedModel(ChatModelContract):
    @pytest.fixture
    def model(self) -> ChatModel:
        return ScriptedModel({IMPORTANCES.name: GOOD})


class TestDelayedModel(ChatModelContract):
    @pytest.fixture
    def model(self) -> ChatModel:
        inner = RuleModel(TASK_RULES, seed=7)
        return DelayedModel(inner, seed=1, delay_seconds_max=0.01)

    def test_answers_as_the_model_behind_it(self, model: ChatModel) -> None:
        asked: Request = request()
        assert model.complete(asked) == RuleModel(TASK_RULES, seed=7).complete(asked)
