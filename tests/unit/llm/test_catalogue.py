"""Which models a simulation asks for, and what is opened for it."""

import json
from typing import ClassVar
from uuid import uuid4

import pytest
from pytest_django import Settings

from apps.llm.calls.call_log import CallPlace
from apps.llm.catalogue import (
    ModelNotAllowed,
    ensure_agents_known,
    ensure_prices_known,
    named_models,
    parse_model,
)
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.model_spec import HASHING_STEMS, RULE_MODEL, ModelSpec, UnknownModel
from apps.llm.opening import Models, open_models
from apps.llm.prices import FREE, PriceUnknown
from apps.llm.servers.configuration import Server, hosted_servers, read_prices
from apps.llm.servers.openai_chat import OpenAIChatModel
from apps.rule_model.model import RuleModel

LOCAL = Server(
    name="local", base_url="http://127.0.0.1:1/v1", api_key="sk-secret", chat_model="llama"
)
VECTORS = Server(
    name="vectors",
    base_url="http://127.0.0.1:2/v1",
    embedding_model="e",
    embedding_dimensions=8,
)


TASKS = ("dialogue.utterance", "memory.importance")


def no_rules(seed: int) -> RuleModel:
    """Return a rule-based model that answers no task."""
    return RuleModel({}, seed=seed)


def opened(spec: ModelSpec) -> Models:
    return open_models(spec, seed=7, open_rule_model=no_rules, task_names=TASKS)


@pytest.fixture(autouse=True)
def _servers(settings: Settings) -> None:
    openai = hosted_servers()["openai"]
    settings.MODEL_SERVERS = {"local": LOCAL, "openai": openai, "vectors": VECTORS}


class TestParseModel:
    def test_defaults_to_the_rule_model(self) -> None:
        assert parse_model(None) == ModelSpec()

    @pytest.mark.parametrize("default", ["local", "local:llama"])
    def test_defaults_to_what_the_operator_says(self, settings: Settings, default: str) -> None:
        settings.DEFAULT_MODEL_SERVER = default
        assert parse_model(None).chat_model == "llama"

    def test_takes_a_servers_own_models(self) -> None:
        spec = parse_model("openai")
        assert (spec.server, spec.chat_model) == ("openai", "gpt-4o-mini")
        assert (spec.embedding_server, spec.embedding_dimensions) == ("openai", 1_536)

    def test_takes_a_model_after_a_colon(self) -> None:
        assert parse_model("openai:gpt-5:mini").chat_model == "gpt-5:mini"

    def test_leaves_embeddings_to_hashing_when_the_server_has_none(self) -> None:
        spec = parse_model("local:other")
        assert (spec.embedding_server, spec.embedding_model) == ("offline", "hashing-v1")

    def test_takes_the_embeddings_of_the_server_that_its_server_names(
        self, settings: Settings
    ) -> None:
        local = LOCAL.model_copy(update={"embedding_server": "vectors"})
        settings.MODEL_SERVERS = {"local": local, "vectors": VECTORS}
        settings.MODELS_ALLOWED = ["local"]
        spec = parse_model("local")
        assert (spec.embedding_server, spec.embedding_model) == ("vectors", "e")
        assert spec.embedding_dimensions == 8
        asked = {"server": "local", "embedding_server": "offline"}
        assert parse_model(asked).embedding_model == "hashing-v1"

    def test_takes_fields_one_by_one(self) -> None:
        asked = {"server": "local", "chat_model": "llama", "embedding_server": "openai"}
        assert parse_model(asked | {"temperature": 0.5}).temperature == 0.5

    def test_never_has_a_key(self) -> None:
        assert "sk-secret" not in str(parse_model("local").to_json())
        assert "sk-secret" not in repr(LOCAL)

    def test_names_the_servers_there_are(self) -> None:
        there_are = r"'mars' here; there are local, offline, openai, vectors\. OPENAI_API_KEY"
        with pytest.raises(UnknownModel, match=there_are):
            parse_model("mars")

    @pytest.mark.parametrize(
        ("asked", "told"),
        [
            ({"api_key": "sk-1"}, "no field 'api_key'"),
            ({"server": 7}, "server must be a text"),
            ({"server": "vectors"}, "name chat_model"),
            ({"embedding_server": "local"}, "name embedding_model"),
            ({"embedding_dimensions": 0}, "between 1 and 3584"),
            ({"embedding_dimensions": True}, "embedding_dimensions must be a whole number"),
            ({"embedding_dimensions": 100_000}, "between 1 and 3584"),
            ({"temperature": -1}, "between 0 and 2"),
            ({"temperature": float("nan")}, "between 0 and 2"),
            ({"chat_model": "x" * 500}, "chat_model must be a text of 1 to 200"),
            ({"prompt_form": "tiny"}, "prompt_form must be one of full, short"),
        ],
    )
    def test_refuses_what_cannot_be(self, asked: dict[str, object], told: str) -> None:
        with pytest.raises(UnknownModel, match=told):
            parse_model(asked)


class TestRoutes:
    ASKED: ClassVar[dict[str, object]] = {
        "server": "local",
        "tasks": {"dialogue.*": "openai", "memory.importance": "offline"},
        "agents": {"Isabella Rodriguez": "local:other"},
    }

    def test_are_full_names(self) -> None:
        spec = parse_model(self.ASKED)
        assert spec.tasks == {
            "dialogue.*": "openai:gpt-4o-mini",
            "memory.importance": "offline",
        }
        assert spec.agents == {"isabella-rodriguez": "local:other"}
        assert ModelSpec.from_json(json.loads(json.dumps(spec.to_json()))) == spec

    @pytest.mark.parametrize(
        ("stream", "task", "model"),
        [
            ("klaus-mueller", "planning.outline", "llama"),
            ("klaus-mueller", "dialogue.utterance", "gpt-4o-mini"),
            ("klaus-mueller", "memory.importance", RULE_MODEL),
            ("isabella-rodriguez", "dialogue.utterance", "other"),
        ],
    )
    def test_choose_the_model_of_a_call(self, stream: str, task: str, model: str) -> None:
        models = opened(parse_model(self.ASKED))
        place = CallPlace(simulation_id=uuid4(), tick=1, stream=stream, task=task, ordinal=0)
        chosen = models.of(place)
        assert chosen.chat.name == model
        assert (chosen.price is None) == (model in {"llama", "other"})
        assert not models.chats_are_local

    def test_of_agents_fit_those_that_join_later_by_a_pattern(self) -> None:
        agents = {"Ada Finch": "local", "Ada *": "openai", "*": "offline"}
        asked = {"server": "local", "tasks": {"*": "local:other"}, "agents": agents}
        spec = parse_model(asked)
        ensure_agents_known(spec, ["ada-finch"])
        chosen = [
            spec.chat_of(slug, "dialogue.utterance")
            for slug in ("ada-finch", "ada-wong", "ben-marsh")
        ]
        assert chosen == ["local:llama", "openai:gpt-4o-mini", "offline"]
        shares = named_models(spec).prices.shares_of("dialogue.utterance", ["ben-marsh"])
        assert shares == {FREE: 1}
        with pytest.raises(UnknownModel, match=r"no agent 'ada-finch'.* by a key with '\*'"):
            ensure_agents_known(spec, ["ben-marsh"])

    @pytest.mark.parametrize(
        ("asked", "told"),
        [
            ({"tasks": {"dialoge.*": "local"}}, "no LLM task 'dialoge.*'"),
            ({"tasks": {"dialogue.*": "mars:x"}}, "no model server 'mars' here"),
            ({"agents": {"Klaus Mueller": "vectors"}}, "'vectors' has no default model"),
            ({"tasks": {"dialogue.*": 7}}, "must be a text"),
            ({"tasks": ["dialogue.*"]}, "tasks must be an object"),
        ],
    )
    def test_are_refused_if_they_lead_nowhere(
        self, asked: dict[str, object], told: str
    ) -> None:
        with pytest.raises(UnknownModel, match=told):
            opened(parse_model(asked))

    def test_are_those_that_are_allowed(self, settings: Settings) -> None:
        settings.MODELS_ALLOWED = ["local", "openai:gpt-5-mini"]
        with pytest.raises(ModelNotAllowed, match="'openai:gpt-4o-mini' is not offered here"):
            opened(parse_model(self.ASKED))

    def test_need_prices_for_a_budget_of_money(self) -> None:
        lines = r"of 'llama' and 'other'.*`models: \{other: \{price: .* at the server 'local'"
        with pytest.raises(PriceUnknown, match=lines):
            ensure_prices_known(parse_model(self.ASKED))

    def test_are_estimated_at_their_prices(self) -> None:
        prices = named_models(parse_model(self.ASKED)).prices
        assert prices.of_task("memory.importance") == FREE
        assert prices.of_task("planning.outline") is None
        mini = prices.of_task("dialogue.utterance")
        assert mini is not None
        assert mini.prompt > 0
        assert not prices.are_known


class TestModelSpec:
    def test_comes_back_from_json(self) -> None:
        spec = parse_model("openai")
        assert ModelSpec.from_json(json.loads(json.dumps(spec.to_json()))) == spec

    def test_of_a_row_without_a_form_of_prompts_has_the_full_one(self) -> None:
        values = parse_model("openai").to_json()
        assert values.pop("prompt_form") == "full"
        assert ModelSpec.from_json(values).prompt_form == "full"


class TestOpenModels:
    def test_puts_the_rule_model_together(self) -> None:
        models = opened(parse_model("offline"))
        assert isinstance(models.chat, RuleModel)
        assert isinstance(models.embedding, HashingEmbedding)

    def test_keeps_one_object_for_a_servers_model(self) -> None:
        spec = parse_model("local")
        one, other = (opened(spec) for _ in range(2))
        assert isinstance(one.chat, OpenAIChatModel)
        assert one.chat is other.chat

    def test_prices_what_the_settings_list(self, settings: Settings) -> None:
        settings.MODEL_PRICES = read_prices('{"llama": {"prompt": "1.5", "completion": "2"}}')
        models = opened(parse_model("local"))
        assert models.price is not None
        assert models.price.cost(prompt_tokens=2_000_000, completion_tokens=0) == 3

    def test_says_when_a_server_is_gone(self, settings: Settings) -> None:
        spec = parse_model("local")
        settings.MODEL_SERVERS = {}
        with pytest.raises(UnknownModel, match="not set up any more; there are offline"):
            opened(spec)

    def test_opens_the_offline_embedding_of_stems(self) -> None:
        spec = parse_model({"embedding_model": HASHING_STEMS})
        models = opened(spec)
        assert isinstance(models.embedding, HashingEmbedding)
        assert models.embedding.name == HASHING_STEMS

    def test_refuses_offline_embeddings_that_there_are_not(self) -> None:
        spec = parse_model({"embedding_model": "minilm"})
        with pytest.raises(UnknownModel, match="'hashing-v1'"):
            opened(spec)


def test_calls_that_can_wait_have_the_price_of_the_tier(settings: Settings) -> None:
    openai, spec = hosted_servers()["openai"], parse_model("openai:gpt-4.1")
    usual = named_models(spec).prices.chat
    assert usual is not None
    assert named_models(spec, can_wait=True).prices.chat == usual, "it names no cheaper tier"
    settings.MODEL_SERVERS = {"openai": openai.model_copy(update={"service_tier": "flex"})}
    waiting = named_models(spec, can_wait=True).prices.chat
    assert waiting is not None
    assert named_models(spec).prices.chat == usual
    tokens = {"prompt_tokens": 1_000, "completion_tokens": 100, "cached_prompt_tokens": 300}
    assert 2 * waiting.cost(**tokens) == usual.cost(**tokens)
