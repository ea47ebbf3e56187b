"""Downloads over real HTTP: longer than what the web process holds, left in the middle."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from apps.simulation.models import SimulationRow
from tests.support.long_logs import CHARACTERS_EACH, MANY, a_long_log
from tests.support.serving import Service, served
from tests.support.snapshots import simulated

pytestmark = pytest.mark.django_db(transaction=True)

AN_HOUR_AFTER_WAKING = "2023-02-13T07:00"
GROWTH_BYTES_MAX = 25_000_000
HANG_UPS = 4


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Serve with two connections to the database, which a lost one would soon be missed of."""
    token = issue_token(User.objects.create_user("isabella"), "a test")
    with served(
        tmp_path, token, DATABASE_POOL_MAX="2", DATABASE_POOL_WAIT_SECONDS="5"
    ) as service:
        yield service


class TestDownload:
    def test_is_what_the_pages_say(self, service: Service) -> None:
        town = address_of(simulated(AN_HOUR_AFTER_WAKING))
        person = f"{town}/agents/isabella-rodriguez"
        for path in (f"{town}/events", f"{person}/memories", f"{person}/timeline"):
            pages = list(paged(service, path))
            with service.asked("GET", f"{path}?format=jsonl") as response:
                assert response.getheader("Transfer-Encoding") == "chunked"
                assert response.getheader("ETag") is None
                assert [json.loads(line) for line in response] == pages
            with service.asked("GET", path, Accept="text/csv") as response:
                text = response.read().decode()
            cells = list(csv.reader(io.StringIO(text, newline="")))
            assert cells[0] == list(pages[0])
            assert len(cells) == len(pages) + 1

    def test_is_not_held_in_memory(self, service: Service) -> None:
        path = f"{address_of(a_long_log())}/events"
        for form in ("jsonl", "csv"):
            with service.asked("GET", f"{path}?format={form}&to=0") as response:
                response.read()
        before = peak_bytes(service.process_id)
        for form in ("jsonl", "csv"):
            with service.asked("GET", f"{path}?format={form}") as response:
                size = sum(len(line) for line in response)
            assert size > MANY * CHARACTERS_EACH
        assert peak_bytes(service.process_id) - before < GROWTH_BYTES_MAX

    def test_can_be_left_in_the_middle(self, service: Service) -> None:
        # More often than there are connections to the database.
        path = f"{address_of(a_long_log())}/events"
        for _ in range(HANG_UPS):
            with service.asked("GET", f"{path}?format=jsonl") as response:
                assert json.loads(response.readline())
        response, page = service.ask("GET", f"{path}?limit=1")
        assert response.status == 200
        assert page["results"]


def address_of(row: SimulationRow) -> str:
    """Return the town's address, and make it Isabella's."""
    SimulationRow.objects.filter(pk=row.pk).update(owner=User.objects.get())
    return f"/api/v1/simulations/{row.pk}"


def paged(service: Service, path: str) -> Iterator[dict[str, object]]:
    """Yield the results of all pages."""
    address: str | None = f"{path}?limit=100"
    while address is not None:
        parts = urlsplit(address)
        _, page = service.ask("GET", f"{parts.path}?{parts.query}")
        yield from page["results"]
        address = page["next"]


def peak_bytes(process_id: int) -> int:
    """Return the most memory that the process has had at any time."""
    status = Path(f"/proc/{process_id}/status")
    if not status.exists():
        pytest.skip("only Linux says how much memory a process has had")
    [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024
