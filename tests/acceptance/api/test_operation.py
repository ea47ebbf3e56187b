"""What operators ask: health, figures, and which request a line of the log is about."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.acceptance.api.calling import Caller, problem

ELSEWHERE = "203.0.113.7"


class TestHealth:
    def test_is_well_while_the_database_answers(self, nobody: Caller) -> None:
        response = nobody.get("/health")
        assert response.status_code == 200
        assert response.json() == {"status": "ok", "database": "ok"}

    def test_is_not_once_it_does_not(
        self, nobody: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(connection.settings_dict, "PORT", "1")
        response = nobody.get("/health")
        assert response.status_code == 503
        assert response.json() == {"status": "unavailable", "database": "unavailable"}


class TestMetrics:
    def test_count_what_there_is(self, town: str, nobody: Caller) -> None:
        text = nobody.get("/metrics").content.decode()
        assert 'smallville_simulations{status="paused"} 1.0\n' in text
        assert "smallville_settled_ticks 2880.0\n" in text

    def test_are_not_for_strangers(self, nobody: Caller, isabella: Caller) -> None:
        nobody.client = isabella.client = Client(REMOTE_ADDR=ELSEWHERE)
        problem(nobody.get("/metrics"), 401, "token-missing")
        problem(isabella.get("/metrics"), 403, "not-allowed")

    def test_are_not_for_strangers_behind_a_proxy_of_this_machine(self, nobody: Caller) -> None:
        nobody.client = Client(headers={"X-Forwarded-For": ELSEWHERE})
        problem(nobody.get("/metrics"), 401, "token-missing")

    def test_are_for_administrators(self, administrator: Caller) -> None:
        administrator.client = Client(REMOTE_ADDR=ELSEWHERE)
        assert administrator.get("/metrics").status_code == 200


class TestRequestId:
    def test_is_given_to_every_request(self, nobody: Caller) -> None:
        one, other = (nobody.get("/health")["X-Request-ID"] for _ in range(2))
        assert one
        assert one != other

    @pytest.mark.parametrize(
        ("given", "kept"), [("abc-1.2_3", True), ("a b", False), ("x" * 65, False)]
    )
    def test_is_kept_if_a_proxy_gave_a_usable_one(
        self, db: None, client: Client, given: str, kept: bool
    ) -> None:
        response: Any = client.get("/health", headers={"X-Request-ID": given})
        assert (response["X-Request-ID"] == given) is kept
