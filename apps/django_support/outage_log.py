"""Limits log lines about an outage of the database to one per minute and process.

During an outage every request, turn and heartbeat logs it. On a disk that logs and database
share, these lines would fill the space that was freed.
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
"""Messages of PostgreSQL, psycopg and the system, for lines without an exception."""


class OutageFilter(logging.Filter):
    """Passes one line per interval about each outage, shortened, with a count of the others."""

    def __init__(self, seconds: float = SECONDS) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._intervals = {outage: LogInterval(seconds) for outage in Outage}
        self._repeated = dict.fromkeys(Outage, 0)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log the record; one about an outage is shortened."""
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
    found: Any = record.msg.get("exc_info") if isinstance(record.msg, dict) else record.exc_info
    if found is True:
        found = sys.exc_info()
    if isinstance(found, tuple):
        found = found[1]
    return found if isinstance(found, BaseException) else None


def _outage_in(record: logging.LogRecord, error: BaseException | None) -> Outage | None:
    if error is not None:
        return outage_of(error)
    text = (str(record.msg) if isinstance(record.msg, dict) else record.getMessage()).lower()
    for outage, phrases in _PHRASES.items():
        if any(phrase in text for phrase in phrases):
            return outage
    return None


def _shorten(
    record: logging.LogRecord, error: BaseException | None, facts: dict[str, str | int]
) -> None:
    """Replace the traceback by the error's message, and add the facts."""
    if error is not None:
        facts = {"error": " ".join(str(error).split()), **facts}
    if isinstance(record.msg, dict):
        record.msg = {key: value for key, value in record.msg.items() if key != "exc_info"}
        record.msg.update(facts)
    else:
        record.exc_info = record.exc_text = None
        record.__dict__.update(facts)
