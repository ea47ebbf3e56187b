"""Any number of requests for the health share one check."""

import threading
from concurrent.futures import ThreadPoolExecutor

from apps.api.operations.health import (
    MAX_AGE_SECONDS,
    NO_DATABASE,
    HealthCheck,
    ServiceHealth,
    Word,
)

WELL = ServiceHealth(database=Word.OK, worker=Word.OK, scheduler=Word.OK, notifications=Word.OK)
REQUESTS = 300
PATIENCE_SECONDS = 30.0


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        """Begin at 0."""
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class TestHealthCheck:
    def test_is_made_once_however_many_ask(self) -> None:
        checks, may_end = [], threading.Event()

        def check() -> ServiceHealth:
            checks.append(threading.get_ident())
            assert may_end.wait(PATIENCE_SECONDS)
            return WELL

        clock = Clock()
        health = HealthCheck(check, patience=PATIENCE_SECONDS, seconds=clock)
        with ThreadPoolExecutor(REQUESTS) as pool:
            asked = [pool.submit(health.latest) for _ in range(REQUESTS)]
            may_end.set()
            assert {request.result() for request in asked} == {WELL}
        assert len(checks) == 1
        clock.now = MAX_AGE_SECONDS
        assert health.latest() == WELL
        assert len(checks) == 1
        clock.now += 0.1
        assert health.latest() == WELL
        assert len(checks) == 2

    def test_that_takes_too_long_counts_as_no_database(self) -> None:
        may_end = threading.Event()

        def check() -> ServiceHealth:
            assert may_end.wait(PATIENCE_SECONDS)
            return WELL

        health = HealthCheck(check, patience=0.0)
        assert health.latest() == NO_DATABASE
        assert health.latest() == NO_DATABASE
        may_end.set()

    def test_that_fails_is_made_again(self) -> None:
        results = [OSError("no file descriptors left"), None]

        def check() -> ServiceHealth:
            error = results.pop(0)
            if error is not None:
                raise error
            return WELL

        clock = Clock()
        health = HealthCheck(check, patience=PATIENCE_SECONDS, seconds=clock)
        assert health.latest() == NO_DATABASE
        clock.now = 2 * MAX_AGE_SECONDS
        assert health.latest() == WELL
