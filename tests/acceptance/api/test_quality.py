"""The quality of a run over HTTP, as of any moment."""

import pytest

from apps.eventlog.store import log_sha256
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller

pytestmark = pytest.mark.django_db


def test_is_counted_without_a_model_as_of_any_moment(
    isabella: Caller, town: str, lived: SimulationRow
) -> None:
    before = log_sha256(lived.pk)
    now = isabella.get(f"{town}/quality").json()
    then = isabella.get(f"{town}/quality", at="2023-02-13T06:30:00").json()
    assert (now["as_of"]["time"], then["as_of"]["time"]) == (
        "2023-02-13T08:00:00",
        "2023-02-13T06:30:00",
    )
    assert 0 < then["memories"]["count"] < now["memories"]["count"]
    assert then["answers"]["calls"] < now["answers"]["calls"]
    assert {line["key"] for line in now["answers_by_task"]} >= {"planning.day_outline"}
    assert now["memories_per_agent_day"] == pytest.approx(
        now["memories"]["count"] / now["agent_days"]
    )
    # No day is over yet.
    assert (now["checked_day"], now["checks"], now["passed"]) == (None, [], 0)
    assert log_sha256(lived.pk) == before


def test_has_days_only_if_they_are_requested(isabella: Caller, town: str) -> None:
    shown = isabella.get(f"{town}/quality").json()
    assert (shown["by_day"], shown["drift"]) == (None, None)
    by_day = isabella.get(f"{town}/quality", by_day=True).json()
    assert by_day["by_day"]["dates"] == []
    assert {agent["agent"] for agent in by_day["drift"]} == {
        "isabella-rodriguez", "klaus-mueller", "maria-lopez",
    }  # fmt: skip
    assert all(agent["days"] == [] for agent in by_day["drift"])


def test_has_a_badge(isabella: Caller, town: str) -> None:
    response = isabella.get(f"{town}/quality/badge.svg")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "image/svg+xml"
    assert "no whole day yet" in response.content.decode()
