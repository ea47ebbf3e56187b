"""Errors of the embedded PostgreSQL; each message has a hint."""

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
