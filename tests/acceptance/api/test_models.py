"""Which models users may choose, and what these cost."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from apps.llm.servers.configuration import Server, hosted_servers, read_prices
from apps.simulation.engine.model_check import MEMORIES
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem
from tests.model_server.prefix_server import PrefixServer
from tests.model_server.server import MODEL
from tests.support.thinking_towns import thinking_town

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


ROUTED = {
    "server": "offline",
    "tasks": {"planning.*": "test"},
    "agents": {"Klaus Mueller": "offline"},
}
PRICES = {MODEL: {"prompt": "3", "completion": "15"}}
SAID = {
    "served_model": "test-chat-0718",
    "system_fingerprint": "fp_1",
    "server_version": "1.2.3",
}
NEWCOMER = {
    "name": "Maria Lopez",
    "age": 21,
    "traits": ["energetic"],
    "hours": {"wake": "08:00", "sleep": "24:00"},
    "home": "Oak Hill College Dorm: Maria Lopez's room",
    "description": "Maria Lopez studies physics",
}
SEVEN = 2_520  # in the morning: Isabella has planned her day


@pytest.fixture
def read(isabella: Caller) -> Iterator[Callable[[str], Any]]:
    """Live a town whose plans are made by a server, but for those of one agent; read of it."""
    who = ("Isabella Rodriguez", "Klaus Mueller")
    with thinking_town(who, model=ROUTED, prices=PRICES, version_path="/version") as town:
        owner = User.objects.get(username="isabella")
        SimulationRow.objects.filter(pk=town.row.pk).update(owner=owner)
        told = {"model": SAID["served_model"], "system_fingerprint": "fp_1"}
        town.server.says = told
        town.server.pages["/version"] = '{"version": "1.2.3"}'
        assert town.live(SEVEN).committed_tick == SEVEN
        yield lambda path: isabella.get(f"/simulations/{town.row.pk}{path}").json()


@pytest.mark.django_db(transaction=True)
class TestSeveralModels:
    def test_are_told_apart_in_costs_and_outcomes(self, read: Callable[[str], Any]) -> None:
        costs = {line["key"]: line for line in read("/costs?by=model")["by_model"]}
        assert set(costs) == {"offline", f"test:{MODEL}"}
        of_server = costs[f"test:{MODEL}"]
        paid = 3 * of_server["prompt_tokens"] + 15 * of_server["completion_tokens"]
        assert of_server["cost"] == pytest.approx(paid / 1_000_000)
        assert costs["offline"]["cost"] == 0
        outcomes = read("/model-calls/outcomes")
        by_model = {line["key"]: line for line in outcomes["by_model"]}
        assert {key: line["calls"] for key, line in by_model.items()} == {
            key: line["calls"] for key, line in costs.items()
        }
        assert sum(line["kept"] for line in by_model.values()) == outcomes["total"]["kept"]

    def test_are_estimated_at_the_prices_of_their_agents(
        self, read: Callable[[str], Any]
    ) -> None:
        lines = {line["task"]: line for line in read("/costs/estimate")["by_task"]}
        outline = lines["planning.day_outline"]
        paid = 3 * outline["prompt_tokens"] + 15 * outline["completion_tokens"]
        # Half of the plans of a day are Isabella's, and only hers are paid for.
        assert outline["cost"] == pytest.approx(paid / 2 / 1_000_000, rel=0.01)
        assert lines["memory.importance"]["cost"] == 0

    def test_are_given_to_an_agent_that_joins(self, isabella: Caller) -> None:
        agents = {"*": "offline"}
        model = {"server": "test", "agents": agents}
        with thinking_town(("Isabella Rodriguez",), model=model) as town:
            owner = User.objects.get(username="isabella")
            SimulationRow.objects.filter(pk=town.row.pk).update(owner=owner)
            path = f"/simulations/{town.row.pk}"
            refused = isabella.post(f"{path}/agents", NEWCOMER | {"model": "mars"})
            told = problem(refused, 422, "unknown-model")["detail"]
            assert "no model server 'mars' here; there are offline, test." in told
            added = isabella.post(f"{path}/agents", NEWCOMER | {"model": "test"})
            assert added.status_code == 202
            town.live(SEVEN + 600)
            calls = isabella.get(f"{path}/model-calls?limit=500").json()["results"]
            answered = {(call["stream"], call["server"]) for call in calls}
            assert answered == {("isabella-rodriguez", "offline"), ("maria-lopez", "test")}
            shown = isabella.get(path).json()["model"]
            assert shown["agents"] == agents | {"maria-lopez": f"test:{MODEL}"}

    def test_are_on_record_with_what_their_servers_say(
        self, read: Callable[[str], Any]
    ) -> None:
        calls = read("/model-calls?limit=200&agent=isabella-rodriguez")["results"]
        planned = [call for call in calls if call["server"] == "test"]
        assert all(SAID.items() <= call.items() for call in planned)
        shown = read("")
        assert shown["model"]["tasks"] == {"planning.*": f"test:{MODEL}"}
        models = {one["server"]: one for one in shown["answering_models"]}
        first, *_, last = sorted(call["tick"] for call in planned)
        assert models["test"] == SAID | {
            "server": "test",
            "model": MODEL,
            "calls": len(planned),
            "first_at": planned[0]["time"],
            "first_tick": first,
            "last_at": planned[-1]["time"],
            "last_tick": last,
        }
        assert {models["offline"][name] for name in SAID} == {None}
