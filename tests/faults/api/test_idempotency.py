"""The web process is killed among requests; sent again under their keys, each is done once."""

import http.client
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from apps.simulation.models import SimulationRow
from tests.support.serving import Service, served

pytestmark = pytest.mark.django_db(transaction=True)
KEYS = [f"key-{number}" for number in range(12)]
PATIENCE_SECONDS = 30


class TestKilledWeb:
    def test_founds_each_town_once(self, tmp_path: Path) -> None:
        token = issue_token(User.objects.create_user("isabella"), "a test")
        answered = threading.Event()

        def found(service: Service, key: str) -> tuple[int, str]:
            founding = {"name": key, "seed": 7}
            response, document = service.ask(
                "POST", "/api/v1/simulations", founding, **{"Idempotency-Key": key}
            )
            answered.set()
            return response.status, document["id"]

        def found_if_it_lives(service: Service, key: str) -> tuple[int, str] | None:
            try:
                return found(service, key)
            except (OSError, http.client.HTTPException):
                return None

        (tmp_path / "first").mkdir()
        (tmp_path / "second").mkdir()
        with served(tmp_path / "first", token) as service, ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(found_if_it_lives, service, key) for key in KEYS]
            assert answered.wait(PATIENCE_SECONDS)
            os.kill(service.process_id, signal.SIGKILL)
            before = [request.result(PATIENCE_SECONDS) for request in asked]
        assert None in before, "it was killed too late to matter"
        with served(tmp_path / "second", token) as service:
            after = [found(service, key) for key in KEYS]
        assert {status for status, _ in after} == {201}
        for first, again in zip(before, after, strict=True):
            assert first in (None, again)
        towns = SimulationRow.objects.values_list("name", flat=True)
        assert sorted(towns) == sorted(KEYS)
