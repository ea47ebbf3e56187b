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

    An interruption that the block does not handle becomes an error that names the option with
    which the command goes on. After SIGTERM the status of an error is that of the signal.

    :raises CommandError: if the block was interrupted.
    """
    received: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt(_told(number))

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except CommandError as error:
        if received:
            error.returncode = _SIGNALLED + received[0]
        raise
    except KeyboardInterrupt:
        number = received[0] if received else signal.SIGINT
        raise CommandError(
            f"{_told(number)}; continue it with {option}", returncode=_SIGNALLED + number
        ) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _told(number: int) -> str:
    return f"interrupted by {signal.Signals(number).name}"
