"""What the metrics count of a model call."""

from typing import Any

import pytest
from pytest_django import Settings

from apps.llm.calls.metrics import OTHER_MODEL, model_label, retries_of
from apps.llm.model_spec import RULE_MODEL
from apps.llm.prices import FREE
from apps.llm.servers.configuration import Server

COMPLETION = {"prompt_tokens": 10, "completion_tokens": 2, "latency_ms": 5}


class TestRetries:
    @pytest.mark.parametrize(
        ("attempts", "retries"),
        [
            ([], 0),
            ([COMPLETION], 0),
            ([COMPLETION, COMPLETION], 1),
            ([{**COMPLETION, "setbacks": ["503", "503"]}], 2),
            ([COMPLETION, {**COMPLETION, "setbacks": ["timed out"]}], 2),
            ([{"setbacks": ["503", "503", "503"]}], 2),
            ([COMPLETION, {"setbacks": ["503"]}], 1),
        ],
    )
    def test_are_the_requests_beyond_the_first(
        self, attempts: list[dict[str, Any]], retries: int
    ) -> None:
        assert retries_of(attempts) == retries


class TestModelLabel:
    def test_is_the_name_if_the_settings_name_it(self, settings: Settings) -> None:
        settings.MODEL_SERVERS = {
            "openai": Server(
                base_url="http://127.0.0.1:1/v1",
                chat_model="large",
                embedding_model="vectors",
                embedding_dimensions=8,
            )
        }
        settings.MODEL_PRICES = {"small": FREE, "openai:mini": FREE, "llama3:8b": FREE}
        settings.MODELS_ALLOWED = ["openai:tiny", "offline"]
        for name in ("large", "vectors", "small", "mini", "llama3:8b", "tiny", RULE_MODEL):
            assert model_label(name) == name
        for name in ("", "openai", "made up by a user"):
            assert model_label(name) == OTHER_MODEL
