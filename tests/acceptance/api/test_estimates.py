"""What a planned run is going to cost, over HTTP."""

from typing import Any

import pytest
from pytest_django import Settings

from apps.llm.servers.configuration import Server
from tests.acceptance.api.calling import Caller, problem


class TestEstimate:
    def test_of_a_young_town_rests_on_figures(self, town: str, isabella: Caller) -> None:
        told = isabella.get(f"{town}/costs/estimate", ticks=8_640).json()
        assert (told["agent_count"], told["agent_days"]) == (3, 3.0)
        by_task = {line["task"]: line for line in told["by_task"]}
        assert by_task["planning.day_outline"]["calls"] == 3
        assert by_task["planning.day_outline"]["rests_on"].startswith("figures")
        tokens = sum(line["prompt_tokens"] for line in told["by_task"])
        assert told["total"]["prompt_tokens"] == tokens

    def test_is_of_a_day_unless_an_end_is_said(self, town: str, isabella: Caller) -> None:
        assert isabella.get(f"{town}/costs/estimate").json()["ticks"] == 8_640

    def test_takes_the_nearer_end(self, town: str, isabella: Caller) -> None:
        ends: dict[str, Any] = {"until": "2023-02-13T09:00:00", "ticks": 8_640}
        assert isabella.get(f"{town}/costs/estimate", **ends).json()["ticks"] == 360

    @pytest.mark.parametrize("until", ["2023-02-13T07:00:00", "0"])
    def test_refuses_an_end_that_is_past(self, town: str, isabella: Caller, until: str) -> None:
        response = isabella.get(f"{town}/costs/estimate", until=until)
        assert "later" in problem(response, 422, "invalid-request")["detail"]

    def test_says_that_a_price_is_not_known(self, isabella: Caller, settings: Settings) -> None:
        own = Server(name="own", base_url="http://127.0.0.1:1/v1", chat_model="llama")
        settings.MODEL_SERVERS = {"own": own}
        models = isabella.get("/costs/estimate", model="own").json()["models"]
        assert (models["chat_model"], models["price"]) == ("llama", None)
        assert not models["is_priced"]


class TestEstimateOfDays:
    def test_needs_no_key_and_no_simulation(self, isabella: Caller) -> None:
        told = isabella.get("/costs/estimate", model="gpt-4o-mini", agents=10, days=2).json()
        assert (told["agent_count"], told["ticks"], told["agent_days"]) == (10, 17_280, 20.0)
        assert told["models"]["price"]["prompt"] == 0.15
        assert told["models"]["is_priced"]
        assert told["figures"]["measured_by"].startswith("python -m benchmarks.agent_day")
        lines = {line["task"]: line for line in told["by_task"]}
        assert "embedding" in lines
        paid = (
            sum(
                0.15 * line["prompt_tokens"] + 0.60 * line["completion_tokens"]
                for task, line in lines.items()
                if task != "embedding"
            )
            + 0.02 * lines["embedding"]["prompt_tokens"]
        )
        assert told["total"]["cost"] == pytest.approx(paid / 1_000_000)

    def test_is_of_a_day_of_all_agents_unless_more_is_said(self, isabella: Caller) -> None:
        told = isabella.get("/costs/estimate").json()
        assert (told["agent_count"], told["agent_days"], told["total"]["cost"]) == (
            25,
            25.0,
            0.0,
        )

    @pytest.mark.parametrize(
        ("asked", "code"),
        [
            ({"model": "nonsense"}, "unknown-model"),
            ({"world": "nowhere"}, "unknown-world"),
            ({"days": 0}, "invalid-request"),
            ({"agents": 0}, "invalid-request"),
            ({"seed": 1}, "invalid-request"),
        ],
    )
    def test_refuses_what_could_not_be_run(
        self, isabella: Caller, asked: dict[str, Any], code: str
    ) -> None:
        problem(isabella.get("/costs/estimate", **asked), 422, code)
