"""Retries of a request, with a limit of tries, exponential waits and a deadline (ADR 26).

The caller chooses the errors that are retried and provides seeded jitter, so that a run with
the same seed waits equally long.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

_Reply = TypeVar("_Reply")

# The random share of each wait, so that clients that failed together do not retry together.
JITTER_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """The limits of all tries of a call together.

    The n-th wait is about `wait_seconds_first` times 2 to the n, at most `wait_seconds_max`. If
    a server requests a longer wait, there is no further try.
    """

    retries: int
    deadline_seconds: float
    wait_seconds_first: float
    wait_seconds_max: float


class RetryableError(Exception):
    """A transient error; `retry_after_seconds` is the wait that the server requested."""

    def __init__(self, detail: str, *, retry_after_seconds: float | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.retry_after_seconds = retry_after_seconds


class RetriesExhausted(Exception):
    """All tries failed; the message says which limit was reached."""


def retry(
    send: Callable[[float], _Reply],
    policy: RetryPolicy,
    *,
    jitter: Callable[[int], float],
    setbacks: list[str],
) -> _Reply:
    """Return the result of `send`, which is repeated after each RetryableError.

    :param send: gets the seconds until the deadline.
    :param jitter: returns a number in [0, 1) for each wait.
    :param setbacks: the details of the errors are appended, also if the last try succeeds.
    :raises RetriesExhausted: when the retries or the time are used up.
    """
    ends_at = time.monotonic() + policy.deadline_seconds
    number = 0
    while True:
        # A wait can last longer than requested, and take the rest of the time.
        seconds_left = ends_at - time.monotonic()
        if seconds_left <= 0:
            raise RetriesExhausted(_tried_for(policy))
        try:
            return send(seconds_left)
        except RetryableError as error:
            setbacks.append(error.detail)
            wait = wait_seconds(error, number, policy, jitter(number))
            why = _limit_reached(error, number, policy, ends_at - wait)
            if why:
                raise RetriesExhausted(why) from error
        number += 1
        time.sleep(wait)


def wait_seconds(
    error: RetryableError, number: int, policy: RetryPolicy, jitter: float
) -> float:
    """Return the wait after an error; `number` counts the errors before it.

    Jitter lengthens a wait that the server requested, and shortens others.
    """
    if error.retry_after_seconds is not None:
        return error.retry_after_seconds * (1.0 + JITTER_SHARE * jitter)
    longest = min(policy.wait_seconds_first * 2.0**number, policy.wait_seconds_max)
    return longest * (1.0 - JITTER_SHARE * jitter)


def _limit_reached(
    error: RetryableError, number: int, policy: RetryPolicy, starts_by: float
) -> str:
    """Return the limit that forbids another try, which would have to start by then, or ""."""
    requested = error.retry_after_seconds or 0.0
    if number >= policy.retries:
        return f"tried {number + 1} times"
    if requested > policy.wait_seconds_max:
        return f"it requests a wait of {requested:.0f} seconds"
    if time.monotonic() >= starts_by:
        return _tried_for(policy)
    return ""


def _tried_for(policy: RetryPolicy) -> str:
    return f"tried for {policy.deadline_seconds:g} seconds"
