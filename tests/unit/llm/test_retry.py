"""How often and after how long a server is asked again."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.llm.servers.retry import (
    JITTER_SHARE,
    RetriesExhausted,
    RetryableError,
    RetryPolicy,
    retry,
    wait_seconds,
)

POLICY = RetryPolicy(
    retries=3, deadline_seconds=60.0, wait_seconds_first=0.001, wait_seconds_max=0.01
)


def no_jitter(_number: int) -> float:
    return 0.0


def failing(*setbacks: RetryableError) -> Callable[[float], str]:
    """Return what fails so, one after the other, and then answers."""
    left = list(setbacks)

    def ask(_seconds_left: float) -> str:
        if left:
            raise left.pop(0)
        return "hello"

    return ask


class TestKeepTrying:
    def test_returns_the_reply_and_tells_of_the_setbacks_before(self) -> None:
        setbacks: list[str] = []
        ask = failing(RetryableError("one"), RetryableError("two"))
        assert retry(ask, POLICY, jitter=no_jitter, setbacks=setbacks) == "hello"
        assert setbacks == ["one", "two"]

    def test_gives_up_when_the_retries_are_used_up(self) -> None:
        ask = failing(*[RetryableError(str(number)) for number in range(9)])
        setbacks: list[str] = []
        with pytest.raises(RetriesExhausted, match="tried 4 times"):
            retry(ask, POLICY, jitter=no_jitter, setbacks=setbacks)
        assert setbacks == ["0", "1", "2", "3"]

    def test_counts_no_failure_of_a_busy_server(self) -> None:
        ask = failing(*[RetryableError("busy", is_busy=True) for _ in range(9)])
        assert retry(ask, POLICY, jitter=no_jitter, setbacks=[]) == "hello"

    def test_gives_up_at_once_when_asked_to_stay_away_beyond_the_deadline(self) -> None:
        ask = failing(RetryableError("busy", retry_after_seconds=60))
        with pytest.raises(RetriesExhausted, match="a wait of 60 seconds"):
            retry(ask, POLICY, jitter=no_jitter, setbacks=[])

    def test_sends_nothing_after_the_deadline(self) -> None:
        policy = replace(POLICY, deadline_seconds=0.0)
        with pytest.raises(RetriesExhausted, match="tried for 0 seconds"):
            retry(failing(), policy, jitter=no_jitter, setbacks=[])

    def test_lets_what_is_no_setback_through(self) -> None:
        def broken(_seconds_left: float) -> str:
            raise ValueError("ours")

        with pytest.raises(ValueError, match="ours"):
            retry(broken, POLICY, jitter=no_jitter, setbacks=[])

    def test_tells_how_much_time_is_left(self) -> None:
        left = retry(lambda left: left, POLICY, jitter=no_jitter, setbacks=[])
        assert 0 < left <= POLICY.deadline_seconds


class TestWaitSeconds:
    def test_doubles_up_to_a_bound(self) -> None:
        waits = [wait_seconds(RetryableError("x"), number, POLICY, 0.0) for number in range(6)]
        assert waits == [0.001, 0.002, 0.004, 0.008, 0.01, 0.01]

    def test_grows_beyond_a_request_that_was_too_short(self) -> None:
        error = RetryableError("x", retry_after_seconds=0.0)
        waits = [wait_seconds(error, number, POLICY, 0.0) for number in range(3)]
        assert waits == [0.0, 0.002, 0.004]

    @given(st.floats(0, 1, exclude_max=True), st.integers(0, 50))
    def test_leaves_a_share_to_chance(self, jitter: float, number: int) -> None:
        whole = wait_seconds(RetryableError("x"), number, POLICY, 0.0)
        wait = wait_seconds(RetryableError("x"), number, POLICY, jitter)
        assert whole * (1 - JITTER_SHARE) <= wait <= whole

    @given(st.floats(0, 1, exclude_max=True), st.floats(0, 100))
    def test_never_comes_back_sooner_than_asked(self, jitter: float, asked: float) -> None:
        setback = RetryableError("x", retry_after_seconds=asked)
        assert wait_seconds(setback, 0, POLICY, jitter) >= asked
