"""A real web process on the test's database, and HTTP to it."""

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.preloaded import PreloadedProcess
from tests.support.processes import ROOT, Stack, stack, wait_until

HOST = "127.0.0.1"
ENDS_SECONDS = 60
ANSWERS_SECONDS = 30.0
STARTS_SECONDS = 90.0


@dataclass
class Service:
    """A web process on a port of this machine."""

    port: int
    token: str
    processes: Stack
    process_id: int
    headers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """Show the token with every request."""
        self.headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
        }

    def ask(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> tuple[http.client.HTTPResponse, Any]:
        """Return the response and the document that it holds."""
        sent = body if isinstance(body, bytes | Iterator) else json.dumps(body or {})
        with self.asked(method, path, sent, **headers) as response:
            content = response.read()
        return response, json.loads(content) if content else None

    @contextmanager
    def asked(
        self, method: str, path: str, body: bytes | str | Iterator[bytes] = b"", **headers: str
    ) -> Iterator[http.client.HTTPResponse]:
        """Give the response, to be read in pieces; the client hangs up with the block."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=ANSWERS_SECONDS)
        try:
            encoded = isinstance(body, Iterator)
            shown = self.headers | headers
            connection.request(method, path, body, shown, encode_chunked=encoded)
            response = connection.getresponse()
            try:
                yield response
            finally:
                response.close()
        finally:
            connection.close()

    def log(self) -> str:
        """Return what the process has logged."""
        return (self.processes.folder / "web.log").read_text()

    def answers(self) -> bool:
        """Return whether the process is up and its database answers."""
        try:
            return self.ask("GET", "/health")[0].status == 200
        except OSError:
            return False


@contextmanager
def served(
    folder: Path, token: str, *, files_max: str = "", **environment: str
) -> Iterator[Service]:
    """Serve on the test's own database; the process ends with the block.

    :param files_max: how many files the process may open (RLIMIT_NOFILE).
    """
    port = free_port()
    program = ("-m", "smallville_api.web", "--host", HOST, "--port", str(port))
    with stack(folder, **environment) as processes, (folder / "web.log").open("wb") as log:
        files: dict[str, Any] = {"stdout": log, "stderr": log}
        web: subprocess.Popen[Any]
        if files_max:
            bounded = ("sh", "-c", f'ulimit -n {files_max} && exec "$@"', "sh", sys.executable)
            web = subprocess.Popen(
                [*bounded, *program], cwd=ROOT, env=processes.environment, **files
            )
        else:
            web = PreloadedProcess(program, cwd=ROOT, env=processes.environment, **files)
        service = Service(port=port, token=token, processes=processes, process_id=web.pid)
        try:
            wait_until(
                service.answers,
                seconds=STARTS_SECONDS,
                told=lambda: (folder / "web.log").read_text()[-3_000:],
            )
            yield service
        finally:
            web.terminate()
            web.wait(ENDS_SECONDS)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as found:
        found.bind((HOST, 0))
        port: int = found.getsockname()[1]
        return port
