"""A served simulation at eight in the morning, and clients of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from smallville import Client
from tests.acceptance.api.calling import owned_by_isabella
from tests.support.serving import HOST, Service, served
from tests.support.snapshots import simulated

MORNING = "2023-02-13T08:00"


@pytest.fixture
def service(tmp_path: Path, transactional_db: None) -> Iterator[Service]:
    """Serve on the test's own database."""
    token = issue_token(User.objects.create_user("isabella"), "a test")
    with served(tmp_path, token) as service:
        yield service


@pytest.fixture
def at_work(service: Service) -> Service:
    """Let the service have a worker, a scheduler and the beat."""
    service.processes.start_worker("worker")
    service.processes.start_scheduler()
    service.processes.start_beat()
    return service


@pytest.fixture
def simulation_id(service: Service) -> str:
    """Return the id of three people of Smallville at eight in the morning."""
    return owned_by_isabella(simulated(MORNING)).rpartition("/")[2]


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    """Return a client with a token."""
    with Client(f"http://{HOST}:{service.port}", service.token) as client:
        yield client
