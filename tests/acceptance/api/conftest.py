"""Callers, and a simulation at eight in the morning."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.contrib.auth.models import User
from django.core.cache import cache
from kombu import pools
from kombu.transport.memory import Channel
from pytest_django import Settings

from apps.access.commands import issue_token
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, caller_of, owned_by_isabella, problem
from tests.acceptance.api.ranking import CONDITIONS, QUESTIONS, work
from tests.support.example_recorder import ExampleRecorder
from tests.support.serving import Service, served
from tests.support.snapshots import simulated
from tests.support.towns import shared_fixture

MORNING = "2023-02-13T08:00"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--record-examples`."""
    parser.addoption(
        "--record-examples",
        action="store_true",
        help="write what callers send and get into the examples of the OpenAPI document",
    )


@pytest.fixture(scope="session", autouse=True)
def recorded_examples(request: pytest.FixtureRequest) -> Iterator[None]:
    """Record the examples of the OpenAPI document, if the option requests it."""
    if not request.config.getoption("--record-examples", default=False):
        yield
        return
    Caller.recorder = ExampleRecorder()
    yield
    Caller.recorder.write()
    Caller.recorder = None


@pytest.fixture(autouse=True)
def bell() -> Iterator[Any]:
    """Keep what is sent to workers in memory; gives the app that it is sent by."""
    conf = current_app.conf
    before = conf.broker_url, conf.broker_transport, conf.broker_transport_options
    _use_broker("memory://", "memory", {})
    Channel.queues.clear()
    yield current_app
    _use_broker(*before)


def _use_broker(url: str, transport: str | None, options: dict[str, Any]) -> None:
    current_app.conf.broker_url = url
    current_app.conf.broker_transport = transport
    current_app.conf.broker_transport_options = options
    current_app._pool = None
    current_app.amqp._producer_pool = None
    pools.reset()  # type: ignore[no-untyped-call]


@pytest.fixture(autouse=True)
def unhurried(settings: Settings) -> None:
    """Let callers ask as often as they like, and as if nobody had asked for anything lately."""
    settings.REQUEST_RATE_MAX = ""
    cache.clear()


@pytest.fixture
def isabella(db: None) -> Caller:
    """Return a caller with a token."""
    return caller_of(User.objects.create_user("isabella"))


@pytest.fixture
def klaus(db: None) -> Caller:
    """Return another caller."""
    return caller_of(User.objects.create_user("klaus"))


@pytest.fixture
def administrator(db: None) -> Caller:
    """Return a caller who may see everything."""
    return caller_of(User.objects.create_superuser("administrator"))


@pytest.fixture
def nobody(db: None) -> Caller:
    """Return a caller without a token."""
    return Caller()


lived = shared_fixture(lambda: simulated(MORNING))
"""Three people of Smallville at eight in the morning; a test says whose they are."""


@pytest.fixture
def town(lived: SimulationRow, isabella: Caller) -> str:
    """Return the address of the lived town, which is Isabella's."""
    return owned_by_isabella(lived)


@pytest.fixture
def guest(town: str, isabella: Caller) -> Caller:
    """Return a user who may read the simulation, and no more."""
    user = User.objects.create_user("a guest")
    isabella.post(f"{town}/members", {"username": "a guest", "role": "guest"})
    return caller_of(user)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Serve on the test's own database."""
    token = issue_token(User.objects.create_user("isabella"), "a test")
    with served(tmp_path, token) as service:
        yield service


@pytest.fixture
def survey(isabella: Caller, town: str) -> str:
    """Return the address of a finished survey of two agents under three conditions."""
    assert isabella.post("/questionnaires", QUESTIONS).status_code == 201
    asked = isabella.post(
        f"{town}/surveys",
        {
            "questionnaire": "self",
            "agents": ["isabella-rodriguez", "klaus-mueller"],
            "conditions": CONDITIONS,
        },
    ).json()
    path = f"{town}/surveys/{asked['id']}"
    problem(isabella.post(f"{path}/rankings", {"judge": "rule"}), 409, "survey-not-finished")
    work()
    return path
