"""The processes of `manage.py serve`: their lock, port and token, and their supervision."""

import http.client
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.access import commands as access_commands
from apps.access import queries as access_queries
from apps.embedded_postgres import launch, locks
from apps.embedded_postgres.home import HOST, is_free, prepare_home_folder, write_private
from apps.embedded_postgres.locks import create_private_folder
from apps.kernel.errors import DomainError

BACK_OFF_SECONDS_MIN = 0.5
BACK_OFF_SECONDS_MAX = 10.0
STEADY_SECONDS = 30.0
"""The exits of a child are counted from one again after it has run so long."""
TERMINATION_SECONDS_MAX = 12.0
"""Longer than the scheduler needs to finish its steps and to release its leases."""
LOG_BYTES_MAX = 20_000_000
ANNOUNCED_LINES = 3


@dataclass(frozen=True, slots=True)
class Program:
    """A program as arguments for this project's Python."""

    name: str
    arguments: Sequence[str]


class Child:
    """The process of one program; the first `poll` starts it."""

    def __init__(self, program: Program, *, folder: Path, log: Path) -> None:
        self.name = program.name
        self.log = log
        self._arguments = program.arguments
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._exits = 0
        self._starts_at = 0.0

    @property
    def process_id(self) -> int:
        """The id of the running process, 0 if there is none."""
        return self._process.pid if self._process else 0

    def poll(self) -> int | None:
        """Start the process if it does not run; return its exit status if it just ended.

        After each of several exits in a row the wait before the next start is longer.
        """
        now = time.monotonic()
        if self._process is None:
            if now >= self._starts_at:
                self._start(now)
            return None
        status = self._process.poll()
        if status is None:
            self._rotate_log()
            return None
        self._process = None
        self._exits = 1 if now - self._started_at > STEADY_SECONDS else self._exits + 1
        self._starts_at = now + back_off_seconds(self._exits)
        return status

    def terminate(self) -> None:
        """Send SIGTERM."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)

    def wait_or_kill(self, *, until: float) -> None:
        """Wait for the exit until a time of the monotonic clock; then kill the process."""
        if self._process is None:
            return
        try:
            self._process.wait(timeout=max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def last_lines(self) -> str:
        """Return the last lines of the log."""
        try:
            lines = self.log.read_text(errors="replace").splitlines()
        except FileNotFoundError:
            return ""
        return "\n".join(lines[-ANNOUNCED_LINES:])

    def _start(self, now: float) -> None:
        """Start the process in a session of its own, so that Ctrl-C reaches the parent only."""
        program: list[Path | str] = [sys.executable, *self._arguments]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603
                launch.command_for(launch.PLAIN, program, parent=os.getpid()),
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._started_at = now

    def _rotate_log(self) -> None:
        """Copy a long log aside and truncate it; the process keeps the file open."""
        if self.log.stat().st_size > LOG_BYTES_MAX:
            earlier = self.log.with_suffix(".log.1")
            try:
                shutil.copyfile(self.log, earlier)
            except OSError:
                earlier.unlink(missing_ok=True)  # the disk is full: half a copy is useless
            os.truncate(self.log, 0)


class Supervisor:
    """The children of one process.

    :param folder: their working directory.
    :param logs: the folder in which each writes NAME.log.
    :param announce: gets a message for each exit.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        *,
        folder: Path,
        logs: Path,
        announce: Callable[[str], None],
    ) -> None:
        create_private_folder(logs)
        self._announce = announce
        self.children = [
            Child(program, folder=folder, log=logs / f"{program.name}.log")
            for program in programs
        ]

    def poll(self) -> None:
        """Start the children that do not run. To be called a few times a second."""
        for child in self.children:
            status = child.poll()
            if status is not None:
                self._announce(
                    f"The {child.name} process ended ({describe_exit(status)}) and is started "
                    f"again; {child.log} ends with:\n{child.last_lines()}"
                )

    def stop(self) -> None:
        """Terminate all children; kill those that do not exit in time."""
        for child in self.children:
            child.terminate()
        until = time.monotonic() + TERMINATION_SECONDS_MAX
        for child in self.children:
            child.wait_or_kill(until=until)


def back_off_seconds(exits: int) -> float:
    """Return the wait before the next start after so many exits in a row, from 1."""
    return min(BACK_OFF_SECONDS_MAX, BACK_OFF_SECONDS_MIN * 2.0 ** min(exits - 1, 10))


def describe_exit(status: int) -> str:
    """Return the status of a process that ended: "status 3", "signal SIGKILL"."""
    if status >= 0:
        return f"status {status}"
    try:
        return f"signal {signal.Signals(-status).name}"
    except ValueError:
        return f"signal {-status}"


ADMINISTRATOR = "admin"
PORT_MAX = 65_535
PORT_WAIT_SECONDS_MAX = 5.0
"""The processes of a run that was killed take a moment to notice it."""
POLL_SECONDS = 0.2


class PortUnusable(DomainError):
    """The port is invalid or in use."""


class AlreadyServing(DomainError):
    """Another process serves this SMALLVILLE_HOME."""


def acquire_serve_lock(home: Path) -> int:
    """Return the lock of the process that serves a home.

    :raises AlreadyServing: if another process has it.
    :raises FolderOfAnotherUser: if the home is another user's.
    """
    prepare_home_folder(home)
    descriptor = locks.open_lock(home / "serve.lock")
    if not locks.try_exclusive(descriptor):
        raise AlreadyServing(
            f"Smallville is being served from {home} already: stop that, "
            "or set SMALLVILLE_HOME and PORT for a second one."
        )
    return descriptor


def free_port(setting: str) -> int:
    """Return the port to serve on.

    :raises PortUnusable: if the setting is not a port, or the port is in use.
    """
    if not (setting.isdecimal() and 0 < int(setting) <= PORT_MAX):
        raise PortUnusable(f"PORT is {setting!r}: set it to a number from 1 to {PORT_MAX}.")
    port = int(setting)
    deadline = time.monotonic() + PORT_WAIT_SECONDS_MAX
    while not is_free(port):
        if time.monotonic() > deadline:
            raise PortUnusable(
                f"Port {port} of {HOST} is in use: stop what listens there, "
                "or choose another, as in PORT=8001 make run."
            )
        time.sleep(POLL_SECONDS)
    return port


def answers(port: int) -> bool:
    """Return whether a web server answers at a port, with any status."""
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/health")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def kept_token(home: Path, administrator: Any) -> str:
    """Return the token in the home's file; if it is not valid, issue and store another."""
    path = home / "token"
    if path.exists():
        token = path.read_text().strip()
        if access_queries.user_of(token) == administrator:
            return token
    token = access_commands.issue_token(administrator, "make run")
    write_private(path, token)
    return token


def programs(port: int) -> list[Program]:
    """Return the processes of the service. Names are fixed, because queues depend on them."""
    celery = ("-m", "celery", "--app", "smallville_api")
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return [
        Program("web", ("-m", "smallville_api.web", "--host", HOST, "--port", str(port))),
        Program(
            "worker",
            (*celery, "worker", "--pool", "threads", "--hostname", "worker@smallville", *quiet),
        ),
        Program("scheduler", ("manage.py", "schedule")),
        Program("beat", (*celery, "beat", "--pidfile=")),
    ]
