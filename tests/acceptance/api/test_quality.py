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
