"""`manage.py serve`, whole: it serves, survives the death of each of its parts, and goes on."""

import http.client
import json
import os
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from apps.embedded_postgres.database import stop_server, supervisor_process
from apps.embedded_postgres.home import Home
from apps.embedded_postgres.locks import is_held
from apps.embedded_postgres.server import postmaster_lines
from tests.support.preloaded import PreloadedProcess

ROOT = Path(__file__).resolve().parents[3]
OURS = ("DATABASE_URL", "SMALLVILLE_", "SECRET_KEY", "BROKER_URL", "PORT", "DJANGO_")
PATIENCE_SECONDS = 90.0
PARTS = {
    "web": b"smallville_api.web",
    "worker": b"worker",
    "scheduler": b"schedule",
    "beat": b"beat",
}
GREETING_ENDS = "Ctrl-C"
Answer = TypeVar("Answer")


def until(asked: Callable[[], Answer | None]) -> Answer:
    """Wait, with bounded patience, until the answer is true."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (answer := asked()):
        assert time.monotonic() < deadline, "patience is at its end"
        time.sleep(0.05)
    return answer


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return int(held.getsockname()[1])


def arguments_of(process: Path) -> list[bytes]:
    try:
        return (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


def parent_of(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


class Served:
    """A running `manage.py serve` and what a client sees of it."""

    def __init__(self, home: Path, port: int, **environment: str) -> None:
        self.home = Home(home)
        self.port = port
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(OURS)
        }
        self.process = PreloadedProcess(
            ("manage.py", "serve"),
            cwd=ROOT,
            env={
                **inherited,
                "SMALLVILLE_HOME": str(home),
                "PORT": str(port),
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.greeting = ""

    def read_greeting(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.greeting += line
            if GREETING_ENDS in line:
                return
        raise AssertionError(f"it did not greet: {self.greeting}")

    @property
    def token(self) -> str:
        return (self.home.folder / "token").read_text().strip()

    def get(self, path: str, token: str | None = None) -> tuple[int, Any]:
        """Return status and body; (0, None) while nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Authorization": f"Bearer {token or self.token}"}
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except (OSError, http.client.HTTPException, ValueError):
            return 0, None
        finally:
            connection.close()

    def town(self) -> dict[str, Any]:
        """Return the one simulation, once it can be had."""

        def asked() -> dict[str, Any] | None:
            status, body = self.get("/api/v1/simulations")
            return dict(body["results"][0]) if status == 200 and body["results"] else None

        return until(asked)

    def tick(self) -> int:
        return int(self.town()["clock"]["tick"])

    def moves_on(self) -> None:
        """Wait until the town's clock has moved from where it is now."""
        seen = self.tick()
        until(lambda: self.tick() > seen)

    def part(self, name: str) -> int:
        """Return the process id of a child; 0 while it is not there."""
        for process in Path("/proc").glob("[0-9]*"):
            if PARTS[name] in arguments_of(process) and parent_of(process) == self.process.pid:
                return int(process.name)
        return 0

    def another_part(self, name: str, than: int = 0) -> int:
        """Wait for a child of that name that is not the one named, and return it."""

        def asked() -> int | None:
            found = self.part(name)
            return found if found not in {0, than} else None

        return until(asked)

    def end(self) -> None:
        """Kill it, if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE_SECONDS)
        return self.process.returncode


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    port = free_port()
    started: list[Served] = []

    def start(**environment: str) -> Served:
        served = Served(tmp_path, port, **environment)
        started.append(served)
        served.read_greeting()
        return served

    yield start
    for served in started:
        served.end()
    stop_server(tmp_path)


class TestServe:
    def test_serves_a_living_town_and_goes_on_where_it_was(
        self, serve: Callable[[], Served]
    ) -> None:
        # The first run: a town is founded and lives.
        served = serve()
        simulation = (served.home.folder / "simulation").read_text().strip()
        assert f"/#token={served.token}&simulation={simulation}" in served.greeting
        # The run was requested before the web server answered, and the agents have memories.
        first = served.get(f"/api/v1/simulations/{simulation}")[1]
        assert first["status"] == "running" or first["clock"]["tick"] > 0
        assert first["preparation"] == {"agents": 25, "ready": 25}
        for secret in ("token", "admin_password", "secret_key"):
            mode = (served.home.folder / secret).stat().st_mode
            assert stat.S_IMODE(mode) == 0o600
        assert served.get("/health")[0] == 200
        assert served.get("/api/v1/simulations", token="sv_wrong")[0] == 401
        served.moves_on()
        before, token = served.town(), served.token
        children = [served.another_part(name) for name in PARTS]

        # Ctrl-C ends all of it: nothing is left but what is kept.
        assert served.stop() == 0
        assert not any(Path(f"/proc/{child}").exists() for child in children)
        until(lambda: not is_held(served.home.supervisor_lock))

        # The second run: the same town, the same token, no tick lost.
        again = serve()
        assert again.token == token
        after = again.town()
        assert after["id"] == before["id"]
        assert after["clock"]["tick"] >= before["clock"]["tick"]
        again.moves_on()
        assert again.stop() == 0

    def test_has_no_web_process_left_over_when_the_first_of_several_dies(
        self, serve: Callable[..., Served]
    ) -> None:
        served = serve(WEB_CONCURRENCY="2")
        first = served.another_part("web")
        others = [
            int(process.name)
            for process in Path("/proc").glob("[0-9]*")
            if parent_of(process) == first
        ]
        assert len(others) >= 2
        os.kill(first, signal.SIGKILL)
        until(lambda: not any(Path(f"/proc/{other}").exists() for other in others))
        served.another_part("web", than=first)
        until(lambda: served.get("/health")[0] == 200)
        assert served.stop() == 0

    def test_outlives_the_death_of_each_of_its_parts(self, serve: Callable[[], Served]) -> None:
        served = serve()
        served.moves_on()
        for name in PARTS:
            killed = served.another_part(name)
            os.kill(killed, signal.SIGKILL)
            served.another_part(name, than=killed)
            served.moves_on()
        os.kill(int(postmaster_lines(served.home.data)[0]), signal.SIGKILL)
        served.moves_on()
        os.kill(supervisor_process(served.home), signal.SIGKILL)
        served.moves_on()

        # Last, the one that looks after the others: what it leaves behind is in nobody's way.
        before = served.tick()
        served.end()
        again = serve()
        assert again.tick() >= before
        again.moves_on()
        assert again.stop() == 0
