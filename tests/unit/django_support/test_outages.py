"""Outages of the database: what they are told by, and how often they are logged."""

import errno
import logging
from collections.abc import Callable

import psycopg
import pytest
from celery.beat import SchedulingError
from django.db import InterfaceError, OperationalError
from kombu.exceptions import OperationalError as BrokerAway

from apps.django_support.outage_log import Outage, OutageFilter, outage_of

FULL = psycopg.errors.DiskFull("could not extend file: No space left on device")
AWAY = psycopg.OperationalError("connection refused")


def caused(error: Exception, cause: Exception) -> Exception:
    """Return an error as it is raised from another one."""
    error.__cause__ = cause
    return error


class TestOutageOf:
    @pytest.mark.parametrize(
        "error",
        [
            FULL,
            caused(OperationalError("Django's"), FULL),
            caused(BrokerAway("the broker's"), FULL),
            caused(SchedulingError("the beat's"), caused(OperationalError(), FULL)),
            OSError(errno.ENOSPC, "No space left on device"),
            OSError(errno.EDQUOT, "Disk quota exceeded"),
        ],
    )
    def test_is_a_full_disk(self, error: Exception) -> None:
        assert outage_of(error) is Outage.DISK_FULL

    @pytest.mark.parametrize(
        "error",
        [
            AWAY,
            caused(OperationalError("Django's"), AWAY),
            OperationalError("Django's own"),
            InterfaceError("connection already closed"),
            psycopg.errors.AdminShutdown("terminating connection"),
            psycopg.errors.TooManyConnections("sorry"),
        ],
    )
    def test_is_a_database_that_does_not_answer(self, error: Exception) -> None:
        assert outage_of(error) is Outage.DATABASE_AWAY

    @pytest.mark.parametrize(
        "error",
        [
            ValueError("ours"),
            OSError(errno.ENOENT, "no such file"),
            caused(OperationalError(), psycopg.errors.DeadlockDetected("try again")),
            psycopg.errors.UniqueViolation("there already"),
        ],
    )
    def test_is_none_of_anything_else(self, error: Exception) -> None:
        assert outage_of(error) is None


@pytest.fixture
def logged() -> list[logging.LogRecord]:
    return []


@pytest.fixture
def handler(logged: list[logging.LogRecord]) -> logging.Handler:
    """Give a handler with the filter of the settings; what it lets through is in `logged`."""

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            logged.append(record)

    kept = Kept()
    kept.addFilter(OutageFilter())
    return kept


def record_of(message: object, error: Exception | None = None) -> logging.LogRecord:
    info = None if error is None else (type(error), error, error.__traceback__)
    return logging.LogRecord("a", logging.ERROR, __file__, 1, message, (), info)


REPORTS: list[Callable[[], logging.LogRecord]] = [
    lambda: record_of("Task raised unexpected", FULL),
    lambda: record_of("Message Error: No space left on device"),
    lambda: record_of({"event": "database went away", "error": str(FULL)}),
    lambda: record_of({"event": "turn put off", "exc_info": FULL}),
]


class TestOutageFilter:
    @pytest.mark.parametrize("report", REPORTS)
    def test_lets_one_line_through_whoever_reports(
        self,
        report: Callable[[], logging.LogRecord],
        handler: logging.Handler,
        logged: list[logging.LogRecord],
    ) -> None:
        handler.handle(report())
        for another in REPORTS * 10:
            handler.handle(another())
        assert len(logged) == 1
        assert "Traceback" not in logging.Formatter().format(logged[0])

    def test_says_how_many_lines_it_kept_back(self) -> None:
        at_most_one = OutageFilter(seconds=3_600)
        assert at_most_one.filter(record_of("first", FULL))
        assert not at_most_one.filter(record_of("second", FULL))
        at_most_one._intervals[Outage.DISK_FULL].reset()
        third = record_of("third", FULL)
        assert at_most_one.filter(third)
        assert (third.__dict__["outage"], third.__dict__["repeated"]) == ("disk-full", 1)

    def test_keeps_back_no_line_about_anything_else(
        self, handler: logging.Handler, logged: list[logging.LogRecord]
    ) -> None:
        for _ in range(5):
            handler.handle(record_of("turn failed", ValueError("ours")))
            handler.handle(record_of("all is well"))
        assert len(logged) == 10
        assert logged[0].exc_info is not None
