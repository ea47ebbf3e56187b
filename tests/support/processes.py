"""Real scheduler, worker and beat processes on the test database, to be watched and killed."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from django.db import connection

from tests.support.preloaded import PreloadedProcess

ROOT = Path(__file__).parent.parent.parent
ENDS_SECONDS = 60.0
CELERY = ("-m", "celery", "-A", "smallville_api")


def database_url() -> str:
    """Return the URL of the database that the test itself uses."""
    of = connection.settings_dict
    secret = quote(of["PASSWORD"] or "", safe="")
    return f"postgresql://{of['USER']}:{secret}@{of['HOST']}:{of['PORT']}/{of['NAME']}"


@dataclass(slots=True)
class Stack:
    """Processes of the service, each with its log in the folder."""

    folder: Path
    environment: MappingProxyType[str, str]
    running: dict[str, subprocess.Popen[Any]] = field(default_factory=dict)

    def start_worker(self, name: str, *, threads: int = 8) -> None:
        """Start a Celery worker that executes so many turns at once."""
        self.start(
            name, *CELERY, "worker", "-P", "threads", "-n", f"{name}@test",
            "--without-gossip", "--without-mingle", "--without-heartbeat",
            WORKER_THREADS=str(threads),
        )  # fmt: skip

    def start_scheduler(self, name: str = "scheduler") -> None:
        """Start a scheduler."""
        self.start(name, "manage.py", "schedule")

    def start_beat(self, name: str = "beat") -> None:
        """Start the beat."""
        self.start(name, *CELERY, "beat", "-s", str(self.folder / "schedule"))

    def start(self, name: str, *arguments: str, **environment: str) -> None:
        """Start a Python process under a name."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = PreloadedProcess(
                arguments,
                cwd=ROOT,
                env={**self.environment, **environment},
                stdout=log,
                stderr=log,
            )

    def kill(self, name: str) -> None:
        """Kill a process at once, with no chance to say goodbye."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait(ENDS_SECONDS)

    def log_of(self, name: str) -> str:
        """Return what the process has logged."""
        return (self.folder / f"{name}.log").read_text()

    def stop(self) -> None:
        """End what still runs."""
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(ENDS_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.running.clear()


def environment_of(folder: Path) -> dict[str, str]:
    """Return the environment of a process that sees the test's database."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in {"SMALLVILLE_DATABASE_IS_EMBEDDED", "BROKER_URL"}
    }
    return kept | {
        "DATABASE_URL": database_url(),
        "SECRET_KEY": "for tests only, and nowhere else",
        "SMALLVILLE_HOME": str(folder),
        "LOG_FORMAT": "json",
    }


@contextmanager
def stack(folder: Path, **environment: str) -> Iterator[Stack]:
    """Have processes that see the test's database; they end with the block."""
    processes = Stack(folder, MappingProxyType(environment_of(folder) | environment))
    try:
        yield processes
    finally:
        processes.stop()


def is_awaited(table: str) -> bool:
    """Return whether a process waits for a lock on the table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE relation = %s::regclass AND NOT granted",
            [table],
        )
        return bool(cursor.fetchone()[0])


def wait_until(what: Callable[[], bool], *, seconds: float, told: Callable[[], str]) -> None:
    """Wait until something is the case; fail with what is told when the time is over."""
    ends_at = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < ends_at, told()
        threading.Event().wait(0.1)
