"""Child processes that are kept alive: started again when they die, ended with their parent."""

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
from apps.embedded_postgres.private_files import create_private_folder

BACK_OFF_SECONDS_MIN = 0.5
BACK_OFF_SECONDS_MAX = 10.0
STEADY_SECONDS = 30.0
"""A child that has lived so long has got over what killed the one before."""
POLITE_SECONDS = 12.0
"""Longer than the scheduler needs to finish its steps and to give its leases back."""
LOG_BYTES_MAX = 20_000_000
ANNOUNCED_LINES = 3


@dataclass(frozen=True, slots=True)
class Program:
    """What a child runs: arguments for this project's Python."""

    name: str
    arguments: Sequence[str]


class Child:
    """One program, for as long as it is wanted."""

    def __init__(self, program: Program, *, folder: Path, log: Path) -> None:
        self.name = program.name
        self.log = log
        self._arguments = program.arguments
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._deaths = 0
        self._starts_at = 0.0

    @property
    def process_id(self) -> int:
        """The process that runs now; 0 if none does."""
        return self._process.pid if self._process else 0

    def look_after(self) -> int | None:
        """Start the program if it does not run; return how the last one ended, if it just did.

        A program that dies again and again is started at ever longer intervals, within bounds.
        """
        now = time.monotonic()
        if self._process is None:
            if now >= self._starts_at:
                self._start(now)
            return None
        status = self._process.poll()
        if status is None:
            self._keep_log_short()
            return None
        self._process = None
        self._deaths = 1 if now - self._started_at > STEADY_SECONDS else self._deaths + 1
        self._starts_at = now + back_off_seconds(self._deaths)
        return status

    def ask_to_end(self) -> None:
        """Tell the program to end in its own time."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)

    def see_off(self, *, until: float) -> None:
        """Wait for the end until a time of the monotonic clock; then end it."""
        if self._process is None:
            return
        try:
            self._process.wait(timeout=max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def last_lines(self) -> str:
        """Return the end of what the program wrote."""
        try:
            lines = self.log.read_text(errors="replace").splitlines()
        except FileNotFoundError:
            return ""
        return "\n".join(lines[-ANNOUNCED_LINES:])

    def _start(self, now: float) -> None:
        """Start it out of reach of the terminal's Ctrl-C, which the parent passes on."""
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

    def _keep_log_short(self) -> None:
        """Move a long log aside; the child goes on at the start of the file it has open."""
        if self.log.stat().st_size > LOG_BYTES_MAX:
            earlier = self.log.with_suffix(".log.1")
            try:
                shutil.copyfile(self.log, earlier)
            except OSError:
                earlier.unlink(missing_ok=True)  # the disk is full: half a copy helps nobody
            os.truncate(self.log, 0)


class Supervisor:
    """All the children of one parent."""

    def __init__(
        self,
        programs: Sequence[Program],
        *,
        folder: Path,
        logs: Path,
        announce: Callable[[str], None],
    ) -> None:
        """Prepare the children.

        :param folder: where they run.
        :param logs: where each writes NAME.log.
        :param announce: told, in words for people, when one has died.
        """
        create_private_folder(logs)
        self._announce = announce
        self.children = [
            Child(program, folder=folder, log=logs / f"{program.name}.log")
            for program in programs
        ]

    def look_after(self) -> None:
        """Start what does not run. To be called a few times a second."""
        for child in self.children:
            status = child.look_after()
            if status is not None:
                how = ending_in_words(status)
                self._announce(
                    f"The {child.name} process ended ({how}) and is started again; "
                    f"{child.log} ends with:\n{child.last_lines()}"
                )

    def stop(self) -> None:
        """End all children: politely, then not."""
        for child in self.children:
            child.ask_to_end()
        until = time.monotonic() + POLITE_SECONDS
        for child in self.children:
            child.see_off(until=until)


def back_off_seconds(deaths: int) -> float:
    """Return how long to wait before the next start after so many deaths in a row, from 1."""
    return min(BACK_OFF_SECONDS_MAX, BACK_OFF_SECONDS_MIN * 2.0 ** min(deaths - 1, 10))


def ending_in_words(status: int) -> str:
    """Return how a process ended: "status 3", "signal SIGKILL"."""
    if status >= 0:
        return f"status {status}"
    try:
        return f"signal {signal.Signals(-status).name}"
    except ValueError:
        return f"signal {-status}"
