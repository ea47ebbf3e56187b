"""Retries of a request: how often, after which waits, and until which deadline.

The caller says which errors can be retried. Chance is the caller's as well, so that a replay
with the same seed waits as long (ADR 26).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

_Reply = TypeVar("_Reply")

# A share of each wait is left to chance, so that clients that failed together do not return
# together.
JITTER_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how long a call is retried, all tries together.

    The n-th wait is about `wait_seconds_first` times 2 to the n, at most `wait_seconds_max`;
    a server that asks for a longer wait than that is not waited for.
    """

    retries: int
    deadline_seconds: float
    wait_seconds_first: float
    wait_seconds_max: float


class RetryableError(Exception):
    """A try that failed, and may not the next time.

    `retry_after_seconds` is what the server asked for, None if it said nothing.
    """

    def __init__(self, detail: str, *, retry_after_seconds: float | None = None) -> None:
        """Keep what happened."""
        super().__init__(detail)
        self.detail = detail
        self.retry_after_seconds = retry_after_seconds


class RetriesExhausted(Exception):
    """Every try failed; the message says why there is no other."""


def retry(
    ask: Callable[[float], _Reply],
    policy: RetryPolicy,
    *,
    jitter: Callable[[int], float],
    setbacks: list[str],
) -> _Reply:
    """Return what `ask` returns once it raises no RetryableError.

    `ask` is told how many seconds are left; `jitter` gives a number in [0, 1) for each wait.
    To `setbacks` is added what went wrong, as it does: it is wanted however this ends.

    :raises RetriesExhausted: when the retries or the time are used up.
    """
    ends_at = time.monotonic() + policy.deadline_seconds
    number = 0
    while True:
        try:
            return ask(ends_at - time.monotonic())
        except RetryableError as error:
            setbacks.append(error.detail)
            wait = wait_seconds(error, number, policy, jitter(number))
            why = _why_not_again(error, number, policy, ends_at - wait)
            if why:
                raise RetriesExhausted(why) from error
        number += 1
        time.sleep(wait)


def wait_seconds(
    error: RetryableError, number: int, policy: RetryPolicy, jitter: float
) -> float:
    """Return how long to wait after an error; `number` counts those before it.

    What the server asks for is never cut short, only lengthened by chance.
    """
    if error.retry_after_seconds is not None:
        return error.retry_after_seconds * (1.0 + JITTER_SHARE * jitter)
    longest = min(policy.wait_seconds_first * 2.0**number, policy.wait_seconds_max)
    return longest * (1.0 - JITTER_SHARE * jitter)


def _why_not_again(
    error: RetryableError, number: int, policy: RetryPolicy, starts_by: float
) -> str:
    """Return why there is no other try, which would have to start by then; "" if there is."""
    asked = error.retry_after_seconds or 0.0
    if number >= policy.retries:
        return f"tried {number + 1} times"
    if asked > policy.wait_seconds_max:
        return f"it asks to be left alone for {asked:.0f} seconds"
    if time.monotonic() >= starts_by:
        return f"tried for {policy.deadline_seconds:g} seconds"
    return ""
