"""Which models a simulation asks for."""

import json

import pytest

from apps.llm.model_spec import ModelSpec, ServerDefaults, UnknownModel, spec_of

SERVERS = {
    "offline": ServerDefaults(
        chat_model="rule model", embedding_model="hashing-v1", embedding_dimensions=384
    ),
    "openai": ServerDefaults(
        chat_model="gpt-4o-mini",
        embedding_model="text-embedding-3-small",
        embedding_dimensions=1_536,
    ),
    "local": ServerDefaults(chat_model="", embedding_model="", embedding_dimensions=0),
}


class TestSpecOf:
    def test_takes_a_servers_own_models(self) -> None:
        spec = spec_of("openai", SERVERS)
        assert (spec.server, spec.chat_model) == ("openai", "gpt-4o-mini")
        assert (spec.embedding_server, spec.embedding_dimensions) == ("openai", 1_536)

    def test_takes_a_model_after_a_colon(self) -> None:
        assert spec_of("openai:gpt-5:mini", SERVERS).chat_model == "gpt-5:mini"

    def test_leaves_embeddings_to_hashing_when_the_server_has_none(self) -> None:
        spec = spec_of("local:llama", SERVERS)
        assert (spec.embedding_server, spec.embedding_model) == ("offline", "hashing-v1")

    def test_takes_fields_one_by_one(self) -> None:
        asked = {"server": "local", "chat_model": "llama", "embedding_server": "openai"}
        assert spec_of(asked | {"temperature": 0.5}, SERVERS).temperature == 0.5

    def test_names_the_servers_there_are(self) -> None:
        with pytest.raises(
            UnknownModel,
            match=r"'mars' here; there are local, offline, openai\. OPENAI_API_KEY",
        ):
            spec_of("mars", SERVERS)

    @pytest.mark.parametrize(
        ("asked", "told"),
        [
            ({"api_key": "sk-1"}, "no field 'api_key'"),
            ({"server": 7}, "server must be a text"),
            ({"server": "local"}, "name chat_model"),
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
            spec_of(asked, SERVERS)


class TestModelSpec:
    def test_comes_back_from_json(self) -> None:
        spec = spec_of("openai", SERVERS)
        assert ModelSpec.from_json(json.loads(json.dumps(spec.to_json()))) == spec

    def test_of_a_row_without_a_form_of_prompts_has_the_full_one(self) -> None:
        values = spec_of("openai", SERVERS).to_json()
        assert values.pop("prompt_form") == "full"
        assert ModelSpec.from_json(values).prompt_form == "full"
