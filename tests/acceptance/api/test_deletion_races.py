"""A simulation is deleted while a request about it is answered: 404, nothing left behind."""

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, connections, transaction
from pytest_django import Settings

from apps import wiring
from apps.access.models import MembershipRow
from apps.interaction.models import InterviewRow
from apps.llm.models import EmbeddingCallRow, EmbeddingRow, ModelCallRow, ModelFailureRow
from apps.simulation.engine import lifecycle
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import CommandRow
from apps.simulation.turn.preparation import prepare_agent
from apps.worker.tasks import carry_out_work
from tests.acceptance.api.calling import Caller, problem
from tests.model_server.faults import Fault
from tests.model_server.server import EMBEDDING_MODEL, ModelServer
from tests.support.processes import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ISABELLA = "isabella-rodriguez"
SECONDS_MAX = 30.0
QUESTION = {"question": "Who are you?"}
RECORDS = (
    MembershipRow,
    InterviewRow,
    CommandRow,
    ModelCallRow,
    ModelFailureRow,
    EmbeddingCallRow,
)


class HeldServer(ModelServer):
    """A model server that answers requests of a kind only once it is released."""

    def __init__(self) -> None:
        super().__init__(lambda _body: json.dumps({"answer": "I am Isabella."}))
        self.held_kind = ""
        self.reached, self.released = threading.Event(), threading.Event()

    def took(self, body: dict[str, Any]) -> Fault | None:
        fault = super().took(body)
        if self.held_kind in body:
            self.reached.set()
            assert self.released.wait(SECONDS_MAX)
        return fault


@pytest.fixture
def server(settings: Settings) -> Iterator[HeldServer]:
    with HeldServer() as held:
        settings.MODEL_SERVERS = {"test": held.as_server(timeout_seconds=SECONDS_MAX)}
        EmbeddingRow.objects.filter(model=EMBEDDING_MODEL).delete()
        try:
            yield held
        finally:
            held.released.set()


@pytest.fixture
def town(isabella: Caller, server: HeldServer) -> str:
    asked = {"name": "a test", "seed": 7, "agents": [ISABELLA], "model": "test"}
    made = isabella.post("/simulations", asked)
    assert made.status_code == 201, made.content
    simulation = made.json()["id"]
    prepare_agent(wiring.ports(), simulation_id=UUID(simulation), agent=ISABELLA)
    return f"/simulations/{simulation}"


def apart(do: Callable[[], Any]) -> Any:
    """Do something on another thread; its connections are closed behind it."""
    try:
        return do()
    finally:
        connections.close_all()


@contextmanager
def meanwhile(do: Callable[[], Any]) -> Iterator[Future[Any]]:
    """Do something on a thread of its own, with a connection of its own."""
    with ThreadPoolExecutor(1) as thread:
        yield thread.submit(apart, do)


def left_of(town: str) -> dict[str, int]:
    """Return how many rows there are of the simulation, by table, without empty ones."""
    simulation = UUID(town.rpartition("/")[2])
    found = {
        rows.__name__: rows._default_manager.filter(simulation_id=simulation).count()
        for rows in RECORDS
    }
    return {name: count for name, count in found.items() if count}


class TestWhileAModelThinks:
    @pytest.mark.parametrize(
        ("held", "wanted"), [("input", {}), ("messages", {}), ("messages", {"remember": True})]
    )
    def test_an_interview_that_is_waited_for_is_not_found(
        self, isabella: Caller, server: HeldServer, town: str, held: str, wanted: dict[str, Any]
    ) -> None:
        server.held_kind = held
        path = f"{town}/agents/{ISABELLA}/interviews"
        with meanwhile(lambda: isabella.post(path, QUESTION | wanted)) as answer:
            assert server.reached.wait(SECONDS_MAX)
            assert isabella.delete(town).status_code == 204
            server.released.set()
            gone = problem(answer.result(SECONDS_MAX), 404, "simulation-unknown")
        assert "was deleted" in gone["detail"]
        assert left_of(town) == {}

    @pytest.mark.parametrize("held", ["messages", "input"])
    def test_an_interview_that_is_not_waited_for_ends_quietly(
        self, isabella: Caller, server: HeldServer, town: str, held: str
    ) -> None:
        server.held_kind = held
        interview = self._asked_without_waiting(isabella, town)
        with meanwhile(lambda: carry_out_work(kind="interview", work_id=interview)) as answer:
            assert server.reached.wait(SECONDS_MAX)
            assert isabella.delete(town).status_code == 204
            server.released.set()
            assert answer.result(SECONDS_MAX) is None
        problem(isabella.get(f"{town}/interviews/{interview}"), 404, "simulation-unknown")
        assert left_of(town) == {}

    def test_an_interview_that_nobody_has_begun_is_left_alone(
        self, isabella: Caller, server: HeldServer, town: str
    ) -> None:
        interview = self._asked_without_waiting(isabella, town)
        assert isabella.delete(town).status_code == 204
        before = len(server.requests)
        with meanwhile(lambda: carry_out_work(kind="interview", work_id=interview)) as answer:
            assert answer.result(SECONDS_MAX) is None
        assert len(server.requests) == before

    def test_a_retrieval_is_not_found(
        self, isabella: Caller, server: HeldServer, town: str
    ) -> None:
        server.held_kind = "input"
        path = f"{town}/agents/{ISABELLA}/retrievals"
        with meanwhile(lambda: isabella.post(path, {"query": "the party"})) as answer:
            assert server.reached.wait(SECONDS_MAX)
            assert isabella.delete(town).status_code == 204
            server.released.set()
            problem(answer.result(SECONDS_MAX), 404, "simulation-unknown")
        assert left_of(town) == {}

    def _asked_without_waiting(self, isabella: Caller, town: str) -> str:
        path = f"/api/v1{town}/agents/{ISABELLA}/interviews"
        headers = isabella.headers | {"Prefer": "respond-async"}
        response = isabella.client.post(
            path, QUESTION, content_type="application/json", headers=headers
        )
        assert response.status_code == 202
        return str(response.json()["id"])


class TestWhileTheDeletionIsUnderWay:
    @pytest.mark.parametrize(
        ("path", "body", "key"),
        [
            (f"/agents/{ISABELLA}/interviews", QUESTION, ""),
            (f"/agents/{ISABELLA}/interviews", QUESTION, "one"),
            (f"/agents/{ISABELLA}/inner-voice", {"text": "You love tea."}, ""),
            (f"/agents/{ISABELLA}/inner-voice", {"text": "You love tea."}, "one"),
            ("/visitors", {"name": "Ada Finch"}, ""),
            ("/members", {"username": "klaus", "role": "guest"}, ""),
            ("/run", {"ticks": 6}, ""),
        ],
    )
    def test_a_request_that_waits_for_it_is_not_found(
        self,
        isabella: Caller,
        klaus: Caller,
        town: str,
        path: str,
        body: dict[str, Any],
        key: str,
    ) -> None:
        simulation = town.rpartition("/")[2]
        headers = isabella.headers | ({"Idempotency-Key": key} if key else {})

        def ask() -> Any:
            return isabella.client.post(
                f"/api/v1{town}{path}", body, content_type="application/json", headers=headers
            )

        with ThreadPoolExecutor(1) as thread:
            with transaction.atomic():
                lock_simulation_row(UUID(simulation))
                answer = thread.submit(apart, ask)
                wait_until(somebody_waits, seconds=SECONDS_MAX, told=lambda: repr(answer))
                lifecycle.delete_simulation(wiring.ports(), UUID(simulation))
            problem(answer.result(SECONDS_MAX), 404, "simulation-unknown")
        assert left_of(town) == {}


def somebody_waits() -> bool:
    """Return whether a connection waits for a lock that another one has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        [count] = cursor.fetchone()
    return bool(count)
