"""A periodic thread calls at once and again, survives outages, and can be started again."""

import threading

from django.db import DatabaseError

from apps.django_support.heartbeat import PeriodicThread

SECONDS_MAX = 60.0
SOON = 0.001
NEVER = 3_600.0


class TestPeriodicThread:
    def test_calls_at_once(self) -> None:
        called = threading.Event()
        thread = PeriodicThread("test", NEVER, called.set)
        thread.start()
        assert called.wait(SECONDS_MAX)
        thread.stop()

    def test_calls_again_after_an_outage_of_the_database(self) -> None:
        calls: list[int] = []
        has_recovered = threading.Event()

        def fail_twice() -> None:
            calls.append(len(calls))
            if len(calls) < 3:
                raise DatabaseError("the server is away")
            has_recovered.set()

        thread = PeriodicThread("test", SOON, fail_twice)
        thread.start()
        assert has_recovered.wait(SECONDS_MAX)
        thread.stop()
        assert calls[:3] == [0, 1, 2]

    def test_does_not_call_after_it_was_stopped(self) -> None:
        calls: list[None] = []
        thread = PeriodicThread("test", NEVER, lambda: calls.append(None))
        thread.stop()  # one that was never started
        for expected in (1, 2):
            thread.start()
            thread.stop()
            assert len(calls) == expected
