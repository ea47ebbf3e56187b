"""A served town, and branches of it that tests may change."""

import http.client
import json
import os
import signal
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tests.support.processes import Stack, wait_until
from tests.support.serving import HOST, free_port

AGENTS = ("Isabella Rodriguez", "John Lin", "Mei Lin", "Eddy Lin", "Tom Moreno")
MORNING = "2023-02-13T07:30:00"
LIVES_SECONDS = 300.0
ANSWERS_SECONDS = 120.0


@dataclass
class TownServer:
    """A web process that can be ended and started again on its port, and the API behind it."""

    processes: Stack
    token: str
    port: int = field(default_factory=free_port)
    town: str = ""
    newcomer: str = ""
    """The token of a user without any simulation."""

    @staticmethod
    @cache
    def other_origin() -> str:
        """Return an origin that the service lets in, on another port."""
        return f"http://{HOST}:{free_port()}"

    @property
    def origin(self) -> str:
        """Return the origin of the page."""
        return f"http://{HOST}:{self.port}"

    def start_web(self) -> None:
        """Start the web process, and wait until it answers."""
        self.processes.start(
            "web", "-m", "smallville_api.web", "--host", HOST, "--port", str(self.port)
        )
        wait_until(
            self._answers,
            seconds=ANSWERS_SECONDS,
            told=lambda: self.processes.log_of("web")[-3_000:],
        )

    def kill_web(self) -> None:
        """Kill the web process; all its connections break."""
        process = self.processes.running.pop("web")
        os.kill(process.pid, signal.SIGKILL)
        process.wait()

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request to the API and return the document of its answer."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=ANSWERS_SECONDS)
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
        }
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, f"/api/v1{path}", sent, headers)
            response = connection.getresponse()
            document = json.loads(response.read() or b"null")
        finally:
            connection.close()
        assert response.status < 400, document
        return document

    def pages(self, path: str) -> list[Any]:
        """Return all rows of a list."""
        rows: list[Any] = []
        while path:
            page = self.ask("GET", path)
            rows += page["results"]
            path = (page["next"] or "").partition("/api/v1")[2]
        return rows

    def fork(self, at: str) -> str:
        """Return a branch of the town from a moment on, paused."""
        branch = self.ask("POST", f"/simulations/{self.town}/forks", {"at": at, "name": at})
        return str(branch["id"])

    def is_at_rest(self, simulation: str) -> bool:
        """Return whether a simulation is paused."""
        return bool(self.ask("GET", f"/simulations/{simulation}")["status"] == "paused")

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=ANSWERS_SECONDS)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()


def found_town(server: TownServer) -> str:
    """Create the town and run it through the first morning."""
    founding = {"name": "a town to look at", "seed": 7, "agents": list(AGENTS)}
    town = str(server.ask("POST", "/simulations", founding)["id"])
    server.ask("POST", f"/simulations/{town}/run", {"until": MORNING})
    wait_until(
        lambda: server.is_at_rest(town),
        seconds=LIVES_SECONDS,
        told=lambda: server.processes.log_of("worker")[-3_000:],
    )
    return town
