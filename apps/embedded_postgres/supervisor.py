"""The process that supervises one home's PostgreSQL, and stops it when no process uses it.

`python -m apps.embedded_postgres.supervisor HOME [IDLE_SECONDS]` moves into the background and
returns when the server is ready; if it cannot start, the output is the error as JSON.
"""

import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType

from apps.embedded_postgres import locks
from apps.embedded_postgres.errors import LogInterval, PostgresDidNotStart
from apps.embedded_postgres.home import Home
from apps.embedded_postgres.locks import PRIVATE_FILE_MODE, PRIVATE_UMASK
from apps.embedded_postgres.server import Server, find_binaries
from apps.kernel.errors import DomainError

IDLE_SECONDS = 5.0
POLL_SECONDS = 0.25
FIRST_STARTS_MAX = 8
BACK_OFF_SECONDS_MIN = 0.05
BACK_OFF_SECONDS_MAX = 5.0
LOG_BYTES_MAX = 4_000_000


class AlreadySupervised(Exception):
    """Another process supervises this home."""


class ServerSupervisor:
    """Supervises one server, and stops it after `idle_seconds` without users.

    :raises AlreadySupervised: if another process supervises the home.
    """

    def __init__(self, home: Home, *, idle_seconds: float) -> None:
        self._home = home
        self._idle_seconds = idle_seconds
        self._lock = acquire_supervisor_lock(home)
        self._users = locks.open_lock(home.users_lock)
        self._is_stopping = False
        self._server = Server(home, find_binaries())

    def start(self) -> None:
        """Start the server, and retry while remains of an earlier one disappear.

        :raises StartError: if it cannot be started.
        """
        for number in range(FIRST_STARTS_MAX):
            try:
                return self._server.start()
            except PostgresDidNotStart:
                if number == FIRST_STARTS_MAX - 1:
                    raise
                time.sleep(back_off_seconds(number))
        return None

    def run(self) -> None:
        """Keep the server running until no process uses it, or until SIGTERM or SIGINT."""
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        idle_since: float | None = None
        while self._should_run():
            if self._server.has_ended(within_seconds=POLL_SECONDS):
                self._restart()
            if not locks.try_exclusive(self._users):
                idle_since = None
                continue
            idle_since = idle_since or time.monotonic()
            if time.monotonic() - idle_since >= self._idle_seconds:
                # The lock is kept, so that a new user waits for the end of this process.
                break
            locks.release(self._users)
        self._server.stop()

    def _restart(self) -> None:
        number, reports = 0, LogInterval()
        while self._should_run():
            try:
                return self._server.start()
            except (DomainError, OSError) as error:
                if reports.is_due():
                    log(f"the server did not start, trying again: {error}")
                time.sleep(back_off_seconds(number))
                number += 1
        return None

    def _should_run(self) -> bool:
        """Return False after a signal, and if the home was removed or replaced."""
        try:
            inode = self._home.supervisor_lock.stat().st_ino
        except FileNotFoundError:
            return False
        return not self._is_stopping and inode == os.fstat(self._lock).st_ino

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._is_stopping = True


def acquire_supervisor_lock(home: Home) -> int:
    """Return the supervisor's lock, which this process holds until it ends.

    :raises AlreadySupervised: if another process holds it. A process that only checks whether
        it is held blocks it for an instant, so this is tried for a while.
    """
    descriptor = locks.open_lock(home.supervisor_lock)
    for _ in range(50):
        if locks.try_exclusive(descriptor):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
            return descriptor
        time.sleep(0.01)
    raise AlreadySupervised


def back_off_seconds(number: int) -> float:
    """Return the wait after the n-th failure in a row, counted from 0."""
    return min(BACK_OFF_SECONDS_MAX, BACK_OFF_SECONDS_MIN * 2.0 ** min(number, 10))


def log(text: str) -> None:
    """Write a line to the server's log, which is the standard error of this process."""
    # On a full disk the line is lost.
    with suppress(OSError):
        os.write(sys.stderr.fileno(), f"supervisor {os.getpid()}: {text}\n".encode())


def move_into_background(home: Home) -> int:
    """Leave the terminal; return the descriptor for the report, which the parent prints."""
    reader, writer = os.pipe()
    if os.fork():
        os.close(writer)
        with os.fdopen(reader) as report:
            sys.stdout.write(report.read())
        sys.stdout.flush()
        os._exit(0)
    os.close(reader)
    os.setsid()
    os.chdir("/")
    nothing = os.open(os.devnull, os.O_RDONLY)
    mode = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    if home.server_log.exists() and home.server_log.stat().st_size > LOG_BYTES_MAX:
        mode |= os.O_TRUNC
    os.umask(PRIVATE_UMASK)
    output = os.open(home.server_log, mode, PRIVATE_FILE_MODE)
    for number, descriptor in enumerate((nothing, output, output)):
        os.dup2(descriptor, number)
    os.close(nothing)
    os.close(output)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    return writer


def main(arguments: list[str]) -> None:
    """Start the server, report, and supervise it."""
    home = Home(Path(arguments[0]))
    idle_seconds = float(arguments[1]) if len(arguments) > 1 else IDLE_SECONDS
    with os.fdopen(move_into_background(home), "w") as report:
        try:
            supervisor = ServerSupervisor(home, idle_seconds=idle_seconds)
            supervisor.start()
        except AlreadySupervised:
            return
        except DomainError as error:
            json.dump({"code": error.code, "message": error.message}, report)
            return
        json.dump({}, report)
    supervisor.run()


if __name__ == "__main__":
    main(sys.argv[1:])
