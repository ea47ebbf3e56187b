"""The process that keeps one home's PostgreSQL alive, and ends it when nobody uses it.

`python -m apps.embedded_postgres.keeper HOME [LINGER_SECONDS]` goes into the background and
returns when the server is ready, or says on its last line, as JSON, why it will not be.
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
from apps.embedded_postgres.binaries import find_binaries
from apps.embedded_postgres.errors import PostgresDidNotStart
from apps.embedded_postgres.home import Home
from apps.embedded_postgres.log_interval import LogInterval
from apps.embedded_postgres.private_files import PRIVATE_FILE_MODE, PRIVATE_UMASK
from apps.embedded_postgres.server import Server
from apps.kernel.errors import DomainError

LINGER_SECONDS = 5.0
LOOK_SECONDS = 0.25
FIRST_STARTS_MAX = 8
BACK_OFF_SECONDS_MIN = 0.05
BACK_OFF_SECONDS_MAX = 5.0
LOG_BYTES_MAX = 4_000_000


class Keeper:
    """Watches over one server."""

    def __init__(self, home: Home, *, linger_seconds: float) -> None:
        """Take the place of this home's one keeper.

        :raises AlreadyKept: if another process holds it.
        """
        self._home = home
        self._linger_seconds = linger_seconds
        self._place = take_place(home)
        self._users = locks.open_lock(home.users_lock)
        self._told_to_end = False
        self._server = Server(home, find_binaries())

    def begin(self) -> None:
        """Start the server, trying again while remains of an earlier one go away.

        :raises Refusal: if it cannot be started.
        """
        for number in range(FIRST_STARTS_MAX):
            try:
                return self._server.start()
            except PostgresDidNotStart:
                if number == FIRST_STARTS_MAX - 1:
                    raise
                time.sleep(back_off_seconds(number))
        return None

    def keep(self) -> None:
        """Keep the server alive until nobody uses it or somebody says to end."""
        signal.signal(signal.SIGTERM, self._end)
        signal.signal(signal.SIGINT, self._end)
        unused_since: float | None = None
        while not self._told_to_end and self._home_is_there():
            if self._server.has_ended(within_seconds=LOOK_SECONDS):
                self._bring_back()
            if not locks.try_exclusive(self._users):
                unused_since = None
                continue
            unused_since = unused_since or time.monotonic()
            if time.monotonic() - unused_since >= self._linger_seconds:
                # The lock is kept: who comes now waits until this keeper is gone.
                break
            locks.give_back(self._users)
        self._server.stop()

    def _bring_back(self) -> None:
        number, reports = 0, LogInterval()
        while not self._told_to_end and self._home_is_there():
            try:
                return self._server.start()
            except (DomainError, OSError) as why:
                if reports.is_due():
                    say(f"the server did not come back, trying again: {why}")
                time.sleep(back_off_seconds(number))
                number += 1
        return None

    def _home_is_there(self) -> bool:
        try:
            return self._home.keeper_lock.stat().st_ino == os.fstat(self._place).st_ino
        except FileNotFoundError:
            return False

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self._told_to_end = True


class AlreadyKept(Exception):
    """Another keeper has this home."""


def take_place(home: Home) -> int:
    """Take the keeper's lock, for as long as this process lives.

    :raises AlreadyKept: if another process holds it. A process that only looks whether it is
        held is in the way for an instant, so this is tried for a while.
    """
    descriptor = locks.open_lock(home.keeper_lock)
    for _ in range(50):
        if locks.try_exclusive(descriptor):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
            return descriptor
        time.sleep(0.01)
    raise AlreadyKept


def back_off_seconds(number: int) -> float:
    """Return how long to wait after the n-th failure in a row, counted from 0."""
    return min(BACK_OFF_SECONDS_MAX, BACK_OFF_SECONDS_MIN * 2.0 ** min(number, 10))


def say(text: str) -> None:
    """Write a line to the log, which is where this process's standard error goes."""
    # On a full disk the line is lost; the keeper goes on.
    with suppress(OSError):
        os.write(sys.stderr.fileno(), f"keeper {os.getpid()}: {text}\n".encode())


def go_into_background(home: Home) -> int:
    """Leave the terminal; return where to report to. The parent passes the report on."""
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
    log = os.open(home.server_log, mode, PRIVATE_FILE_MODE)
    for number, descriptor in enumerate((nothing, log, log)):
        os.dup2(descriptor, number)
    os.close(nothing)
    os.close(log)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    return writer


def main(arguments: list[str]) -> None:
    """Start, report, keep."""
    home = Home(Path(arguments[0]).absolute())
    linger_seconds = float(arguments[1]) if len(arguments) > 1 else LINGER_SECONDS
    with os.fdopen(go_into_background(home), "w") as report:
        try:
            keeper = Keeper(home, linger_seconds=linger_seconds)
            keeper.begin()
        except AlreadyKept:
            return
        except DomainError as refusal:
            json.dump({"code": refusal.code, "message": refusal.message}, report)
            return
        json.dump({}, report)
    keeper.keep()


if __name__ == "__main__":
    main(sys.argv[1:])
