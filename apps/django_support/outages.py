"""Classifies database errors as outages: a full disk, or an unavailable server."""

import errno
import shutil
from collections.abc import Iterator
from enum import StrEnum

import psycopg
from django.conf import settings
from django.db import InterfaceError, OperationalError

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
