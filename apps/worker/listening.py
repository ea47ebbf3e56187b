"""Listens for the notifications to schedulers, on one connection of the process."""

import threading
from collections.abc import Callable
from uuid import UUID

import psycopg
import structlog

from apps.django_support.notify import listening_parameters, notifications_arrive
from apps.simulation.notifications import SCHEDULERS_CHANNEL, Reason

STOP_CHECK_SECONDS = 1.0
RECONNECT_SECONDS = 1.0

logger = structlog.get_logger(__name__)


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
