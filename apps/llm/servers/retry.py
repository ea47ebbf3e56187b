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

    The n-th wait is about `wait_seconds_first` times 2 to the n, at most `wait_seconds_max`, or
    the one that the server requests. There is no further try if it ends after the deadline, or
    after `retries` failures. A server that is busy has not failed.
    """

    retries: int
    deadline_seconds: float
    wait_seconds_first: float
    wait_seconds_max: float


class RetryableError(Exception):
    """A transient error; `retry_after_seconds` is the wait that the server requested.

    `is_busy` says that the server has no time now, as when it limits the rate of calls.
    `setting` is the one of the server that the error is about, if there is one.
    """

    def __init__(
        self,
        detail: str,
        *,
        retry_after_seconds: float | None = None,
        is_busy: bool = False,
        setting: str = "",
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.retry_after_seconds = retry_after_seconds
        self.is_busy = is_busy
        self.setting = setting


class RetriesExhausted(Exception):
    """All tries failed; the message says which limit was reached.

    `setting` is that of the last error.
    """

    def __init__(self, why: str, setting: str) -> None:
        super().__init__(why)
        self.setting = setting


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
    number = failures = 0
    setting = ""
    while True:
        # A wait can last longer than requested, and take the rest of the time.
        seconds_left = ends_at - time.monotonic()
        if seconds_left <= 0:
            raise RetriesExhausted(_tried_for(policy), setting)
        try:
            return send(seconds_left)
        except RetryableError as error:
            setbacks.append(error.detail)
            setting = error.setting
            wait = wait_seconds(error, number, policy, jitter(number))
            failures += not error.is_busy
            if why := _limit_reached(error, failures, policy, ends_at - wait):
                raise RetriesExhausted(why, setting) from error
        number += 1
        time.sleep(wait)


def wait_seconds(
    error: RetryableError, number: int, policy: RetryPolicy, jitter: float
) -> float:
    """Return the wait after an error; `number` counts the errors before it.

    Jitter lengthens a wait that the server requested, and shortens others. A requested wait
    that was too short grows like the others.
    """
    longest = min(policy.wait_seconds_first * 2.0**number, policy.wait_seconds_max)
    own = longest * (1.0 - JITTER_SHARE * jitter)
    if error.retry_after_seconds is None:
        return own
    requested = error.retry_after_seconds
    requested += JITTER_SHARE * jitter * min(requested, policy.wait_seconds_max)
    return max(requested, own if number else 0.0)


def _limit_reached(
    error: RetryableError, failures: int, policy: RetryPolicy, starts_by: float
) -> str:
    """Return the limit that forbids another try, which would have to start by then, or ""."""
    if failures > policy.retries:
        return f"tried {failures} times"
    if time.monotonic() < starts_by:
        return ""
    requested = error.retry_after_seconds or 0.0
    if requested > policy.wait_seconds_max:
        return (
            f"it requests a wait of {requested:.0f} seconds, and a call may take "
            f"{policy.deadline_seconds:g}"
        )
    return _tried_for(policy)


def _tried_for(policy: RetryPolicy) -> str:
    return f"tried for {policy.deadline_seconds:g} seconds"
