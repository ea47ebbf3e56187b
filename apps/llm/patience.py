"""How often a server is asked again, how long to wait in between, and when to give up.

Pure but for the clock and the waiting: what can be tried again is said by whoever asks.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

_Reply = TypeVar("_Reply")

# A share of each wait is left to chance, so that many who failed together do not come back
# together.
JITTER_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a call is worth waiting for, all tries together.

    The n-th wait is about `wait_seconds_first` times 2 to the n, at most `wait_seconds_max`;
    a server that asks for a longer wait than that is not waited for.
    """

    retries: int
    deadline_seconds: float
    wait_seconds_first: float
    wait_seconds_max: float


class Setback(Exception):
    """A try that failed, and may not the next time.

    `retry_after_seconds` is what the server asked for, None if it said nothing.
    """

    def __init__(self, detail: str, *, retry_after_seconds: float | None = None) -> None:
        """Keep what happened."""
        super().__init__(detail)
        self.detail = detail
        self.retry_after_seconds = retry_after_seconds


class PatienceOver(Exception):
    """Every try failed; the message says why there is no other."""


def keep_trying(
    ask: Callable[[float], _Reply],
    patience: Patience,
    *,
    jitter: Callable[[int], float],
    setbacks: list[str],
) -> _Reply:
    """Return what `ask` returns once it raises no Setback.

    `ask` is told how many seconds are left; `jitter` gives a number in [0, 1) for each wait.
    To `setbacks` is added what went wrong, as it does: it is wanted however this ends.

    :raises PatienceOver: when the retries or the time are used up.
    """
    ends_at = time.monotonic() + patience.deadline_seconds
    number = 0
    while True:
        try:
            return ask(ends_at - time.monotonic())
        except Setback as setback:
            setbacks.append(setback.detail)
            wait = wait_seconds(setback, number, patience, jitter(number))
            why = _why_not_again(setback, number, patience, ends_at - wait)
            if why:
                raise PatienceOver(why) from setback
        number += 1
        time.sleep(wait)


def wait_seconds(setback: Setback, number: int, patience: Patience, jitter: float) -> float:
    """Return how long to wait after a setback; `number` counts those before it.

    What the server asks for is never cut short, only lengthened by chance.
    """
    if setback.retry_after_seconds is not None:
        return setback.retry_after_seconds * (1.0 + JITTER_SHARE * jitter)
    longest = min(patience.wait_seconds_first * 2.0**number, patience.wait_seconds_max)
    return longest * (1.0 - JITTER_SHARE * jitter)


def _why_not_again(setback: Setback, number: int, patience: Patience, starts_by: float) -> str:
    """Return why there is no other try, which would have to start by then; "" if there is."""
    asked = setback.retry_after_seconds or 0.0
    if number >= patience.retries:
        return f"tried {number + 1} times"
    if asked > patience.wait_seconds_max:
        return f"it asks to be left alone for {asked:.0f} seconds"
    if time.monotonic() >= starts_by:
        return f"tried for {patience.deadline_seconds:g} seconds"
    return ""
