"""Errors of the embedded PostgreSQL, and how often a repeated one is logged."""

import time

from apps.kernel.errors import DomainError


class StartError(DomainError):
    """The embedded PostgreSQL cannot start; its supervisor reports the error by its code."""


class DataFolderNotWritable(StartError):
    """The data folder cannot be written to."""


class FolderOfAnotherUser(StartError):
    """The data folder does not belong to this user alone."""


class PostgresMissing(StartError):
    """The PostgreSQL package is not installed for this platform."""


class PostgresOfAnotherVersion(StartError):
    """The data folder was written by another version of PostgreSQL."""


class NoFreePort(StartError):
    """No port of the loopback interface is free for the embedded PostgreSQL."""


class PostgresDidNotStart(StartError):
    """The embedded PostgreSQL was started and did not become ready."""


class DatabaseUnreachable(DomainError):
    """The database of DATABASE_URL does not answer."""


START_ERRORS = {error.code: error for error in StartError.__subclasses__()}


LOG_INTERVAL_SECONDS = 60.0


class LogInterval:
    """At most one line per interval; the first one immediately."""

    def __init__(self, seconds: float = LOG_INTERVAL_SECONDS) -> None:
        self._seconds = seconds
        self._next_at = 0.0

    def is_due(self) -> bool:
        """Return whether a line may be written now; if so, the next interval starts."""
        now = time.monotonic()
        if now < self._next_at:
            return False
        self._next_at = now + self._seconds
        return True

    def reset(self) -> None:
        """Allow the next line immediately, after the end of what was reported."""
        self._next_at = 0.0
