"""How turns are executed: one by one or on threads of this process; `worker` adds Celery."""

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from django.db import connection

from apps.kernel.errors import DomainError, SmallvilleError
from apps.llm.port import BudgetSpent, ModelMisconfigured, ModelUnavailable


@dataclass(frozen=True, slots=True, order=True)
class ReadyTurn:
    """A turn that is due and free."""

    tick: int
    agent: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A turn that was executed, with the error that it failed with, if it did.

    `attempts` is how often it was tried, as far as the executor knows.
    """

    turn: ReadyTurn
    error: Exception | None = None
    attempts: int = 0


class TurnFailed(SmallvilleError):
    """A turn that failed elsewhere; the message says whose, when and why."""


class TurnAbandoned(DomainError):
    """A turn that failed elsewhere, in a way that trying again does not mend."""


# What says all there is to say: whose turn it came up in is chance.
_OF_THE_WHOLE_TOWN = (
    TurnFailed,
    TurnAbandoned,
    BudgetSpent,
    ModelMisconfigured,
    ModelUnavailable,
)


def reason_of(turn: ReadyTurn, error: Exception) -> str:
    """Return why the turn failed, for people."""
    if isinstance(error, _OF_THE_WHOLE_TOWN):
        return error.message
    return f"{turn.agent} at tick {turn.tick}: {str(error) or type(error).__name__}"


class TurnExecutor(Protocol):
    """Has turns executed; each is collected later, in any order, after an outage even twice."""

    def start(self) -> list[ReadyTurn]:
        """Return the turns that were submitted before and have not been collected."""
        ...

    def submit(self, turn: ReadyTurn) -> None:
        """Have the turn executed."""
        ...

    def collect(self) -> list[Finished]:
        """Return turns that have been executed; does not wait for any."""
        ...

    def withdraw(self) -> list[ReadyTurn]:
        """Take back the turns whose execution has not begun, and return them."""
        ...

    def resubmit_lapsed(self) -> None:
        """Have turns executed again whose worker has died."""
        ...


class LocalExecutor(TurnExecutor, Protocol):
    """Executes turns in this process."""

    def wait(self, timeout_seconds: float) -> None:
        """Wait until there may be something to collect, or the time is over."""
        ...

    def close(self) -> None:
        """Wait for the turns in work; those that have not begun are dropped."""
        ...


Execute = Callable[[ReadyTurn], None]


class SequentialExecutor:
    """Executes turns in the caller's thread, in the order of (tick, agent)."""

    def __init__(self, execute: Execute) -> None:
        """Take the function that executes a turn."""
        self._execute = execute
        self._due: deque[ReadyTurn] = deque()

    def start(self) -> list[ReadyTurn]:
        """Return nothing: what was queued before is submitted anew."""
        self._due.clear()
        return []

    def submit(self, turn: ReadyTurn) -> None:
        """Queue the turn."""
        self._due.append(turn)

    def collect(self) -> list[Finished]:
        """Execute the next turn, if there is one."""
        return [_executed(self._execute, self._due.popleft())] if self._due else []

    def withdraw(self) -> list[ReadyTurn]:
        """Return the turns that were queued; none of them has begun."""
        withdrawn = list(self._due)
        self._due.clear()
        return withdrawn

    def resubmit_lapsed(self) -> None:
        """Do nothing: a turn dies with its scheduler here."""

    def wait(self, timeout_seconds: float) -> None:
        """Return at once if a turn is queued."""
        if not self._due:
            time.sleep(timeout_seconds)

    def close(self) -> None:
        """Forget what was queued."""
        self._due.clear()


class ThreadExecutor:
    """Executes turns on a pool of threads of this process."""

    def __init__(
        self,
        execute: Execute,
        *,
        threads: int,
        on_executed: Callable[[], None] = lambda: None,
    ) -> None:
        """Take the function that executes a turn, how many run at once, and who is told."""
        self._execute = execute
        self._on_executed = on_executed
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="turn")
        self._executed: deque[Finished] = deque()
        self._has_executed = threading.Event()
        self._in_work: dict[ReadyTurn, Future[None]] = {}

    def start(self) -> list[ReadyTurn]:
        """Return what was submitted before the scheduler was replaced."""
        return sorted(self._in_work)

    def submit(self, turn: ReadyTurn) -> None:
        """Give the turn to the pool."""
        self._in_work[turn] = self._pool.submit(self._work, turn)

    def collect(self) -> list[Finished]:
        """Return the turns that have been executed since the last time."""
        self._has_executed.clear()
        collected = [self._executed.popleft() for _ in range(len(self._executed))]
        for finished in collected:
            self._in_work.pop(finished.turn, None)
        return collected

    def withdraw(self) -> list[ReadyTurn]:
        """Return the turns that the pool has not begun; it will not."""
        withdrawn = [turn for turn, future in self._in_work.items() if future.cancel()]
        for turn in withdrawn:
            del self._in_work[turn]
        return withdrawn

    def resubmit_lapsed(self) -> None:
        """Do nothing: a turn dies with its scheduler here."""

    def wait(self, timeout_seconds: float) -> None:
        """Wait for the first turn that has been executed."""
        self._has_executed.wait(timeout_seconds)

    def close(self) -> None:
        """Wait for the turns in work; those not begun are dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _work(self, turn: ReadyTurn) -> None:
        try:
            self._executed.append(_executed(self._execute, turn))
        finally:
            # Back to the pool: threads outnumber connections.
            connection.close()
            self._has_executed.set()
            self._on_executed()


def _executed(execute: Execute, turn: ReadyTurn) -> Finished:
    try:
        execute(turn)
    except Exception as error:
        return Finished(turn, error)
    return Finished(turn)
