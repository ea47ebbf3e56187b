"""Logs an outage of the database once a minute and process, whoever reports it.

While a disk is full, every request, turn and heartbeat and the libraries below them report the
same. On a disk that logs and database share, these lines would take the space that was freed.
"""

import logging
import sys
import threading
from typing import Any

from apps.django_support.outages import Outage, outage_of
from apps.embedded_postgres.log_interval import SECONDS, LogInterval

_PHRASES = {
    Outage.DISK_FULL: ("no space left on device", "disk quota exceeded"),
    Outage.DATABASE_AWAY: (
        "connection refused",
        "couldn't get a connection after",
        "server closed the connection unexpectedly",
        "terminating connection due to",
        "the database system is",
    ),
}
"""The words of PostgreSQL, psycopg and the system, for lines without an exception."""


class OutageFilter(logging.Filter):
    """Lets one line a minute about each outage through, on one line, with a count."""

    def __init__(self, seconds: float = SECONDS) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._intervals = {outage: LogInterval(seconds) for outage in Outage}
        self._repeated = dict.fromkeys(Outage, 0)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is to be logged; one about an outage is shortened."""
        if record.levelno < logging.WARNING:
            return True
        error = _error_of(record)
        outage = _outage_in(record, error)
        if outage is None:
            return True
        with self._lock:
            if not self._intervals[outage].is_due():
                self._repeated[outage] += 1
                return False
            repeated, self._repeated[outage] = self._repeated[outage], 0
        _shorten(record, error, {"outage": str(outage), "repeated": repeated})
        return True


def _error_of(record: logging.LogRecord) -> BaseException | None:
    inputs: Any = (
        record.msg.get("exc_info") if isinstance(record.msg, dict) else record.exc_info
    )
    if inputs is True:
        return sys.exc_info()[1]
    if isinstance(inputs, tuple):
        return inputs[1] if isinstance(inputs[1], BaseException) else None
    return inputs if isinstance(inputs, BaseException) else None


def _outage_in(record: logging.LogRecord, error: BaseException | None) -> Outage | None:
    if error is not None:
        return outage_of(error)
    text = (str(record.msg) if isinstance(record.msg, dict) else record.getMessage()).lower()
    for outage, phrases in _PHRASES.items():
        if any(phrase in text for phrase in phrases):
            return outage
    return None


def _shorten(
    record: logging.LogRecord, error: BaseException | None, told: dict[str, str | int]
) -> None:
    """Replace the traceback by the error's message, and add what is told."""
    if error is not None:
        told = {"error": " ".join(str(error).split()), **told}
    if isinstance(record.msg, dict):
        record.msg = {key: value for key, value in record.msg.items() if key != "exc_info"}
        record.msg.update(told)
    else:
        record.exc_info = record.exc_text = None
        record.__dict__.update(told)
