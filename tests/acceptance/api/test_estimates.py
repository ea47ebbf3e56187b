"""What a planned run is going to cost, over HTTP."""

from typing import Any

import pytest

from tests.acceptance.api.calling import Caller, problem


class TestEstimate:
    def test_of_a_young_town_rests_on_figures(self, town: str, isabella: Caller) -> None:
        told = isabella.get(f"{town}/costs/estimate", ticks=8_640).json()
        assert (told["people"], told["agent_days"]) == (3, 3.0)
        by_chain = {line["chain"]: line for line in told["by_chain"]}
        assert by_chain["planning.day_outline"]["calls"] == 3
        assert by_chain["planning.day_outline"]["rests_on"].startswith("figures")
        tokens = sum(line["prompt_tokens"] for line in told["by_chain"])
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
