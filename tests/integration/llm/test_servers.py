"""Model servers from the settings."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.model_spec import HASHING_STEMS, ModelSpec, UnknownModel
from apps.llm.opening import open_models
from apps.llm.servers.configuration import configured_servers, parse_model
from apps.llm.servers.openai_chat import OpenAIChatModel
from apps.rule_model.model import RuleModel

LOCAL = {
    "kind": "openai",
    "base_url": "http://127.0.0.1:1/v1",
    "api_key": "sk-secret",
    "chat_model": "llama",
}


def no_rules(seed: int) -> RuleModel:
    """Return a rule-based model that answers no task."""
    return RuleModel({}, seed=seed)


@pytest.fixture(autouse=True)
def _servers(settings: Settings) -> None:
    settings.MODEL_SERVERS = {"offline": {"kind": "offline"}, "local": LOCAL}


class TestParseModel:
    def test_defaults_to_the_rule_model(self) -> None:
        assert parse_model(None) == ModelSpec()

    def test_defaults_to_what_the_operator_says(self, settings: Settings) -> None:
        settings.DEFAULT_MODEL_SERVER = "local"
        assert parse_model(None).chat_model == "llama"

    def test_never_has_a_key(self) -> None:
        assert "sk-secret" not in str(parse_model("local").to_json())
        assert "sk-secret" not in repr(configured_servers())

    def test_names_the_servers_there_are(self) -> None:
        with pytest.raises(UnknownModel, match="local, offline"):
            parse_model("openai")


class TestConfiguredServers:
    @pytest.mark.parametrize(
        ("entry", "told"),
        [
            (LOCAL | {"tiemout": 3}, "no setting tiemout"),
            ({"chat_model": "llama"}, "needs a base_url"),
            (LOCAL | {"schema": "xml"}, "schema is one of"),
        ],
    )
    def test_refuse_what_cannot_be(
        self, settings: Settings, entry: dict[str, object], told: str
    ) -> None:
        settings.MODEL_SERVERS = {"local": entry}
        with pytest.raises(ImproperlyConfigured, match=told):
            configured_servers()


class TestOpenModels:
    def test_puts_the_rule_model_together(self) -> None:
        models = open_models(parse_model("offline"), seed=7, open_rule_model=no_rules)
        assert isinstance(models.chat, RuleModel)
        assert isinstance(models.embedding, HashingEmbedding)

    def test_keeps_one_object_for_a_servers_model(self) -> None:
        spec = parse_model("local")
        one, other = (open_models(spec, seed=7, open_rule_model=no_rules) for _ in range(2))
        assert isinstance(one.chat, OpenAIChatModel)
        assert one.chat is other.chat

    def test_prices_what_the_settings_list(self, settings: Settings) -> None:
        settings.MODEL_PRICES = {"llama": {"prompt": "1.5", "completion": "2"}}
        models = open_models(parse_model("local"), seed=7, open_rule_model=no_rules)
        assert models.price is not None
        assert models.price.cost(prompt_tokens=2_000_000, completion_tokens=0) == 3

    def test_says_when_a_server_is_gone(self, settings: Settings) -> None:
        spec = parse_model("local")
        settings.MODEL_SERVERS = {}
        with pytest.raises(UnknownModel, match="not set up any more; there are offline"):
            open_models(spec, seed=7, open_rule_model=no_rules)

    def test_opens_the_offline_embedding_of_stems(self) -> None:
        spec = parse_model({"embedding_model": HASHING_STEMS})
        models = open_models(spec, seed=7, open_rule_model=no_rules)
        assert isinstance(models.embedding, HashingEmbedding)
        assert models.embedding.name == HASHING_STEMS

    def test_refuses_offline_embeddings_that_there_are_not(self) -> None:
        spec = parse_model({"embedding_model": "minilm"})
        with pytest.raises(UnknownModel, match="'hashing-v1'"):
            open_models(spec, seed=7, open_rule_model=no_rules)
