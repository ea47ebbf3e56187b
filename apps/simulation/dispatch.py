"""How turns are handed out and come back: one by one, or on threads; `worker` adds Celery."""

import queue
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from django.db import connection

from apps.kernel.errors import Refusal, SmallvilleError
from apps.llm.port import BudgetSpent, ModelMisconfigured, ModelUnavailable


@dataclass(frozen=True, slots=True, order=True)
class DueTurn:
    """A turn that is due and free."""

    tick: int
    agent: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A turn that came back, with the error that it failed with, if it did.

    `attempts` is how often it has been tried, as far as the dispatcher remembers.
    """

    turn: DueTurn
    error: Exception | None = None
    attempts: int = 0


class TurnFailed(SmallvilleError):
    """A turn that failed elsewhere; the message says whose, when and why."""


class TurnGivenUp(Refusal):
    """A turn that failed elsewhere, in a way that trying again does not mend."""


# What says all there is to say: whose turn it came up in is chance.
_OF_THE_WHOLE_TOWN = (
    TurnFailed,
    TurnGivenUp,
    BudgetSpent,
    ModelMisconfigured,
    ModelUnavailable,
)


def reason_of(turn: DueTurn, error: Exception) -> str:
    """Return why the turn failed, for people."""
    if isinstance(error, _OF_THE_WHOLE_TOWN):
        return error.message
    return f"{turn.agent} at tick {turn.tick}: {str(error) or type(error).__name__}"


class Dispatcher(Protocol):
    """Hands out turns; each comes back, in any order, after an outage even twice."""

    def start(self) -> list[DueTurn]:
        """Return the turns that were handed out before and have not come back."""
        ...

    def hand_out(self, turn: DueTurn) -> None:
        """Have the turn taken."""
        ...

    def finished(self, timeout_seconds: float) -> list[Finished]:
        """Wait for turns that come back; an empty list when the time is over."""
        ...

    def close(self) -> None:
        """Give back what is held; turns in work may go on."""
        ...


Take = Callable[[DueTurn], None]


class OneByOne:
    """Takes turns in the caller's thread, in the order of (tick, agent)."""

    def __init__(self, take: Take) -> None:
        """Take the function that takes a turn."""
        self._take = take
        self._due: deque[DueTurn] = deque()

    def start(self) -> list[DueTurn]:
        """Nothing is in work when it starts; what was queued before is handed out anew."""
        self._due.clear()
        return []

    def hand_out(self, turn: DueTurn) -> None:
        """Queue the turn."""
        self._due.append(turn)

    def finished(self, timeout_seconds: float) -> list[Finished]:
        """Take the next turn, if there is one."""
        del timeout_seconds
        return [_taken(self._take, self._due.popleft())] if self._due else []

    def close(self) -> None:
        """Forget what was queued and not begun."""
        self._due.clear()


class OnThreads:
    """Takes turns on a pool of threads of this process."""

    def __init__(self, take: Take, *, threads: int) -> None:
        """Take the function that takes a turn, and how many run at once."""
        self._take = take
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="turn")
        self._back: queue.SimpleQueue[Finished] = queue.SimpleQueue()
        self._in_work: set[DueTurn] = set()

    def start(self) -> list[DueTurn]:
        """Return what was handed out before the conductor was replaced."""
        return sorted(self._in_work)

    def hand_out(self, turn: DueTurn) -> None:
        """Give the turn to the pool."""
        self._in_work.add(turn)
        self._pool.submit(self._work, turn)

    def finished(self, timeout_seconds: float) -> list[Finished]:
        """Wait for the first turn that comes back, and take all that have."""
        try:
            back = [self._back.get(timeout=timeout_seconds)]
        except queue.Empty:
            return []
        while not self._back.empty():
            back.append(self._back.get())
        self._in_work.difference_update(finished.turn for finished in back)
        return back

    def close(self) -> None:
        """Wait for the turns in work; those not begun are dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _work(self, turn: DueTurn) -> None:
        try:
            self._back.put(_taken(self._take, turn))
        finally:
            # Back to the pool: threads outnumber connections.
            connection.close()


def _taken(take: Take, turn: DueTurn) -> Finished:
    try:
        take(turn)
    except Exception as error:
        return Finished(turn, error)
    return Finished(turn)
