"""Tokens, prices, strict schemas, tasks: what fits on a page each."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from apps.llm.answers.json_schema import strict_schema
from apps.llm.prices import (
    CACHED_PRICE_RATIO_DEFAULT,
    Price,
    billed_equivalent_tokens,
    cached_price_ratio,
)
from apps.llm.servers.configuration import Server
from apps.llm.servers.errors import redact
from apps.llm.task import LLMTask
from apps.llm.tokens import count_fitting, count_tokens
from tests.model_server.example import IMPORTANCES, INPUTS, fills, middling


def test_messages_of_a_server_name_neither_key_nor_account() -> None:
    server = Server(
        name="openai", base_url="http://127.0.0.1/v1", api_key="a secret", chat_model="m"
    )
    told = "401: 'a secret' or sk-12ab of organization org-AbCdEfGh1234XyZ, an org-wide limit"
    assert redact(told, server) == (
        "401: '[key]' or [key] of organization [key], an org-wide limit"
    )


class Place(BaseModel):
    name: str
    title: str = "none"


class Visit(BaseModel):
    model_config = ConfigDict(extra="forbid")

    place: Place
    others: list[Place] = []
    note: str | None = None


class TestCountFitting:
    @given(st.lists(st.text(max_size=60), max_size=20), st.integers(0, 200))
    def test_takes_as_many_as_fit_and_no_more(self, texts: list[str], tokens_max: int) -> None:
        count = count_fitting(texts, tokens_max)
        assert sum(map(count_tokens, texts[:count])) <= tokens_max
        if count < len(texts):
            assert sum(map(count_tokens, texts[: count + 1])) > tokens_max

    def test_stops_at_the_first_that_does_not_fit(self) -> None:
        assert count_fitting(["a" * 400, "b"], 50) == 0


class TestPrice:
    def test_counts_tokens_from_the_cache_at_their_own_price(self) -> None:
        price = Price(prompt=Decimal(4), completion=Decimal(8), cached_prompt=Decimal(1))
        tokens = {"prompt_tokens": 1_000_000, "completion_tokens": 0}
        assert price.cost(**tokens) == 4
        assert price.cost(**tokens, cached_prompt_tokens=500_000) == Decimal("2.5")
        assert price.cost(**tokens, cached_prompt_tokens=2_000_000) == 1
        assert Price(prompt=Decimal(4)).cost(**tokens, cached_prompt_tokens=500_000) == 4

    @pytest.mark.parametrize(
        ("price", "ratio"),
        [
            (Price(prompt=Decimal(4), cached_prompt=Decimal(1)), Decimal("0.25")),
            (Price(prompt=Decimal(4), cached_prompt=Decimal(0)), Decimal(0)),
            (Price(prompt=Decimal(4)), Decimal(1)),  # they cost as much as others
            (Price(), CACHED_PRICE_RATIO_DEFAULT),
            (None, CACHED_PRICE_RATIO_DEFAULT),
        ],
    )
    def test_weighs_cached_tokens_as_they_are_billed(
        self, price: Price | None, ratio: Decimal
    ) -> None:
        assert cached_price_ratio(price) == ratio
        tokens = {
            "prompt_tokens": 1_200,
            "cached_prompt_tokens": 1_000,
            "completion_tokens": 30,
        }
        assert billed_equivalent_tokens(**tokens, ratio=ratio) == 230 + 1_000 * ratio


class TestStrictSchema:
    def test_requires_every_property_and_allows_nothing_else(self) -> None:
        schema = strict_schema(Visit.model_json_schema())
        assert schema["required"] == ["place", "others", "note"]
        assert schema["additionalProperties"] is False
        place = schema["$defs"]["Place"]
        assert place["required"] == ["name", "title"]
        assert place["additionalProperties"] is False

    def test_drops_defaults_and_titles_but_not_a_field_of_that_name(self) -> None:
        schema = strict_schema(Visit.model_json_schema())
        assert "title" not in schema
        assert "description" not in {*schema, *schema["$defs"]["Place"]}  # of the classes
        assert schema["$defs"]["Place"]["properties"] == {
            "name": {"type": "string"},
            "title": {"type": "string"},
        }

    def test_leaves_the_schema_it_was_given_alone(self) -> None:
        before = Visit.model_json_schema()
        strict_schema(before)
        assert before == Visit.model_json_schema()


class TestTask:
    def test_has_a_pure_prompt(self) -> None:
        system, user = IMPORTANCES.prompt(INPUTS)
        assert system.content == "You play one agent."
        assert user.content.startswith("Judge how much memories matter to Isabella Rodriguez.")
        assert "1. the stove is burning\n2. the cup is idle" in user.content

    @pytest.mark.parametrize("name", ["importances", "memory.", "memory.two words", ".x"])
    def test_is_named_by_app_and_noun(self, name: str) -> None:
        with pytest.raises(AssertionError, match=r"app\.noun"):
            task(name=name)

    def test_wants_answers_that_forbid_what_they_do_not_know(self) -> None:
        with pytest.raises(AssertionError, match="forbid extras"):
            task(answer_type=Place)


def task(**changes: Any) -> LLMTask[Any, Any]:
    parts: dict[str, Any] = {
        "name": IMPORTANCES.name,
        "template": IMPORTANCES.template,
        "input_type": IMPORTANCES.input_type,
        "answer_type": IMPORTANCES.answer_type,
        "variables": fills,
        "fallback": middling,
        "decision": None,
    }
    return LLMTask(**(parts | changes))
