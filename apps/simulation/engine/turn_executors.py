"""Executes ready turns in this process, in order or on threads; `apps.worker` adds Celery."""

import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

from django.db import connection

from apps.eventlog.event import Event
from apps.kernel.errors import DomainError, SmallvilleError, problem_of_error
from apps.llm.port import BudgetSpent, ModelMisconfigured, ModelUnavailable


@dataclass(frozen=True, slots=True, order=True)
class ReadyTurn:
    """A turn that is due and that the lookahead policy allows."""

    tick: int
    agent: str


Written: TypeAlias = frozenset[type[Event]] | None
Execute: TypeAlias = Callable[[ReadyTurn], Written]


@dataclass(frozen=True, slots=True)
class ExecutedTurn:
    """A turn that was executed, and the error of a failure.

    `written` are the types of its events, None if the executor does not know them; `attempts`
    is how often it was tried, as far as the executor knows.
    """

    turn: ReadyTurn
    error: Exception | None = None
    written: Written = None
    attempts: int = 0


class TurnFailed(SmallvilleError):
    """A turn that failed in a worker; the message names agent, tick and reason."""


class TurnAbandoned(DomainError):
    """A turn that failed in a worker with an error that another attempt repeats."""


# Their messages are complete: in which turn the error occurred is chance.
_ERRORS_OF_THE_SIMULATION = (
    TurnFailed,
    TurnAbandoned,
    BudgetSpent,
    ModelMisconfigured,
    ModelUnavailable,
)


def failure_reason(turn: ReadyTurn, error: Exception) -> str:
    """Return why the turn failed, for the users of the simulation."""
    if isinstance(error, _ERRORS_OF_THE_SIMULATION):
        return error.message
    return f"{turn.agent} at tick {turn.tick}: {problem_of_error(error)[1]}"


class TurnExecutor(ABC):
    """Executes submitted turns, in any order; after an outage a turn may be collected twice."""

    @abstractmethod
    def start(self) -> list[ReadyTurn]:
        """Return the turns that were submitted before and have not been collected."""

    @abstractmethod
    def submit(self, turn: ReadyTurn) -> None:
        """Have the turn executed."""

    @abstractmethod
    def collect(self) -> list[ExecutedTurn]:
        """Return turns that have been executed; does not wait for any."""

    @abstractmethod
    def withdraw(self) -> list[ReadyTurn]:
        """Take back the turns whose execution has not begun, and return them."""

    def resubmit_lapsed(self) -> None:
        """Submit turns again whose worker has died; in this process none can."""
        return


class LocalExecutor(TurnExecutor):
    """Executes turns in this process."""

    @abstractmethod
    def wait(self, timeout_seconds: float) -> None:
        """Wait until there may be something to collect, or for the time given."""

    @abstractmethod
    def close(self) -> None:
        """Wait for the turns in work; those that have not begun are dropped."""


class SequentialExecutor(LocalExecutor):
    """Executes turns in the caller's thread, in the order of (tick, agent)."""

    def __init__(self, execute: Execute) -> None:
        self._execute = execute
        self._queue: deque[ReadyTurn] = deque()

    def start(self) -> list[ReadyTurn]:
        """Drop the queue; the scheduler submits its turns again."""
        self._queue.clear()
        return []

    def submit(self, turn: ReadyTurn) -> None:
        """Queue the turn."""
        self._queue.append(turn)

    def collect(self) -> list[ExecutedTurn]:
        """Execute the next turn, if there is one."""
        return [_executed(self._execute, self._queue.popleft())] if self._queue else []

    def withdraw(self) -> list[ReadyTurn]:
        """Empty the queue, and return its turns."""
        withdrawn = list(self._queue)
        self._queue.clear()
        return withdrawn

    def wait(self, timeout_seconds: float) -> None:
        """Return at once if a turn is queued."""
        if not self._queue:
            time.sleep(timeout_seconds)

    def close(self) -> None:
        """Drop the queue."""
        self._queue.clear()


class ThreadExecutor(LocalExecutor):
    """Executes turns on a pool of threads of this process."""

    def __init__(
        self,
        execute: Execute,
        *,
        threads: int,
        on_executed: Callable[[], None] = lambda: None,
    ) -> None:
        """Take the function that executes a turn; `on_executed` is called after each."""
        self._execute = execute
        self._on_executed = on_executed
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="turn")
        self._executed: deque[ExecutedTurn] = deque()
        self._has_executed = threading.Event()
        self._in_work: dict[ReadyTurn, Future[None]] = {}

    def start(self) -> list[ReadyTurn]:
        """Return the turns that an earlier scheduler has submitted."""
        return sorted(self._in_work)

    def submit(self, turn: ReadyTurn) -> None:
        """Give the turn to the pool."""
        self._in_work[turn] = self._pool.submit(self._work, turn)

    def collect(self) -> list[ExecutedTurn]:
        """Return the turns that have been executed since the last call."""
        self._has_executed.clear()
        collected = [self._executed.popleft() for _ in range(len(self._executed))]
        for executed in collected:
            self._in_work.pop(executed.turn, None)
        return collected

    def withdraw(self) -> list[ReadyTurn]:
        """Cancel the turns that the pool has not begun, and return them."""
        withdrawn = [turn for turn, future in self._in_work.items() if future.cancel()]
        for turn in withdrawn:
            del self._in_work[turn]
        return withdrawn

    def wait(self, timeout_seconds: float) -> None:
        """Wait for the first turn that has been executed."""
        self._has_executed.wait(timeout_seconds)

    def close(self) -> None:
        """Wait for the turns in work; cancel the others."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _work(self, turn: ReadyTurn) -> None:
        try:
            self._executed.append(_executed(self._execute, turn))
        finally:
            # Threads outnumber the connections of the pool.
            connection.close()
            self._has_executed.set()
            self._on_executed()


def _executed(execute: Execute, turn: ReadyTurn) -> ExecutedTurn:
    try:
        written = execute(turn)
    except Exception as error:
        return ExecutedTurn(turn, error)
    return ExecutedTurn(turn, written=written)
