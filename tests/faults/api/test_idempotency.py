"""The web process is killed among requests; sent again under their keys, each is done once."""

import contextlib
import http.client
import json
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from apps.django_support.heartbeat import LAPSE_SECONDS
from apps.interaction.commands import INTERVIEWS
from apps.interaction.models import InterviewRow
from apps.simulation.models import SimulationRow
from apps.work.rows import WorkState
from tests.acceptance.api.calling import caller_of
from tests.support.processes import database_url, is_awaited, wait_until
from tests.support.serving import Service, served
from tests.support.towns import found

pytestmark = pytest.mark.django_db(transaction=True)
KEYS = [f"key-{number}" for number in range(12)]
PATIENCE_SECONDS = 30


class TestKilledWeb:
    def test_founds_each_town_once(self, tmp_path: Path) -> None:
        token = issue_token(User.objects.create_user("isabella"), "a test")
        answered = threading.Event()

        def found(service: Service, key: str) -> tuple[int, str]:
            founding = {"name": key, "seed": 7, "agents": 2}
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

    def test_leaves_the_key_of_an_interview_free_after_the_time_that_it_names(
        self, tmp_path: Path
    ) -> None:
        caller = caller_of(User.objects.create_user("isabella"))
        row = found(agents=("Isabella Rodriguez",))
        SimulationRow.objects.filter(pk=row.pk).update(owner=User.objects.get())
        path = f"/simulations/{row.pk}/agents/isabella-rodriguez/interviews"
        question = {"question": "Who are you?"}

        def ask_here() -> Any:
            return caller.client.post(
                f"/api/v1{path}",
                json.dumps(question),
                content_type="application/json",
                headers=caller.headers | {"Idempotency-Key": "one"},
            )

        def ask_there(service: Service) -> None:
            with contextlib.suppress(OSError, http.client.HTTPException):
                service.ask("POST", f"/api/v1{path}", question, **{"Idempotency-Key": "one"})

        token = caller.headers["Authorization"].removeprefix("Bearer ")
        with served(tmp_path, token) as service, ThreadPoolExecutor(1) as pool:
            with psycopg.connect(database_url()) as lock:
                lock.execute("LOCK TABLE llm_modelcallrow IN ACCESS EXCLUSIVE MODE")
                pool.submit(ask_there, service)
                wait_until(
                    lambda: is_awaited("llm_modelcallrow"),
                    seconds=PATIENCE_SECONDS,
                    told=service.log,
                )
                os.kill(service.process_id, signal.SIGKILL)
            waiting = ask_here()
            assert waiting.status_code == 409
            named = int(waiting["Retry-After"])
            assert 1 <= named <= LAPSE_SECONDS
            wait_until(
                lambda: ask_here().status_code == 200,
                seconds=named + 1,
                told=lambda: str(ask_here().content),
            )
        # The orphan is answered by a worker; the repeated request has made its own.
        [orphan] = InterviewRow.objects.filter(state=WorkState.RUNNING)
        assert INTERVIEWS.ids() == [orphan.pk]
