"""A model server for the contract tests."""

from collections.abc import Iterator

import pytest

from tests.model_server.example import server_answer
from tests.model_server.server import ModelServer


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    with ModelServer(server_answer) as server:
        yield server
