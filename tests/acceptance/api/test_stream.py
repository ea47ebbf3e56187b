"""The live stream over real HTTP: a town lives, and those who follow it are told all of it."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps import wiring
from apps.access.commands import issue_token, revoke_token
from apps.access.models import ApiToken
from apps.eventlog.store import events_of
from apps.simulation.engine import lifecycle
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem
from tests.support.long_logs import a_long_log
from tests.support.processes import wait_until
from tests.support.serving import Service, served
from tests.support.snapshots import simulated
from tests.support.streams import Follower
from tests.support.towns import live

MORNING = "2023-02-13T06:20"
LATER = "2023-02-13T06:40"
QUICK = {
    "STREAM_HEARTBEAT_SECONDS": "0.3",
    "STREAM_CHECK_SECONDS": "0.3",
    "STREAM_POLL_SECONDS": "0.5",
}


def log_of(row: SimulationRow, **conditions: object) -> list[str]:
    """Return the ids of what is committed, in canonical order."""
    row.refresh_from_db()
    rows = events_of(row.pk, until_tick=row.committed_tick).filter(**conditions)
    return [f"{event.tick}/{event.stream}/{event.ordinal}" for event in rows]


class TestBounded:
    """With an end, any server can tell it; here without one, in this process."""

    def test_is_refused_without_an_end_by_a_server_that_can_keep_none_open(
        self, town: str, isabella: Caller
    ) -> None:
        refused = isabella.get(f"{town}/stream")
        problem(refused, 501, "streams-need-asgi")

    def test_tells_what_the_pages_tell(
        self, town: str, isabella: Caller, lived: SimulationRow
    ) -> None:
        response = isabella.get(f"{town}/stream", after="beginning", until="committed")
        assert response.status_code == 200
        assert response["Content-Type"] == "text/event-stream"
        assert response["Cache-Control"] == "no-store"
        status, *events, last = blocks_of(response)
        assert status["event"] == "status"
        assert json.loads(status["data"])["status"] == "paused"
        pages = isabella.everything(f"{town}/events", limit=500)
        assert [json.loads(block["data"]) for block in events] == pages
        assert [block["id"] for block in events] == [event["id"] for event in pages]
        assert last["event"] == "end"
        told = json.loads(last["data"])
        assert told["code"] == "committed"
        assert told["after"] == pages[-1]["id"]

    def test_is_filtered_and_followed_on_like_the_pages(
        self, town: str, isabella: Caller
    ) -> None:
        filters = {"agent": "klaus-mueller", "type": ["memory.formed.v1", "dialogue.said.v1"]}
        pages = isabella.everything(f"{town}/events", limit=500, **filters)
        asked = {"until": "committed", **filters}
        response = isabella.get(f"{town}/stream", after="beginning", **asked)
        assert ids_of(response) == [event["id"] for event in pages]
        middle = pages[len(pages) // 2]["id"]
        response = isabella.get(f"{town}/stream", after=middle, **asked)
        rest = [event["id"] for event in pages[len(pages) // 2 + 1 :]]
        assert ids_of(response) == rest
        # The header goes before the address: a browser comes back to the same address.
        response = isabella.client.get(
            f"/api/v1{town}/stream",
            {"after": "beginning", **asked},
            headers={**isabella.headers, "Last-Event-ID": middle},
        )
        assert ids_of(response) == rest
        assert ids_of(isabella.get(f"{town}/stream", **asked)) == []

    def test_refuses_what_is_no_place(self, town: str, isabella: Caller) -> None:
        for after in ("yesterday", "1/isabella-rodriguez", "9999999999/a/0"):
            problem(isabella.get(f"{town}/stream", after=after), 422, "invalid-request")
        response = isabella.client.get(
            f"/api/v1{town}/stream", headers={**isabella.headers, "Last-Event-ID": "nowhere"}
        )
        told = problem(response, 422, "invalid-request")
        assert told["errors"][0]["parameter"] == "Last-Event-ID"

    def test_is_told_to_nobody_else(self, town: str, klaus: Caller, nobody: Caller) -> None:
        problem(klaus.get(f"{town}/stream"), 404, "simulation-unknown")
        problem(nobody.get(f"{town}/stream"), 401, "token-missing")


@pytest.mark.django_db(transaction=True)
class TestServed:
    @pytest.fixture
    def user(self) -> User:
        return User.objects.create_user("isabella")

    @pytest.fixture
    def service(self, tmp_path: Path, user: User) -> Iterator[Service]:
        with served(tmp_path, issue_token(user, "a test"), **QUICK) as service:
            yield service

    def test_tells_a_life_as_it_is_lived_whoever_comes_and_goes(
        self, service: Service, user: User
    ) -> None:
        row = simulated(MORNING)
        SimulationRow.objects.filter(pk=row.pk).update(owner=user)
        before = log_of(row)
        path = f"/api/v1/simulations/{row.pk}/stream"

        def follower(**query: Any) -> Follower:
            return Follower(service.port, service.token, path, query=query)

        with (
            follower(after="beginning") as all_of_it,
            follower() as from_now_on,
            follower(after=before[40]) as from_the_middle,
            follower(after="beginning", agent="klaus-mueller") as only_klaus,
            follower(type="dialogue.said.v1") as only_words,
        ):
            every = (all_of_it, from_now_on, from_the_middle, only_klaus, only_words)
            for one in every:
                # It rests: what is past is told, then the connection is kept.
                one.wait_for(lambda it: it.comments > 1)
            assert all_of_it.ids == before
            assert from_now_on.ids == []
            live(row, "2023-02-13T06:30")
            from_the_middle.hang_up()
            live(row, LATER)
            from_the_middle.connect()
            after = log_of(row)
            assert len(after) > len(before)
            all_of_it.wait_for(lambda it: it.ids == after)
            from_now_on.wait_for(lambda it: it.ids == after[len(before) :])
            from_the_middle.wait_for(lambda it: it.ids == after[41:])
            klaus_only = log_of(row, stream="klaus-mueller")
            only_klaus.wait_for(lambda it: it.ids == klaus_only)

            now = {"tick": row.committed_tick, "time": "2023-02-13T06:40:00"}
            only_words.wait_for(lambda it: it.last("clock") == now)
            assert only_words.named("clock")[-1].id == after[-1]
            doing = [block.data["status"] for block in from_now_on.named("status")]
            assert set(doing) == {"paused", "running"}
            assert (doing[0], doing[-1]) == ("paused", "paused")
            lifecycle.delete_simulation(wiring.ports(), row.pk)
            for one in every:
                one.wait_for(lambda it: it.is_over)
                assert one.blocks[-1].data["code"] == "simulation-unknown"

    def test_ends_with_the_token(self, service: Service, user: User) -> None:
        row = simulated(MORNING)
        SimulationRow.objects.filter(pk=row.pk).update(owner=user)
        another = issue_token(user, "another")
        path = f"/api/v1/simulations/{row.pk}/stream"
        with (
            Follower(service.port, another, path) as one,
            Follower(service.port, service.token, path) as other,
        ):
            one.wait_for(lambda it: bool(it.blocks))
            other.wait_for(lambda it: bool(it.blocks))
            revoke_token(ApiToken.objects.get(name="another").pk)
            one.wait_for(lambda it: it.is_over)
            assert one.blocks[-1].name == "end"
            assert one.blocks[-1].data["code"] == "token-invalid"
            heard = other.comments
            other.wait_for(lambda it: it.comments > heard + 2)
            assert not other.is_over

    def test_gives_its_seat_and_its_connection_back(self, tmp_path: Path, user: User) -> None:
        row = simulated(MORNING)
        SimulationRow.objects.filter(pk=row.pk).update(owner=user)
        path = f"/api/v1/simulations/{row.pk}/stream"
        token = issue_token(user, "a test")
        limits = {
            "STREAMS_PER_USER_MAX": "6",
            "DATABASE_POOL_MAX": "2",
            "DATABASE_POOL_WAIT_SECONDS": "5",
        }
        (tmp_path / "few").mkdir()
        with served(tmp_path / "few", token, **QUICK, **limits) as service:
            followers = [Follower(service.port, token, path) for _ in range(6)]
            for one in followers:
                one.connect()
            for one in followers:
                one.wait_for(lambda it: bool(it.blocks))
            # Six are open and there are two connections; other requests find one.
            response, document = service.ask("GET", path)
            assert (response.status, document["code"]) == (429, "too-many-streams")
            for one in followers:
                one.hang_up()

            def is_let_in() -> bool:
                again = Follower(service.port, token, path)
                with again:
                    again.wait_for(lambda it: bool(it.blocks) or it.is_over)
                    return again.status == 200

            assert any(is_let_in() for _ in range(50))

    def test_is_cut_off_for_who_takes_nothing(self, tmp_path: Path, user: User) -> None:
        row = a_long_log(3_000)
        token = issue_token(user, "a test")
        (tmp_path / "slow").mkdir()
        limits = {"STREAM_STALL_SECONDS": "1", "STREAMS_PER_USER_MAX": "1"}
        with served(tmp_path / "slow", token, **(QUICK | limits)) as service:
            path = f"/api/v1/simulations/{row.pk}/stream"
            with socket.create_connection(("127.0.0.1", service.port)) as lazy:
                head = f"GET {path}?after=beginning HTTP/1.1\r\nHost: localhost\r\n"
                lazy.sendall(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
                # It takes no more than this; its seat is free again all the same.
                assert lazy.recv(100).startswith(b"HTTP/1.1 200")

                def is_let_in() -> bool:
                    with Follower(service.port, token, path) as follower:
                        follower.wait_for(lambda it: bool(it.blocks) or it.is_over)
                        return follower.status == 200

                assert not is_let_in()
                wait_until(is_let_in, seconds=30, told=lambda: "its seat is never free")


def blocks_of(response: Any) -> list[dict[str, str]]:
    """Return the blocks as a client reads them."""
    text = b"".join(response.streaming_content).decode()
    return [
        {line.partition(": ")[0]: line.partition(": ")[2] for line in block.split("\n")}
        for block in text.split("\n\n")
        if block
    ]


def ids_of(response: Any) -> list[str]:
    """Return the ids of the events of the log."""
    return [block["id"] for block in blocks_of(response) if "event" not in block]
