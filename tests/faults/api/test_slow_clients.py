"""Slow and silent clients, and too many of them, against a real web process."""

import os
import select
import signal
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import repeat
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from apps.simulation.models import SimulationRow
from tests.support.processes import is_awaited, wait_until
from tests.support.serving import Service, served
from tests.support.sockets import Wire
from tests.support.streams import Follower
from tests.support.towns import found

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE_SECONDS = 30.0
PACE_SECONDS = 0.1
PAGE = "/api/v1/docs"


@pytest.fixture
def service(tmp_path: Path, token: str) -> Iterator[Service]:
    """Serve clients that must be quick."""
    with served(
        tmp_path,
        token,
        REQUEST_HEAD_SECONDS="0.5",
        REQUEST_BODY_SECONDS="0.5",
        KEEP_ALIVE_SECONDS="1",
        STREAM_HEARTBEAT_SECONDS="0.2",
    ) as service:
        yield service


def trickle(wire: Wire, parts: Iterable[bytes]) -> None:
    """Send the parts one after the other, slowly, until the server has something to say."""
    for part in parts:
        if select.select([wire.socket], [], [], PACE_SECONDS)[0]:
            return
        wire.send(part)
    raise AssertionError("the server says nothing")


class TestSlowClient:
    def test_is_not_waited_for(self, service: Service) -> None:
        row = found()
        SimulationRow.objects.filter(pk=row.pk).update(owner=User.objects.get())
        path = f"/api/v1/simulations/{row.pk}/stream"
        with Follower(service.port, service.token, path) as follower:
            ends_a_silent_connection(service)
            ends_a_slow_head(service)
            ends_a_slow_body(service)
            ends_an_idle_connection(service)
            refuses_an_endless_head(service)
            answers_requests_that_come_at_once(service)
            # The live stream has outlasted all of these timeouts, and goes on.
            heard = follower.comments
            assert heard > 0
            follower.wait_for(lambda it: it.comments > heard)
            assert not follower.is_over


def ends_a_silent_connection(service: Service) -> None:
    with Wire(service.port) as silent:
        assert silent.rest() == b""


def ends_a_slow_head(service: Service) -> None:
    with Wire(service.port) as slow:
        slow.send(b"GET / HTTP/1.1\r\nX-Slow: ")
        trickle(slow, repeat(b"x", 300))
        answer = slow.answer()
        assert (answer.status, answer.document["code"]) == (408, "request-timeout")
        assert answer.headers["Connection"] == "close"


def ends_a_slow_body(service: Service) -> None:
    path, token = "/api/v1/simulations", service.headers["Authorization"]
    with Wire(service.port) as slow:
        slow.ask("POST", path, Content_Length="900", Authorization=token)
        trickle(slow, repeat(b" ", 300))
        answer = slow.answer()
        assert (answer.status, answer.document["code"]) == (408, "request-timeout")
        assert answer.document["instance"] == path


def ends_an_idle_connection(service: Service) -> None:
    with Wire(service.port) as idle:
        for _ in range(2):
            idle.ask("GET", PAGE)
            assert idle.answer().status == 200
        assert idle.rest() == b""
    with Wire(service.port) as blank:  # a blank line is not the head of a request
        blank.ask("GET", PAGE)
        assert blank.answer().status == 200
        blank.send(b"\r\n")
        assert blank.rest() == b""


def refuses_an_endless_head(service: Service) -> None:
    with Wire(service.port) as greedy:
        greedy.ask("GET", PAGE, X_Long="x" * 200_000)
        assert greedy.answer().document["code"] == "headers-too-large"


def answers_requests_that_come_at_once(service: Service) -> None:
    with Wire(service.port) as hasty:
        hasty.ask("GET", "/nowhere")
        hasty.ask("GET", PAGE)
        assert [hasty.answer().status for _ in range(2)] == [404, 200]
        assert hasty.rest() == b""


class TestConnectionLimit:
    def test_answers_503_and_makes_room_as_it_can(self, tmp_path: Path, token: str) -> None:
        with served(tmp_path, token, CONNECTIONS_MAX="4") as service, ExitStack() as stack:
            idle = [stack.enter_context(Wire(service.port)) for _ in range(4)]
            for wire in idle:
                wire.ask("GET", PAGE)
                assert wire.answer().status == 200
            # An idle connection, the one that has waited longest, makes room for each.
            busy = [stack.enter_context(Wire(service.port)) for _ in range(4)]
            for wire in busy:
                wire.send(b"GET ")
            assert [wire.rest() for wire in idle] == [b""] * 4
            for _ in range(5):
                with Wire(service.port) as refused:
                    refused.ask("GET", PAGE)
                    answer = refused.answer()
                    assert answer.status == 503
                    assert answer.document["code"] == "too-many-connections"
                    assert int(answer.headers["Retry-After"]) > 0
                    assert refused.rest() == b""
            assert service.log().count("connection limit reached") == 1
            busy[0].socket.close()
            wait_until(service.answers, seconds=PATIENCE_SECONDS, told=service.log)

    def test_lies_below_the_limit_of_open_files(self, tmp_path: Path, token: str) -> None:
        with (
            served(tmp_path, token, files_max="90", DATABASE_POOL_MAX="2") as service,
            ExitStack() as stack,
        ):
            assert "connection limit lowered" in service.log()
            many = [stack.enter_context(Wire(service.port)) for _ in range(200)]
            for wire in many[-20:]:
                wire.ask("GET", PAGE)
                assert wire.answer().status == 503
            assert service.log().count("connection limit reached") == 1
            assert "no file descriptors left" not in service.log()
            stack.close()
            wait_until(service.answers, seconds=PATIENCE_SECONDS, told=service.log)


class TestEndOfTheProcess:
    def test_answers_a_request_that_takes_longer_than_its_grace(self, service: Service) -> None:
        table = SimulationRow._meta.db_table
        with transaction.atomic(), connection.cursor() as cursor, Wire(service.port) as wire:
            cursor.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
            wire.ask(
                "GET", "/api/v1/simulations", Authorization=service.headers["Authorization"]
            )
            wait_until(lambda: is_awaited(table), seconds=PATIENCE_SECONDS, told=service.log)
            os.kill(service.process_id, signal.SIGTERM)
            answer = wire.answer()
        assert answer.status == 503
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.document["code"] == "service-stopping"
