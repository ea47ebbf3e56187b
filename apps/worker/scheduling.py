"""A scheduler process: schedules many simulations, and sleeps until a step of one is due.

The main thread has a heap of wake times, renews the leases, and executes the calls that other
threads put into its inbox. A few threads execute the steps (`SimulationScheduler.step`), one
step of a simulation at a time and first come, first served, so that a slow step delays no other
simulation, and one that fails affects its own simulation only. A simulation at rest is
forgotten; one that waits for its pace, for a turn or for a user occupies no thread.
"""

import heapq
import queue
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

import psycopg
import structlog
from django.db import DatabaseError, InterfaceError, connection

from apps.django_support.heartbeat import HEARTBEAT_SECONDS, LAPSE_SECONDS
from apps.django_support.notify import listening_parameters, notifications_arrive
from apps.simulation.engine.lease import renew_leases
from apps.simulation.engine.pace import RealTime
from apps.simulation.engine.turn_claims import (
    forget_process,
    record_heartbeat,
)
from apps.simulation.models import ProcessRow
from apps.simulation.notifications import SCHEDULERS_CHANNEL, Reason
from apps.simulation.queries import list_due
from apps.worker.stepping import OpenScheduler, Scheduled, step

STEP_THREADS = 4
POLL_SECONDS = 2.0
"""How often simulations without a scheduler are searched, should a notification be lost."""
STOP_SECONDS = 8.0

logger = structlog.get_logger(__name__)

_DATABASE_AWAY = (DatabaseError, InterfaceError, psycopg.Error)


@dataclass(slots=True)
class Entry:
    """A simulation of this process: its scheduler, and when the next step is due."""

    scheduled: Scheduled
    due_at: float
    is_stepping: bool = False
    is_woken: bool = False
    has_requests: bool = True


@dataclass(slots=True)
class SchedulerProcess:
    """The loop of a scheduler process, until `stop`."""

    name: str
    open_scheduler: OpenScheduler
    time: RealTime = field(default_factory=RealTime)
    step_threads: int = STEP_THREADS
    _inbox: "queue.SimpleQueue[Callable[[], None]]" = field(default_factory=queue.SimpleQueue)
    _entries: dict[UUID, Entry] = field(default_factory=dict)
    _heap: list[tuple[float, UUID]] = field(default_factory=list)
    _retry_at: dict[UUID, float] = field(default_factory=dict)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _chores: dict[str, float] = field(default_factory=dict)

    def notify(self, simulation_id: UUID, reason: Reason) -> None:
        """Wake a simulation; may be called from any thread."""
        self._inbox.put(partial(self._wake, simulation_id, reason))

    def resync(self) -> None:
        """Read all schedule states again; may be called from any thread.

        Notifications may have been missed, and the database server may have crashed.
        """
        self._inbox.put(self._reload_all)

    def stop(self) -> None:
        """End `run` soon; may be called from a signal handler."""
        self._stopped.set()
        self._inbox.put(lambda: None)

    def run(self) -> None:
        """Schedule until stopped; then release the leases, so that others continue at once."""
        with ThreadPoolExecutor(self.step_threads, thread_name_prefix="step") as pool:
            while not self._stopped.is_set():
                self._do_chores()
                self._start_due_steps(pool)
                self._receive(self._seconds_to_wait())
            self._finish_steps()
        for entry in self._entries.values():
            entry.scheduled.release()
        self._guarded(lambda: forget_process(self.name))
        connection.close()

    # --- Calls of other threads -------------------------------------------------------------

    def _receive(self, seconds: float) -> None:
        """Wait for a call in the inbox at most so long, and execute all that are there."""
        try:
            call = self._inbox.get(timeout=seconds)
            while True:
                call()
                call = self._inbox.get_nowait()
        except queue.Empty:
            return

    def _reload_all(self) -> None:
        self._chores.pop("poll", None)
        for simulation_id, entry in self._entries.items():
            entry.scheduled.is_stale = True
            self._wake(simulation_id, Reason.REQUEST)

    def _wake(self, simulation_id: UUID, reason: Reason) -> None:
        entry = self._entries.get(simulation_id)
        if entry is None:
            if reason is Reason.REQUEST:
                self._search(simulation_id)
            return
        entry.is_woken = True
        entry.has_requests = entry.has_requests or reason is Reason.REQUEST
        if not entry.is_stepping:
            self._schedule(simulation_id, entry, self.time.monotonic())

    def _search(self, simulation_id: UUID) -> None:
        """Check at once whether the simulation is to be scheduled."""
        self._retry_at.pop(simulation_id, None)
        self._chores.pop("poll", None)

    def _after_step(self, simulation_id: UUID, seconds: float | None) -> None:
        entry, now = self._entries[simulation_id], self.time.monotonic()
        entry.is_stepping = False
        if seconds is None:
            del self._entries[simulation_id]
            self._retry_at[simulation_id] = now + entry.scheduled.retry_seconds
            if entry.has_requests:
                self._search(simulation_id)
            return
        self._schedule(simulation_id, entry, now if entry.is_woken else now + seconds)

    # --- Steps -----------------------------------------------------------------------------

    def _schedule(self, simulation_id: UUID, entry: Entry, due_at: float) -> None:
        entry.due_at = due_at
        heapq.heappush(self._heap, (due_at, simulation_id))

    def _start_due_steps(self, pool: ThreadPoolExecutor) -> None:
        now = self.time.monotonic()
        while self._heap and self._heap[0][0] <= now:
            due_at, simulation_id = heapq.heappop(self._heap)
            entry = self._entries.get(simulation_id)
            if entry is None or entry.is_stepping or entry.due_at != due_at:
                continue  # rescheduled since, or at rest
            entry.is_stepping, entry.is_woken = True, False
            has_requests, entry.has_requests = entry.has_requests, False
            pool.submit(self._step, simulation_id, entry.scheduled, has_requests)

    def _step(self, simulation_id: UUID, scheduled: Scheduled, has_requests: bool) -> None:
        seconds = step(scheduled, has_requests=has_requests)
        self._inbox.put(partial(self._after_step, simulation_id, seconds))

    def _finish_steps(self) -> None:
        ends_at = self.time.monotonic() + STOP_SECONDS
        while any(entry.is_stepping for entry in self._entries.values()):
            left = ends_at - self.time.monotonic()
            if left <= 0:
                return
            self._receive(left)

    def _seconds_to_wait(self) -> float:
        now = self.time.monotonic()
        due = [*self._chores.values(), *(at for at, _ in self._heap[:1])]
        return max(0.0, min(due, default=now) - now)

    # --- Leases and heartbeats -------------------------------------------------------------

    def _do_chores(self) -> None:
        self._do_when_due("heartbeat", HEARTBEAT_SECONDS, self._record_heartbeat)
        self._do_when_due("renewal", HEARTBEAT_SECONDS, self._renew_leases)
        self._do_when_due("poll", POLL_SECONDS, self._add_due)

    def _do_when_due(self, chore: str, seconds: float, do: Callable[[], None]) -> None:
        now = self.time.monotonic()
        if now >= self._chores.get(chore, now):
            self._chores[chore] = now + seconds
            self._guarded(do)

    def _guarded(self, do: Callable[[], None]) -> None:
        try:
            do()
        except _DATABASE_AWAY as error:
            # The chore is repeated when it is due again; a lease may lapse before.
            logger.warning("database away", error=str(error))
            connection.close()

    def _record_heartbeat(self) -> None:
        record_heartbeat(ProcessRow.Kind.SCHEDULER, self.name)

    def _renew_leases(self) -> None:
        began = self.time.monotonic()
        taken = [key for key, entry in self._entries.items() if entry.scheduled.lease_ends_at]
        renewed, lost = renew_leases(taken, self.name)
        for simulation_id in renewed:
            self._entries[simulation_id].scheduled.lease_ends_at = began + LAPSE_SECONDS
        for simulation_id in lost:
            self._entries[simulation_id].scheduled.lease_ends_at = began
            self._wake(simulation_id, Reason.REQUEST)

    def _add_due(self) -> None:
        """Add the simulations that are to be scheduled; the first step takes the lease."""
        now = self.time.monotonic()
        self._retry_at = {key: at for key, at in self._retry_at.items() if at > now}
        for simulation_id in list_due(self.name):
            if simulation_id in self._entries or simulation_id in self._retry_at:
                continue
            scheduled = Scheduled(
                simulation_id, self.name, self.open_scheduler, self.time.monotonic
            )
            entry = self._entries[simulation_id] = Entry(scheduled, now)
            self._schedule(simulation_id, entry, now)


STOP_CHECK_SECONDS = 1.0
RECONNECT_SECONDS = 1.0


class Listener:
    """Calls functions for notifications from a thread, and connects again after an outage."""

    def __init__(
        self,
        on_notification: Callable[[UUID, Reason], None],
        on_connected: Callable[[], None],
    ) -> None:
        """Take the functions for each notification, and for each new connection."""
        self._on_notification = on_notification
        self._on_connected = on_connected
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Close the connection, within a second."""
        self._stopped.set()
        self._thread.join()

    def _listen(self) -> None:
        while not self._stopped.is_set():
            try:
                self._listen_until_stopped()
            except psycopg.Error as error:
                logger.warning("not listening", error=str(error))
                self._stopped.wait(RECONNECT_SECONDS)

    def _listen_until_stopped(self) -> None:
        with psycopg.connect(**listening_parameters(), autocommit=True) as connection:
            connection.execute(f"LISTEN {SCHEDULERS_CHANNEL}")
            self._on_connected()
            notifications_arrive()  # logs a warning if they do not
            while not self._stopped.is_set():
                for notification in connection.notifies(timeout=STOP_CHECK_SECONDS):
                    self._pass_on(notification.payload)
                    if self._stopped.is_set():
                        return

    def _pass_on(self, payload: str) -> None:
        reason, _, simulation_id = payload.partition(" ")
        try:
            self._on_notification(UUID(simulation_id), Reason(reason))
        except ValueError:
            logger.warning("malformed notification", payload=payload[:200])
