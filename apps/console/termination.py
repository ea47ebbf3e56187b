"""Ends a command at SIGTERM as an exception, so that it gives its work back."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALLED = 128
"""A shell adds the number of the signal to it."""


@contextmanager
def exit_at_termination() -> Iterator[None]:
    """Raise SystemExit in the block at SIGTERM; used by the main thread."""
    before = signal.signal(signal.SIGTERM, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _exit(number: int, _frame: FrameType | None) -> None:
    sys.exit(_SIGNALLED + number)
