"""Supervises child processes: restarts them when they exit, ends them with their parent."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from apps.embedded_postgres import identity
from apps.embedded_postgres.locks import create_private_folder

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
                identity.command_for(identity.PLAIN, program, parent=os.getpid()),
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
