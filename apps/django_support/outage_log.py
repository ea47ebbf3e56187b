"""Tells outages of the database from other errors, and limits their log lines.

During an outage every request, turn and heartbeat logs it. On a disk that logs and database
share, these lines would fill the space that was freed.
"""

import errno
import logging
import shutil
import sys
import threading
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import psycopg
from django.conf import settings
from django.db import InterfaceError, OperationalError

from apps.embedded_postgres.errors import LOG_INTERVAL_SECONDS, LogInterval

DISK_FULL_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT})
WAL_SEGMENT_BYTES = 16 * 2**20
"""The free space without which the PostgreSQL server stops."""
CAUSES_MAX = 20
_AWAY_CLASSES = ("08", "53", "57P")
"""SQLSTATE classes: connection exceptions, insufficient resources, operator intervention."""


class Outage(StrEnum):
    """The cause of a database outage."""

    DISK_FULL = "disk-full"
    DATABASE_AWAY = "database-unavailable"


def outage_of(error: BaseException) -> Outage | None:
    """Return the outage that caused an error, None if there was another cause.

    Causes of the error count, too: Celery and Django raise their own errors from psycopg's.
    """
    errors = list(_chain_of(error))
    if any(_is_disk_full(one) for one in errors):
        return Outage.DISK_FULL
    if not any(_is_unavailable(one) for one in errors):
        return None
    return Outage.DISK_FULL if embedded_disk_is_full() else Outage.DATABASE_AWAY


def embedded_disk_is_full() -> bool:
    """Return whether the embedded server is used and lacks the space to run."""
    if not settings.EMBEDDED:
        return False
    try:
        return shutil.disk_usage(settings.SMALLVILLE_HOME).free < WAL_SEGMENT_BYTES
    except OSError:
        return False  # the folder is gone: there is another cause


def _chain_of(error: BaseException) -> Iterator[BaseException]:
    found: BaseException | None = error
    for _ in range(CAUSES_MAX):
        if found is None:
            return
        yield found
        found = found.__cause__ or found.__context__


def _is_disk_full(error: BaseException) -> bool:
    if isinstance(error, psycopg.Error):
        return error.sqlstate == psycopg.errors.DiskFull.sqlstate
    return isinstance(error, OSError) and error.errno in DISK_FULL_ERRORS


def _is_unavailable(error: BaseException) -> bool:
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return error.sqlstate is None or error.sqlstate.startswith(_AWAY_CLASSES)
    # Django's own error, for example of a closed pool; else the cause is psycopg's.
    return isinstance(error, OperationalError | InterfaceError) and error.__cause__ is None


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

    def __init__(self, seconds: float = LOG_INTERVAL_SECONDS) -> None:
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
