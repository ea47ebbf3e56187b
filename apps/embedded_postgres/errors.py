"""Why the embedded PostgreSQL could not be had, each reason with its mend."""

from typing import ClassVar

from apps.kernel.errors import DomainError


class DataFolderNotWritable(DomainError):
    """The folder that keeps the town's data cannot be written to."""

    code: ClassVar[str] = "data-folder-not-writable"


class FolderOfAnotherUser(DomainError):
    """The folder for the service's data is not this user's alone."""

    code: ClassVar[str] = "folder-of-another-user"


class PostgresMissing(DomainError):
    """The PostgreSQL that comes as a Python package is not installed for this platform."""

    code: ClassVar[str] = "postgres-missing"


class PostgresOfAnotherVersion(DomainError):
    """The data folder was written by another version of PostgreSQL."""

    code: ClassVar[str] = "postgres-of-another-version"


class NoFreePort(DomainError):
    """No port on the loopback interface is free for the embedded PostgreSQL."""

    code: ClassVar[str] = "no-free-port"


class PostgresDidNotStart(DomainError):
    """The embedded PostgreSQL was started and did not become ready."""

    code: ClassVar[str] = "postgres-did-not-start"


class DatabaseUnreachable(DomainError):
    """The database that DATABASE_URL names cannot be reached."""

    code: ClassVar[str] = "database-unreachable"


KEEPER_REFUSALS: dict[str, type[DomainError]] = {
    refusal.code: refusal
    for refusal in (
        DataFolderNotWritable,
        FolderOfAnotherUser,
        PostgresMissing,
        PostgresOfAnotherVersion,
        NoFreePort,
        PostgresDidNotStart,
    )
}
"""What a keeper may report to the process that started it, by code."""
