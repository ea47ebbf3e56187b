"""The Python client changes and forks a served simulation, asks its agents, and waits."""

import pytest

from smallville import Client, TookTooLong, WorkStopped, voice
from tests.support.serving import Service

ISABELLA, KLAUS = "isabella-rodriguez", "klaus-mueller"


def test_runs_forks_and_asks(client: Client, at_work: Service, simulation_id: str) -> None:
    town = client.simulation(simulation_id)
    seen: list[str] = []
    rested = town.run(until="08:10", timeout=60, progress=lambda it: seen.append(it.clock.time))
    assert rested.clock.time == seen[-1] == "2023-02-13T08:10:00"

    branch = town.at("08:05").fork(name="a branch")
    assert branch.read().clock.time == "2023-02-13T08:05:00"
    told = branch.agent(KLAUS).tell("You are hungry")
    with pytest.raises(TookTooLong):
        client.wait(told, timeout=0)
    branch.run(until="08:06", timeout=60)
    assert client.wait(told, timeout=60).state == "done"


def test_waits_for_work(client: Client, at_work: Service, simulation_id: str) -> None:
    town = client.simulation(simulation_id)
    asked = town.at("07:30").agent(ISABELLA).ask("What is your name?", timeout=60)
    assert "Isabella" in (asked.answer or "")
    assert asked.as_of.time == "2023-02-13T07:30:00"
    answers = town.survey(["What is your name?", "Where do you live?"], timeout=60)
    assert {(one.agent, one.question) for one in answers} >= {(KLAUS, "What is your name?")}
    assert len(answers.to_pandas()) == 6

    what_if = town.at("07:30").what_if(
        voice(ISABELLA, "You are too tired to work. Stay in bed"), until="07:40", timeout=60
    )
    assert what_if.state == "done"
    assert [one.agent for one in what_if.agents or []] == [ISABELLA]
    compared = town.compare(what_if.branch.id, until="2023-02-13T07:40")
    assert compared.first_difference is not None
    assert compared.first_difference.event == what_if.first_difference
    begun = town.at("06:00").what_if(wait=False)
    stopped = client.cancel_counterfactual(town, begun.id)
    with pytest.raises(WorkStopped, match="cancelled"):
        client.wait(stopped)
    with pytest.raises(TookTooLong):
        client.simulation(simulation_id).run(until="23:00", timeout=0.0)
