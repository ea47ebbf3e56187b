"""Minds on the real call_log, and a model server."""

from collections.abc import Iterator
from typing import Protocol
from uuid import UUID, uuid4

import pytest

from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.opening import Models, open_agent_llm
from apps.llm.port import ChatModel
from tests.model_server.example import server_answer
from tests.model_server.server import ModelServer


class AgentLLMMaker(Protocol):
    def __call__(
        self,
        chat: ChatModel,
        *,
        tick: int = 7,
        stream: str = "klaus-mueller",
        deferred: bool = False,
    ) -> AgentLLM: ...


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    with ModelServer(server_answer) as server:
        yield server


@pytest.fixture
def simulation_id() -> UUID:
    return uuid4()


@pytest.fixture
def mind_of(simulation_id: UUID) -> AgentLLMMaker:
    def make(
        chat: ChatModel,
        *,
        tick: int = 7,
        stream: str = "klaus-mueller",
        deferred: bool = False,
    ) -> AgentLLM:
        return open_agent_llm(
            simulation_id=simulation_id,
            tick=tick,
            stream=stream,
            models=Models(chat=chat, embedding=HashingEmbedding(), seed=1),
            deferred=deferred,
        )

    return make
