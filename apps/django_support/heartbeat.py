"""Periodic calls, and rows that a process holds by its heartbeat while it works on them."""

import math
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Model
from django.utils import timezone

logger = structlog.get_logger(__name__)


class PeriodicThread:
    """Calls a function at once and then every `seconds`, from `start` to `stop`."""

    def __init__(self, name: str, seconds: float, call: Callable[[], None]) -> None:
        self._name = name
        self._seconds = seconds
        self._call = call
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread."""
        self._stopped.clear()
        self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, and wait for the end of its last call."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                self._call()
            except (DatabaseError, InterfaceError) as error:
                logger.warning("periodic call failed", call=self._name, error=str(error))
            finally:
                connection.close()
            if self._stopped.wait(self._seconds):
                return


HEARTBEAT_SECONDS = 3.0
LAPSE_SECONDS = 15.0
"""A process whose last heartbeat is older counts as lost; another one continues its work.

It holds for turns, leases, background work and requests with an Idempotency-Key. It is no bound
of a model call: the heartbeat has its own thread.
"""


def lapse_limit() -> datetime:
    """Return the time before which a heartbeat has lapsed."""
    return timezone.now() - timedelta(seconds=LAPSE_SECONDS)


def seconds_until_lapse(seen_at: datetime) -> int:
    """Return after how many seconds a heartbeat lapses, rounded up; at least 1."""
    return max(1, math.ceil((seen_at - lapse_limit()).total_seconds()))


class _HeldRows:
    """The rows that this process holds, by model and key."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holds: Counter[tuple[type[Model], object]] = Counter()
        self._thread: PeriodicThread | None = None

    def add(self, model: type[Model], key: object) -> None:
        """Renew the row from now on; the first call starts the thread."""
        with self._lock:
            self._holds[model, key] += 1
            if self._thread is None:
                self._thread = PeriodicThread("held rows", HEARTBEAT_SECONDS, self._renew)
                self._thread.start()

    def remove(self, model: type[Model], key: object) -> None:
        """Renew the row no longer."""
        with self._lock:
            self._holds[model, key] -= 1
            self._holds = +self._holds

    def has(self, model: type[Model], key: object) -> bool:
        """Return whether this process holds the row."""
        return (model, key) in self._holds

    def _renew(self) -> None:
        keys = defaultdict(list)
        with self._lock:
            for model, key in self._holds:
                keys[model].append(key)
        for model, held in keys.items():
            rows = model._default_manager.filter(pk__in=held, seen_at__isnull=False)
            with transaction.atomic():
                # A row that another transaction changes now is renewed the next time.
                free = rows.select_for_update(skip_locked=True).values_list("pk", flat=True)
                rows.filter(pk__in=list(free)).update(seen_at=timezone.now())


_HELD = _HeldRows()


@contextmanager
def held(model: type[Model], key: object) -> Iterator[None]:
    """Renew `seen_at` of a row while the block runs, unless it is None."""
    _HELD.add(model, key)
    try:
        yield
    finally:
        _HELD.remove(model, key)


def is_held_here(model: type[Model], key: object) -> bool:
    """Return whether this process holds the row, though its heartbeat may have lapsed.

    That happens if the database is away for longer than a lapse.
    """
    return _HELD.has(model, key)
