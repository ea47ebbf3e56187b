"""Metrics of several processes: each scrape tells of all, whichever process answers it."""

import http.client
import os
import signal
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from tests.acceptance.api.test_metrics import key, samples
from tests.support.processes import stack, wait_until
from tests.support.serving import HOST, Service, free_port, served

pytestmark = pytest.mark.django_db(transaction=True)

MEMORY = Path("/dev/shm")  # noqa: S108  # where the service keeps them, if it can
REQUESTS = 30
SCRAPES = 8
SECONDS_MAX = 30.0
COUNTED = key(
    "smallville_http_request_duration_seconds_count",
    method="GET",
    route="/api/v1/simulations",
    status="2xx",
)


def scraped(port: int) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Return the metrics at a port; a new connection may reach another process."""
    connection = http.client.HTTPConnection(HOST, port, timeout=60)
    try:
        connection.request("GET", "/metrics")
        response = connection.getresponse()
        assert response.status == 200
        return samples(response.read().decode())
    finally:
        connection.close()


def processes_of(service: Service) -> set[int]:
    """Return the ids of the web processes that have shared metrics so far."""
    files = f"smallville-metrics-*-{service.process_id}-*/gauge_livesum_*.db"
    found = MEMORY.glob(files)
    return {int(file.stem.rpartition("_")[2]) for file in found}


class TestWebProcesses:
    @pytest.mark.skipif(not os.access(MEMORY, os.W_OK), reason="looks for files there")
    def test_tell_of_one_another(self, tmp_path: Path) -> None:
        token = issue_token(User.objects.create_user("isabella"), "a test")
        with served(tmp_path, token, WEB_CONCURRENCY="2") as service:
            wait_until(
                lambda: len(processes_of(service)) == 2,
                seconds=SECONDS_MAX,
                told=(tmp_path / "web.log").read_text,
            )
            for _ in range(REQUESTS):
                assert service.ask("GET", "/api/v1/simulations")[0].status == 200
            assert {scraped(service.port)[COUNTED] for _ in range(SCRAPES)} == {REQUESTS}

            ended = min(processes_of(service))
            os.kill(ended, signal.SIGKILL)
            # uvicorn starts another; what the one that ended had counted stays.
            wait_until(
                lambda: len(processes_of(service) - {ended}) == 2 and service.answers(),
                seconds=SECONDS_MAX,
                told=(tmp_path / "web.log").read_text,
            )
            assert {scraped(service.port)[COUNTED] for _ in range(SCRAPES)} == {REQUESTS}
            assert ended not in processes_of(service)


class TestWorker:
    def test_serves_its_own(self, tmp_path: Path) -> None:
        port = free_port()
        with stack(tmp_path, METRICS_PORT=str(port)) as processes:
            processes.start_worker("one", threads=2)
            wait_until(
                lambda: is_open(port),
                seconds=SECONDS_MAX,
                told=lambda: processes.log_of("one")[-3_000:],
            )
            found = scraped(port)
        assert found[key("smallville_turns_started_total")] == 0
        assert found[key("smallville_turn_redeliveries_total")] == 0
        assert "process_resident_memory_bytes" in {name for name, _ in found}


def is_open(port: int) -> bool:
    """Return whether somebody listens on a port."""
    connection = http.client.HTTPConnection(HOST, port, timeout=60)
    try:
        connection.connect()
    except OSError:
        return False
    finally:
        connection.close()
    return True
