"""Requests about many agents or much work ask the database as often as about one."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.evaluation.surveys.commands import SURVEYS
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller
from tests.support.work_of_kinds import REQUESTS

pytestmark = pytest.mark.django_db

AGENTS = ["isabella-rodriguez", "klaus-mueller", "maria-lopez"]


def statements(request: Callable[[], Any]) -> int:
    """Return the number of statements of a request, once caches of the process are filled."""
    assert request().status_code < 300
    with CaptureQueriesContext(connection) as captured:
        request()
    return len(captured)


def test_that_name_agents(town: str, isabella: Caller) -> None:
    path = f"{town}/news-searches"

    def search(agents: list[str]) -> Any:
        return isabella.post(path, {"news": "There is a party", "agents": agents})

    one = statements(lambda: search(AGENTS[:1]))
    assert statements(lambda: search(AGENTS)) == one


def test_that_list_work(lived: SimulationRow, town: str, isabella: Caller) -> None:
    lived.refresh_from_db()
    REQUESTS["survey"](lived)
    one = statements(lambda: isabella.get(f"{town}/surveys"))
    for _ in range(2):
        REQUESTS["survey"](lived)
    assert statements(lambda: isabella.get(f"{town}/surveys")) == one
    assert SURVEYS.rows.count() == 3
