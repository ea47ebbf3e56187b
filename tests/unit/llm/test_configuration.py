"""Model servers from a file, from variables and from presets."""

import re
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import pytest

from apps.llm.prices import PRICE_DAYS_MAX, Price
from apps.llm.servers.configuration import (
    ModelsFile,
    Server,
    UnusableModels,
    check_choice,
    hosted_servers,
    presets,
    read_prices,
    read_servers,
)

FILE = """\
default: mini
servers:
  mini:
    preset: openai
    api_key: {variable: MINI_KEY}
    models:
      gpt-5-mini: {reasoning: low, answer_tokens_max: 4000}
      gpt-4.1-mini:
    embedding_server: vectors
  own:
    base_url: http://127.0.0.1:8000/v1
    api_key: {file: KEY_FILE}
    headers: {x-team: {variable: TEAM}, x-app: town}
    query: {api-version: 2024-10-21}
    chat_model: llama
    price: {prompt: 0}
    extra_body: {top_k: 20}
  vectors:
    preset: ollama
    embedding_model: nomic-embed-text
    embedding_dimensions: 768
"""
VARIABLES = {"MINI_KEY": "sk-mini\n", "TEAM": "north"}
BASE_URL = "http://127.0.0.1:9/v1"


def read_file(tmp_path: Path, text: str, **variables: str) -> ModelsFile:
    path = tmp_path / "models.yaml"
    path.write_text(text)
    found = read_servers({**VARIABLES, **variables, "MODELS_FILE": str(path)})
    assert found is not None
    return found


def read_variables(**variables: str) -> Server:
    found = read_servers({f"OPENAI_{name}": value for name, value in variables.items()})
    assert found is not None
    return found.servers["openai"]


class TestModelsFile:
    @pytest.fixture
    def file(self, tmp_path: Path) -> ModelsFile:
        (tmp_path / "key").write_text("sk-own\n")
        return read_file(tmp_path, FILE.replace("KEY_FILE", str(tmp_path / "key")))

    def test_names_servers_and_the_default(self, file: ModelsFile) -> None:
        assert (file.default, list(file.servers)) == ("mini", ["mini", "own", "vectors"])
        assert [server.name for server in file.servers.values()] == list(file.servers)

    def test_has_keys_from_variables_and_files(self, file: ModelsFile) -> None:
        assert file.servers["mini"].api_key == "sk-mini"
        assert file.servers["own"].api_key == "sk-own"
        assert file.servers["own"].headers == {"x-team": "north", "x-app": "town"}
        assert "sk-" not in repr(file)
        assert "north" not in repr(file)

    def test_fills_what_is_not_given_from_the_preset(self, file: ModelsFile) -> None:
        mini = file.servers["mini"]
        assert mini.base_url == "https://api.openai.com/v1"
        assert mini.chat_model == "gpt-5-mini"
        assert mini.options_of("gpt-4.1-mini").price == presets_price("openai", "gpt-4.1-mini")
        assert file.servers["vectors"].base_url == "http://127.0.0.1:11434/v1"
        assert file.servers["vectors"].chat_models == []

    def test_has_settings_of_a_model(self, file: ModelsFile) -> None:
        mini = file.servers["mini"]
        assert mini.options_of("gpt-5-mini").answer_tokens_max == 4_000
        assert mini.options_of("gpt-5-mini").reasoning == "low"
        assert mini.options_of("gpt-4.1-mini").answer_tokens_max == 2_048
        assert file.servers["own"].options_of("any").price == Price()

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            (
                "    preset: openai",
                "    preset: opnai",
                "line 4: .*preset: there is no 'opnai'; did you mean",
            ),
            ("{reasoning: low,", "{reasonin: low,", "line 7: servers.mini.models.gpt-5-mini: "),
            ("reasoning: low", "reasoning: much", "line 7: .*must be one of default, off, "),
            ("4000}", "few}", "line 7: .*answer_tokens_max must be a whole number between 16"),
            ("    chat_model: llama", "", "line 10: servers.own has no models: name chat_"),
            ("{variable: MINI_KEY}", "sk-1", "line 5: .*a key is not written here"),
            ("{variable: MINI_KEY}", "{variable: OTHER}", "variable OTHER, which is not set"),
            ("{variable: MINI_KEY}", "{variabel: OTHER}", "must be {variable: NAME} or"),
            ("KEY_FILE", "/nowhere/key", "line 12: .*file /nowhere/key, which cannot be read"),
            ("http://127.0.0.1:8000/v1", "127.0.0.1:8000", "line 11: .*must begin with http"),
            ("8000/v1", "8000/v1/chat/completions", "must end before /chat/completions"),
            ("8000/v1", "8000/v1?api-version=1", "leave .api-version=1 out and name it in"),
            ("{prompt: 0}", "{prompt: -1}", "line 16: servers.own.price.prompt"),
            ("{prompt: 0}", "{promt: 1}", "line 16: servers.own.price"),
            ("server: vectors", "server: own", "no embedding_server 'own' with an embedding"),
            ("default: mini", "default: maxi", "no server 'maxi' of default; there are mini"),
            ("default: mini", "defautl: mini", "line 1: there is no setting 'defautl'"),
            ("  vectors:", "  offline:", "must name the server 'offline' otherwise"),
            ("    embedding_dimensions: 768", "", "needs embedding_dimensions"),
            ("  own:", "  mini:", "line 10: 'mini' is twice"),
            ("default: mini", "default: [", "is no YAML: .*line 3"),
        ],
    )
    def test_is_refused_with_line_and_fix(
        self, tmp_path: Path, old: str, new: str, told: str
    ) -> None:
        assert old in FILE
        (tmp_path / "key").write_text("sk-own\n")
        text = FILE.replace(old, new, 1).replace("KEY_FILE", str(tmp_path / "key"))
        with pytest.raises(UnusableModels, match=re.compile(told, re.DOTALL)) as refused:
            read_file(tmp_path, text)
        assert refused.value.message.startswith(str(tmp_path / "models.yaml"))

    def test_names_every_fault(self, tmp_path: Path) -> None:
        text = "servers:\n  a: {base_url: x}\n  b: {preset: ollama, retries: -1}\n"
        with pytest.raises(UnusableModels, match=r"(?s)line 2: .*\n.*line 3: .*retries"):
            read_file(tmp_path, text)

    @pytest.mark.parametrize("text", ["", "servers:\n", "servers: {}\n", "- a\n"])
    def test_without_servers_is_refused(self, tmp_path: Path, text: str) -> None:
        with pytest.raises(UnusableModels):
            read_file(tmp_path, text)

    def test_that_is_not_there_is_refused(self) -> None:
        with pytest.raises(UnusableModels, match="MODELS_FILE names /nowhere"):
            read_servers({"MODELS_FILE": "/nowhere.yaml"})

    def test_is_not_mixed_with_variables(self, tmp_path: Path) -> None:
        with pytest.raises(UnusableModels, match="OPENAI_CHAT_MODEL has no effect"):
            read_file(tmp_path, FILE, OPENAI_CHAT_MODEL="gpt-4o")


class TestVariables:
    def test_without_key_and_address_set_up_nothing(self) -> None:
        assert read_servers({"OPENAI_CHAT_MODEL": "llama"}) is None

    def test_make_the_server_that_a_file_makes(self, tmp_path: Path) -> None:
        text = "servers: {openai: {preset: openai, api_key: {variable: K}, retries: 2}}"
        named = read_file(tmp_path, text, K="sk-1").servers["openai"]
        assert read_variables(API_KEY=" sk-1\n", RETRIES="2") == named

    def test_set_every_setting(self) -> None:
        server = read_variables(
            BASE_URL=f"{BASE_URL}/",
            CHAT_MODEL="7",
            SCHEMA="prompt",
            ANSWER_TOKENS_MAX="300",
            SEED="none",
            WAIT_SECONDS_MAX="2.5",
            HEADERS="{x-team: north}",
        )
        assert (server.base_url, server.chat_model) == (BASE_URL, "7")
        assert (server.schema_by, server.answer_tokens_max) == ("prompt", 300)
        assert (server.seed, server.wait_seconds_max) == ("none", 2.5)
        assert (server.headers, server.api_key) == ({"x-team": "north"}, "none")

    def test_take_the_preset_of_the_address(self) -> None:
        server = read_variables(BASE_URL="http://127.0.0.1:11434/v1/", CHAT_MODEL="llama3")
        assert server.preset == "ollama"

    def test_leave_embeddings_to_hashing_on_request(self) -> None:
        assert read_variables(API_KEY="sk-1").embedding_server == ""
        assert read_variables(API_KEY="sk-1", EMBEDDING_MODEL="").embedding_server == "offline"

    @pytest.mark.parametrize(
        ("variables", "told"),
        [
            ({"BASE_URL": BASE_URL}, "OPENAI_BASE_URL has no models: name chat_model"),
            ({"API_KEY": "sk-1", "SCHEMA": "xml"}, "OPENAI_SCHEMA must be one of json_schema"),
            ({"API_KEY": "sk-1", "RETRIES": "many"}, "OPENAI_RETRIES must be a whole number"),
            ({"API_KEY": "sk-\u00e9"}, "OPENAI_API_KEY has a letter or a line break"),
            ({"API_KEY": "sk-1\nsk-2"}, "OPENAI_API_KEY has a letter or a line break"),
            ({"BASE_URL": "localhost:8000"}, "OPENAI_BASE_URL must begin with http"),
            ({"API_KEY": "sk-1", "HEADERS": "{x: ["}, "OPENAI_HEADERS is no YAML: "),
        ],
    )
    def test_are_refused_by_name(self, variables: dict[str, str], told: str) -> None:
        with pytest.raises(UnusableModels, match=told):
            read_variables(**variables)


class TestDefault:
    SERVERS: ClassVar[dict[str, Server]] = {"openai": hosted_servers()["openai"]}

    @pytest.mark.parametrize(
        ("default", "allowed"),
        [
            ("offline", ["openai"]),
            ("openai", []),
            ("openai", ["openai:gpt-4o-mini"]),
            ("openai:gpt-5-mini", ["openai"]),
        ],
    )
    def test_is_a_model_that_may_be_used(self, default: str, allowed: list[str]) -> None:
        check_choice(default, self.SERVERS, allowed)

    @pytest.mark.parametrize(
        ("default", "allowed", "told"),
        [
            ("opneai", [], "no server 'opneai': .*DEFAULT_MODEL_SERVER"),
            ("openai", ["offline"], "'openai:gpt-4o-mini', which is not among MODELS_ALLOWED"),
            ("openai:gpt-4o", ["openai:gpt-5-mini"], "'openai:gpt-4o', which is not among"),
            ("offline", ["opneai:gpt-4o"], "MODELS_ALLOWED lists .* no server 'opneai'"),
        ],
    )
    def test_is_refused_at_the_start_otherwise(
        self, default: str, allowed: list[str], told: str
    ) -> None:
        with pytest.raises(UnusableModels, match=told):
            check_choice(default, self.SERVERS, allowed)


def presets_price(preset: str, model: str) -> Price:
    return Price.model_validate(presets()[preset]["models"][model]["price"])


class TestPresets:
    @pytest.mark.parametrize("name", sorted(presets()))
    def test_are_servers(self, name: str) -> None:
        given: dict[str, Any] = {"preset": name, "api_key": "k", "chat_model": "m"}
        server = Server(**given, base_url=presets()[name].get("base_url", BASE_URL))
        assert server.options_of("m").reasoning == "default"

    def test_say_where_and_when_each_price_was_read(self) -> None:
        for server in hosted_servers().values():
            for options in server.models.values():
                if options.price is not None:
                    assert options.price.source.startswith("https://")
                    assert options.price.as_of is not None

    def test_have_prices_at_their_own_address_only(self) -> None:
        own, other = (
            Server(preset="openai", api_key="k", base_url=url)
            for url in ("https://api.openai.com/v1/", BASE_URL)
        )
        assert own.options_of("gpt-4o-mini").price is not None
        assert other.options_of("gpt-4o-mini").price is None


class TestPrices:
    def test_are_per_million_tokens(self) -> None:
        price = read_prices('{"m": {"prompt": "0.15", "completion": 0.6}}')["m"]
        cost = price.cost(prompt_tokens=1_000_000, completion_tokens=500_000)
        assert (cost, price.source) == (Decimal("0.45"), "MODEL_PRICES")

    @pytest.mark.parametrize(
        ("price", "told"),
        [
            (
                '{"prompt": "cheap"}',
                "m.prompt must be a number of at least 0, not 'cheap'; write prices such as",
            ),
            ('{"prompt": -1}', "m.prompt must be a number of at least 0"),
            ('{"prompt": "NaN"}', "m.prompt must be a number"),
            ('{"promt": 1}', "promt"),
            ("7", "MODEL_PRICES.m must be an object"),
            ("[", "write prices such as"),
        ],
    )
    def test_are_refused_if_they_are_none(self, price: str, told: str) -> None:
        with pytest.raises(UnusableModels, match=re.compile(told, re.DOTALL)):
            read_prices(f'{{"m": {price}}}')

    def test_are_old_after_a_time(self) -> None:
        today = date(2026, 11, 27)
        ages = (0, PRICE_DAYS_MAX, PRICE_DAYS_MAX + 1)
        dated = [Price(as_of=today - timedelta(days=days)) for days in ages]
        assert [price.is_old(today) for price in dated] == [False, False, True]
        assert not Price().is_old(today)
