"""Tells why the database does not do its work: its disk is full, or it does not answer."""

import errno
import shutil
from collections.abc import Iterator
from enum import StrEnum

import psycopg
from django.conf import settings
from django.db import InterfaceError, OperationalError

DISK_FULL_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT})
WAL_SEGMENT_BYTES = 16 * 2**20
"""What PostgreSQL must be able to write to go on; without it the server stops."""
CAUSES_LOOKED_AT_MAX = 20
_AWAY_CLASSES = ("08", "53", "57P")
"""SQLSTATE classes: connection exceptions, insufficient resources, operator intervention."""


class Outage(StrEnum):
    """What keeps the database from working."""

    DISK_FULL = "disk-full"
    DATABASE_AWAY = "database-unavailable"


def outage_of(error: BaseException) -> Outage | None:
    """Return the outage that an error was caused by, None if by something else.

    Looks at the causes, too: Celery and Django raise errors of their own from psycopg's.
    """
    errors = list(_with_causes(error))
    if any(_says_disk_full(one) for one in errors):
        return Outage.DISK_FULL
    if not any(_says_away(one) for one in errors):
        return None
    return Outage.DISK_FULL if embedded_disk_is_full() else Outage.DATABASE_AWAY


def embedded_disk_is_full() -> bool:
    """Return whether the embedded server, if it is used, lacks the space to run."""
    if not settings.EMBEDDED:
        return False
    try:
        return shutil.disk_usage(settings.SMALLVILLE_HOME).free < WAL_SEGMENT_BYTES
    except OSError:
        return False  # the folder is gone: the server has other reasons to stay away


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    found: BaseException | None = error
    for _ in range(CAUSES_LOOKED_AT_MAX):
        if found is None:
            return
        yield found
        found = found.__cause__ or found.__context__


def _says_disk_full(error: BaseException) -> bool:
    if isinstance(error, psycopg.Error):
        return error.sqlstate == psycopg.errors.DiskFull.sqlstate
    return isinstance(error, OSError) and error.errno in DISK_FULL_ERRORS


def _says_away(error: BaseException) -> bool:
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return error.sqlstate is None or error.sqlstate.startswith(_AWAY_CLASSES)
    # Of Django's own making, as where its pool is closed; else the cause is psycopg's.
    return isinstance(error, OperationalError | InterfaceError) and error.__cause__ is None
