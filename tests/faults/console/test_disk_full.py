"""`manage.py serve` on a disk that is full for a while: it says so, loses nothing, goes on.

The disk is a small file system where this machine allows one to be mounted. Elsewhere, as in a
container without that right, the server refuses what it would refuse on a full disk.
"""

import http.client
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.embedded_postgres.database import ensure_database, stop_server, stop_using
from tests.faults.console.test_serve import Served, free_port, until
from tests.support.full_disk import Disk, RefusingServer, SmallFileSystem, mounted

MEGABYTES = 192
WRITES = 12
SIMULATIONS = "/api/v1/simulations"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Served, Disk]]:
    """Serve on a disk of its own; give both."""
    folder = tmp_path / "disk"
    folder.mkdir()
    with mounted(folder, megabytes=MEGABYTES) as is_mounted:
        service = Served(folder / "home", free_port())
        try:
            service.read_greeting()
            small: Disk = SmallFileSystem(folder)
            yield service, small if is_mounted else RefusingServer(url_of(folder / "home"))
        finally:
            service.end()
            stop_server(folder / "home")


def url_of(home: Path) -> str:
    url = ensure_database(home)
    stop_using(home)
    return url


def create(service: Served, name: str) -> tuple[int, Any]:
    """Ask for a simulation; return the status and the document of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    headers = {
        "Authorization": f"Bearer {service.token}",
        "Content-Type": "application/json",
    }
    try:
        connection.request("POST", SIMULATIONS, json.dumps({"name": name, "seed": 1}), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def tick_of(service: Served, town: str) -> int:
    """Return how far a simulation has come; 0 while the database does not answer."""
    status, document = service.get(f"{SIMULATIONS}/{town}")
    return int(document["clock"]["tick"]) if status == 200 else 0


def lines_of_outage(service: Served) -> dict[str, int]:
    """Return how many lines about a full disk each process has logged."""
    logs = (service.home.folder / "logs").glob("*.log")
    return {log.stem: log.read_text().count('"outage": "disk-full"') for log in logs}


class TestDiskFull:
    def test_is_told_and_passes(self, served: tuple[Served, Disk]) -> None:
        service, disk = served
        town = str(service.town()["id"])
        until(lambda: tick_of(service, town) > 0)
        disk.fill()
        until(lambda: create(service, "first")[0] == 503)
        for number in range(WRITES):
            status, problem = create(service, f"number {number}")
            assert (status, problem["code"]) == (503, "disk-full")
        # Where PostgreSQL had to stop, who reads is told the same cause.
        status, document = service.get(SIMULATIONS)
        assert status == 200 or document["code"] == "disk-full"
        left = [name for _, _, names in os.walk(service.home.folder) for name in names]
        assert not [name for name in left if name.startswith(".")]

        reached = tick_of(service, town) if status == 200 else 0
        disk.free()
        until(lambda: create(service, "afterwards")[0] == 201)
        until(lambda: tick_of(service, town) > reached)
        # One at once and one a minute later, if it took so long.
        assert max(lines_of_outage(service).values()) <= 2
        assert service.stop() == 0
