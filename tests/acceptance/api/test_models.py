"""Which models users may choose, and what these cost."""

import json
from typing import Any

import pytest
from pytest_django import Settings

from apps.llm.servers.configuration import Server, hosted_servers, read_prices
from apps.simulation.engine.model_check import MEMORIES
from tests.acceptance.api.calling import Caller, problem
from tests.model_server.prefix_server import PrefixServer
from tests.model_server.server import MODEL

HOSTED = hosted_servers()["openai"]
OWN = Server(name="own", base_url="http://127.0.0.1:1/v1", chat_model="llama")
RATINGS = json.dumps({"importances": [3] * len(MEMORIES)})
ASKED = {"name": "a test", "seed": 7, "agents": 1}


@pytest.fixture(autouse=True)
def _servers(settings: Settings) -> None:
    settings.MODEL_SERVERS = {"openai": HOSTED, "own": OWN}
    settings.MODEL_PRICES = {}
    settings.MODELS_ALLOWED = []


def offered(caller: Caller) -> dict[str, dict[str, Any]]:
    return {offer["model"]: offer for offer in caller.everything("/models")}


class TestModels:
    def test_are_listed_with_dated_prices(self, isabella: Caller) -> None:
        offers = offered(isabella)
        mini = offers["openai:gpt-4o-mini"]
        assert mini["price"]["prompt"] == 0.15
        assert mini["price"]["as_of"]
        assert mini["embedding_price"]["prompt"] == 0.02
        assert (mini["is_default"], mini["others_allowed"]) == (False, True)
        assert "openai:gpt-4.1-mini" in offers
        assert offers["own:llama"]["price"] is None
        assert offers["offline"]["is_default"]
        assert offers["offline"]["price"]["source"] == ""

    def test_come_in_pages(self, isabella: Caller) -> None:
        assert set(offered(isabella)) == {
            offer["model"] for offer in isabella.everything("/models", limit=2)
        }

    def test_are_ordered_and_filtered_as_any_list(self, isabella: Caller) -> None:
        names = [offer["model"] for offer in isabella.everything("/models")]
        assert names == sorted(names)
        downwards = isabella.everything("/models", order="-model", limit=2)
        assert [offer["model"] for offer in downwards] == names[::-1]
        found = isabella.everything("/models", search="LLAMA")
        assert [offer["model"] for offer in found] == ["own:llama"]
        cursor = isabella.get("/models", limit=1).json()["next"].rpartition("cursor=")[2]
        refused = isabella.get("/models", cursor=cursor, order="-model")
        [error] = problem(refused, 422, "invalid-request")["errors"]
        assert error["code"] == "cursor-of-another-query"

    def test_have_the_prices_of_the_operator(
        self, isabella: Caller, settings: Settings
    ) -> None:
        settings.MODEL_PRICES = read_prices('{"openai:gpt-4o-mini": {"prompt": 9}}')
        price = offered(isabella)["openai:gpt-4o-mini"]["price"]
        assert (price["prompt"], price["source"], price["as_of"]) == (9.0, "MODEL_PRICES", None)

    def test_are_those_that_the_operator_allows(
        self, isabella: Caller, settings: Settings
    ) -> None:
        settings.MODELS_ALLOWED = ["openai:gpt-4.1-mini", "own"]
        offers = offered(isabella)
        assert set(offers) == {"offline", "openai:gpt-4.1-mini", "own:llama"}
        assert offers["own:llama"]["others_allowed"]
        assert not offers["openai:gpt-4.1-mini"]["others_allowed"]

    @pytest.mark.parametrize(
        "model", ["openai:gpt-4.1-mini", "own", "own:other", "offline", None]
    )
    def test_that_are_allowed_can_be_asked_for(
        self, isabella: Caller, settings: Settings, model: str | None
    ) -> None:
        settings.MODELS_ALLOWED = ["openai:gpt-4.1-mini", "own"]
        assert isabella.post("/simulations", ASKED | {"model": model}).status_code == 201

    @pytest.mark.parametrize(
        "model",
        [
            "openai",
            "openaj",
            {
                "embedding_server": "openai",
                "embedding_model": "text-embedding-3-small",
                "embedding_dimensions": 1536,
            },
        ],
    )
    def test_can_be_the_rule_based_one_alone(
        self, isabella: Caller, settings: Settings, model: Any
    ) -> None:
        settings.MODELS_ALLOWED = ["offline"]
        assert set(offered(isabella)) == {"offline"}
        assert isabella.post("/simulations", ASKED | {"model": "offline"}).status_code == 201
        asked = isabella.post("/simulations", ASKED | {"model": model})
        refused = problem(asked, 422, "unknown-model")
        # No more is told of a server that is not offered than of one that does not exist.
        assert "here; there are offline. " in refused["detail"]

    @pytest.mark.parametrize(
        "model",
        [
            "openai",
            "openai:gpt-4o",
            {"server": "openai", "chat_model": "gpt-4o"},
            {
                "server": "openai",
                "chat_model": "gpt-4.1-mini",
                "embedding_model": "text-embedding-3-large",
                "embedding_dimensions": 3072,
            },
            {"embedding_server": "openai", "embedding_model": "x", "embedding_dimensions": 8},
        ],
    )
    def test_that_are_not_allowed_are_refused(
        self, isabella: Caller, settings: Settings, model: Any
    ) -> None:
        settings.MODELS_ALLOWED = ["openai:gpt-4.1-mini", "own"]
        asked = isabella.post("/simulations", ASKED | {"model": model})
        refused = problem(asked, 422, "model-not-allowed")
        assert "is not offered here; " in refused["detail"]


class TestCheck:
    def test_says_what_works_to_administrators(
        self, administrator: Caller, settings: Settings
    ) -> None:
        with PrefixServer(lambda _: RATINGS) as server:
            settings.MODEL_SERVERS = {"own": server.as_server(name="own", seed="none")}
            told = administrator.post("/models/own/check").json()
            named = administrator.post(f"/models/own:{MODEL}/check").json()
        assert (told["model"], told["is_usable"]) == (f"own:{MODEL}", True)
        assert named["model"] == told["model"]
        found = {one["capability"]: one for one in told["capabilities"]}
        assert found["chat"]["works"] == found["embedding"]["works"] == "yes"
        assert (found["seed"]["works"], found["seed"]["fix"]) == ("not known", None)
        assert found["price"]["fix"].startswith("price: {prompt: ")
        assert told["day"]["prompt_tokens"] > told["day"]["completion_tokens"] > 0
        assert told["tokens_used"] > 0

    def test_is_refused_to_others(self, isabella: Caller) -> None:
        refused = problem(isabella.post("/models/own/check"), 403, "not-allowed")
        assert "administrators" in refused["detail"]

    @pytest.mark.parametrize("name", ["nobody", "offline", "groq:openai/gpt-oss-20b"])
    def test_needs_a_model_server(self, administrator: Caller, name: str) -> None:
        problem(administrator.post(f"/models/{name}/check"), 422, "unknown-model")
