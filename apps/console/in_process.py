"""What commands need that run simulations or other work in their own process."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from django.conf import settings
from django.core.management.base import CommandError

from apps.embedded_postgres.database import ensure_running

_SIGNALLED = 128
"""A shell adds the number of the signal to it."""


def restart_database() -> None:
    """Start the database of the service again after an outage, if it is its own."""
    if settings.EMBEDDED:
        ensure_running(settings.SMALLVILLE_HOME)


@contextmanager
def exit_at_termination(option: str) -> Iterator[None]:
    """Raise KeyboardInterrupt in the block at SIGTERM, too; used by the main thread.

    An interruption that the block does not handle becomes an error with the status of the
    signal; it names the option that continues the work. Any error after the signal counts as
    the interruption: code in C or Rust, such as pydantic's, replaces it by an error of its own.
    SIGINT stays ignored where it is ignored, as in the background of a shell.

    :raises CommandError: if the block was interrupted.
    """
    received: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt(_reason(number))

    before = {
        number: signal.signal(number, interrupt)
        for number in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        if not received:
            raise
        returncode = _SIGNALLED + received[0]
        if isinstance(error, CommandError):
            error.returncode = returncode
            raise
        message = f"{_reason(received[0])}; continue it with {option}"
        raise CommandError(message, returncode=returncode) from error
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _reason(number: int) -> str:
    return f"interrupted by {signal.Signals(number).name}"
