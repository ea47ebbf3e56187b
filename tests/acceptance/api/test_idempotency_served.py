"""The same request many times at once, over the wire: it is carried out once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from apps.simulation.models import SimulationRow
from tests.support.serving import served

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 8


class TestService:
    def test_founds_one_town_for_many_requests_at_once(self, tmp_path: Path) -> None:
        token = issue_token(User.objects.create_user("isabella"), "a test")
        with served(tmp_path, token) as service:

            def found(_number: int) -> tuple[int, str]:
                founding = {"name": "a town", "seed": 7, "agents": 1}
                headers = {"Idempotency-Key": "one"}
                response, document = service.ask(
                    "POST", "/api/v1/simulations", founding, **headers
                )
                return response.status, document.get("id") or document["code"]

            with ThreadPoolExecutor(AT_ONCE) as pool:
                answers = Counter(pool.map(found, range(AT_ONCE)))
        [town] = SimulationRow.objects.all()
        waiting = answers.pop((409, "idempotency-in-progress"), 0)
        assert answers == {(201, str(town.pk)): AT_ONCE - waiting}
