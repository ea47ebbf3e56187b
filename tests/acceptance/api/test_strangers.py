"""Whoever asks about somebody who is not there is told who may be meant."""

import pytest

from apps.agents.models import AgentRow
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem

GONE = "maria-lopez"
# The lists that can be asked about one person, with what else is to be asked for.
BY_PERSON: dict[str, dict[str, str]] = {
    "/events": {},
    "/stream": {"until": "committed", "after": "beginning"},
    "/conversations": {},
    "/model-calls": {},
    "/commands": {},
    "/interviews": {},
    "/relationships": {},
}


class TestAddress:
    @pytest.mark.parametrize(
        ("words", "offered"),
        [
            ("Isabella%20Rodriguez", ["isabella-rodriguez"]),
            ("isabella", ["isabella-rodriguez"]),
            ("Maria%20lopes", ["maria-lopez"]),
            ("abigail-chen", None),
        ],
    )
    def test_of_nobody_offers_who_may_be_meant(
        self, town: str, isabella: Caller, words: str, offered: list[str] | None
    ) -> None:
        told = problem(isabella.get(f"{town}/agents/{words}/memories"), 404, "agent-unknown")
        assert told.get("candidates") == offered
        mend = "did you mean '{}'?".format(*offered) if offered else "GET …/agents lists"
        assert mend in told["detail"]


class TestLists:
    @pytest.mark.parametrize("path", BY_PERSON)
    def test_about_a_stranger_is_a_problem(
        self, town: str, isabella: Caller, path: str
    ) -> None:
        query = {"agent": "isabella-rodrigues", **BY_PERSON[path]}
        told = problem(isabella.get(f"{town}{path}", **query), 404, "agent-unknown")
        assert told["candidates"] == ["isabella-rodriguez"]

    @pytest.mark.parametrize("path", BY_PERSON)
    def test_about_whoever_was_here_or_is_to_come_is_answered(
        self, town: str, lived: SimulationRow, isabella: Caller, path: str
    ) -> None:
        AgentRow.objects.filter(simulation_id=lived.pk, agent=GONE).update(left_tick=9)
        assert isabella.post(f"{town}/visitors", {"name": "Ada Finch"}).status_code == 202
        for agent in (GONE, "ada-finch"):
            response = isabella.get(f"{town}{path}", agent=agent, **BY_PERSON[path])
            assert response.status_code == 200

    @pytest.mark.parametrize("path", ["/events", "/stream"])
    @pytest.mark.parametrize("stream", ["simulation", "commands"])
    def test_about_a_stream_of_nobodys_is_answered(
        self, town: str, isabella: Caller, path: str, stream: str
    ) -> None:
        query = {"agent": stream, **BY_PERSON[path]}
        assert isabella.get(f"{town}{path}", **query).status_code == 200
