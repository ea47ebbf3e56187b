"""What operators ask: health, figures, and which request a line of the log is about."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client

from apps.simulation.engine.turn_claims import record_heartbeat
from apps.simulation.models import ProcessRow
from tests.acceptance.api.calling import Caller
from tests.support.lost import lose_process
from tests.support.processes import wait_until

ELSEWHERE = "203.0.113.7"
REPORTED_SECONDS = 60.0


class TestHealth:
    def test_reports_each_part(self, transactional_db: None) -> None:
        parts = dict.fromkeys(("web", "database", "scheduler", "notifications"), "ok")
        parts["worker"] = "unavailable"
        record_heartbeat(ProcessRow.Kind.SCHEDULER, "a scheduler")
        becomes(200, parts | {"status": "degraded"})
        record_heartbeat(ProcessRow.Kind.WORKER, "a worker")
        becomes(200, parts | {"status": "ok", "worker": "ok"})
        lose_process(ProcessRow.objects.all())
        gone = {"worker": "unavailable", "scheduler": "unavailable"}
        becomes(200, parts | gone | {"status": "degraded"})

    def test_is_unavailable_without_the_database(
        self, db: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(connection.settings_dict, "PORT", "1")
        away = {"status": "unavailable", "database": "unavailable"}
        unknown = dict.fromkeys(("worker", "scheduler", "notifications"), "unknown")
        becomes(503, {"web": "ok"} | away | unknown)

    def test_does_not_depend_on_the_name_that_a_probe_uses(self, db: None) -> None:
        probe = Client(headers={"Host": "10.0.0.7:8000"})
        wait_until(
            lambda: bool(probe.get("/health").status_code == 200),
            seconds=REPORTED_SECONDS,
            told=lambda: str(probe.get("/health").json()),
        )
        assert probe.get("/metrics").status_code == 400


def becomes(status: int, report: dict[str, str]) -> None:
    """Wait until the health is reported so: a report may be a second old."""
    found: list[Any] = []

    def is_so() -> bool:
        found[:] = [Client().get("/health")]
        return bool(found[0].json() == report)

    wait_until(is_so, seconds=REPORTED_SECONDS, told=lambda: str(found[0].json()))
    assert found[0].status_code == status
    assert found[0]["Cache-Control"] == "no-store"


class TestRequestId:
    def test_is_given_to_every_request(self, nobody: Caller) -> None:
        one, other = (nobody.get("/health")["X-Request-ID"] for _ in range(2))
        assert one
        assert one != other

    @pytest.mark.parametrize(
        ("inputs", "kept"), [("abc-1.2_3", True), ("a b", False), ("x" * 65, False)]
    )
    def test_is_kept_if_a_proxy_gave_a_usable_one(
        self, db: None, client: Client, inputs: str, kept: bool
    ) -> None:
        response: Any = client.get("/health", headers={"X-Request-ID": inputs})
        assert (response["X-Request-ID"] == inputs) is kept
