"""The Python client reads a served simulation: pages, moments, files, streams, refusals."""

import asyncio
import json
from pathlib import Path

import pandas
import pytest

from smallville import (
    AsyncClient,
    Client,
    Invalid,
    NotAllowed,
    NotFound,
    Unreachable,
    exchange,
)
from tests.support.breaking_proxy import breaking_proxy
from tests.support.serving import HOST, Service, free_port

ISABELLA = "isabella-rodriguez"


def test_reads_now_and_then(client: Client, simulation_id: str, tmp_path: Path) -> None:
    town = client.simulation(simulation_id)
    now = town.read()
    assert (now.clock.time, now.parent, str(town)) == ("2023-02-13T08:00:00", None, now.id)
    assert town.at("07:00").state().clock.time == "2023-02-13T07:00:00"
    assert town.at("12:30").agent("x").simulation.moment == "12:30"
    state = town.at("2023-02-13T07:00").state()
    assert state.status is None, "it is no part of the history"
    isabella = next(one for one in state.agents if one.slug == ISABELLA)
    detail = town.at(state.clock.tick).agent(ISABELLA).read()
    assert isabella.action == detail.action
    assert detail.current_action is not None
    assert client.find(now.name).id == simulation_id
    with pytest.raises(LookupError):
        client.find("no such town")

    memories = town.agent(ISABELLA).memories()
    earlier = town.at("07:00").agent(ISABELLA).memories()
    assert 0 < len(earlier.all()) < len(memories.all())
    assert len(town.agent(ISABELLA).memories(limit=3).all()) == 3
    frame = memories.to_pandas()
    assert list(frame.description) == [one.description for one in memories]
    path = memories.save(tmp_path / "memories.csv")
    assert list(pandas.read_csv(path).description) == list(frame.description)
    assert client.get_quality_badge(town).startswith(b"<svg")
    assert client.get_quality_badge(town, save_as=tmp_path / "badge.svg") == b""
    assert (tmp_path / "badge.svg").read_bytes().startswith(b"<svg")
    assert client.get_map(town)["layers"]
    best = town.agent(ISABELLA).remember("the party", limit=1).results[0]
    assert best.description in set(frame.description)


def test_pages_give_every_event_once(
    client: Client, simulation_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    town = client.simulation(simulation_id)
    ids = [event.id for event in town.events()]
    assert len(ids) == len(set(ids)) > 100
    monkeypatch.setattr(exchange, "PAGE_ROWS_MAX", 9)
    assert [event.id for event in town.events(limit=100)] == ids[:100]
    begun = town.events("agents.walk-began.v1", agent=ISABELLA).all()
    assert {(event.type, event.stream) for event in begun} == {
        ("agents.walk-began.v1", ISABELLA)
    }


def test_errors_carry_the_problem(client: Client, simulation_id: str) -> None:
    town = client.simulation(simulation_id)
    with pytest.raises(NotFound) as unknown:
        town.agent("isabela-rodrigez").read()
    assert unknown.value.code == "agent-unknown"
    assert unknown.value.candidates == [ISABELLA]
    assert ISABELLA in str(unknown.value)
    assert unknown.value.request_id
    with pytest.raises(Invalid) as invalid:
        client.create_simulation(name="a", seed="seven")  # type: ignore[arg-type]
    assert [error["pointer"] for error in invalid.value.errors] == ["/seed"]
    with (
        Client(str(client.mode.http.base_url), "sv_wrong") as stranger,
        pytest.raises(NotAllowed, match="token-invalid"),
    ):
        stranger.simulation(simulation_id).read()


def test_says_that_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "TRIES", 2)
    with Client(f"http://{HOST}:{free_port()}") as client, pytest.raises(Unreachable):
        client.get_health()


def test_a_stream_goes_on_where_it_broke(
    client: Client, service: Service, simulation_id: str
) -> None:
    town = client.simulation(simulation_id)
    told = [event.id for event in town.follow(after="beginning", until="committed")]
    assert told == [event.id for event in town.events()]
    with (
        breaking_proxy(service.port, after_bytes=[9_000, 20_000, 400, 3_000]) as port,
        Client(f"http://{HOST}:{port}", service.token) as far,
    ):
        following = far.simulation(simulation_id).follow(after="beginning")
        assert [event.id for _, event in zip(told, following, strict=False)] == told
        names = {one.name for one in far.follow_events(simulation_id, until="committed")}
    assert names == {"status"}


def test_a_request_whose_answer_is_lost_is_carried_out_once(
    client: Client, service: Service
) -> None:
    with (
        breaking_proxy(service.port, after_bytes=[0, 10]) as port,
        Client(f"http://{HOST}:{port}", service.token) as far,
    ):
        created = far.create_simulation(name="once", agents=1, seed=7)
    assert [one.id for one in client.list_simulations()] == [created.id]


async def _read(service: Service, simulation_id: str) -> list[str]:
    async with AsyncClient(f"http://{HOST}:{service.port}", service.token) as client:
        town = client.simulation(simulation_id)
        read = await town.read()
        state = await town.at("07:00").state()
        memories = [one.description async for one in town.agent(ISABELLA).memories(limit=3)]
        table = await town.agent(ISABELLA).memories(limit=3).to_pandas()
        assert memories == list(table.description)
        followed = [
            event.id async for event in town.follow(after="beginning", until="committed")
        ]
        with pytest.raises(NotFound):
            await town.agent("nobody").read()
        return [read.clock.time, state.clock.time, json.dumps(memories), *followed]


def test_the_asynchronous_client_reads_the_same(
    client: Client, service: Service, simulation_id: str
) -> None:
    town = client.simulation(simulation_id)
    read = asyncio.run(_read(service, simulation_id))
    memories = [one.description for one in town.agent(ISABELLA).memories(limit=3)]
    assert read == [
        "2023-02-13T08:00:00",
        "2023-02-13T07:00:00",
        json.dumps(memories),
        *(event.id for event in town.events()),
    ]
