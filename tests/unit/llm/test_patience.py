"""How often and after how long a server is asked again."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.llm.patience import (
    JITTER_SHARE,
    Patience,
    PatienceOver,
    Setback,
    keep_trying,
    wait_seconds,
)

PATIENCE = Patience(
    retries=3, deadline_seconds=60.0, wait_seconds_first=0.001, wait_seconds_max=0.01
)


def no_jitter(_number: int) -> float:
    return 0.0


def failing(*setbacks: Setback) -> Callable[[float], str]:
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
        ask = failing(Setback("one"), Setback("two"))
        assert keep_trying(ask, PATIENCE, jitter=no_jitter, setbacks=setbacks) == "hello"
        assert setbacks == ["one", "two"]

    def test_gives_up_when_the_retries_are_used_up(self) -> None:
        ask = failing(*[Setback(str(number)) for number in range(9)])
        setbacks: list[str] = []
        with pytest.raises(PatienceOver, match="tried 4 times"):
            keep_trying(ask, PATIENCE, jitter=no_jitter, setbacks=setbacks)
        assert setbacks == ["0", "1", "2", "3"]

    def test_gives_up_at_once_when_asked_to_stay_away_for_long(self) -> None:
        ask = failing(Setback("busy", retry_after_seconds=60))
        with pytest.raises(PatienceOver, match="left alone for 60 seconds"):
            keep_trying(ask, PATIENCE, jitter=no_jitter, setbacks=[])

    def test_lets_what_is_no_setback_through(self) -> None:
        def broken(_seconds_left: float) -> str:
            raise ValueError("ours")

        with pytest.raises(ValueError, match="ours"):
            keep_trying(broken, PATIENCE, jitter=no_jitter, setbacks=[])

    def test_tells_how_much_time_is_left(self) -> None:
        left = keep_trying(lambda left: left, PATIENCE, jitter=no_jitter, setbacks=[])
        assert 0 < left <= PATIENCE.deadline_seconds


class TestWaitSeconds:
    def test_doubles_up_to_a_bound(self) -> None:
        waits = [wait_seconds(Setback("x"), number, PATIENCE, 0.0) for number in range(6)]
        assert waits == [0.001, 0.002, 0.004, 0.008, 0.01, 0.01]

    @given(st.floats(0, 1, exclude_max=True), st.integers(0, 50))
    def test_leaves_a_share_to_chance(self, jitter: float, number: int) -> None:
        whole = wait_seconds(Setback("x"), number, PATIENCE, 0.0)
        wait = wait_seconds(Setback("x"), number, PATIENCE, jitter)
        assert whole * (1 - JITTER_SHARE) <= wait <= whole

    @given(st.floats(0, 1, exclude_max=True), st.floats(0, 100))
    def test_never_comes_back_sooner_than_asked(self, jitter: float, asked: float) -> None:
        setback = Setback("x", retry_after_seconds=asked)
        assert wait_seconds(setback, 0, PATIENCE, jitter) >= asked
