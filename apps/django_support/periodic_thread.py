"""A thread that calls a function periodically, through outages of the database."""

import threading
from collections.abc import Callable

import structlog
from django.db import DatabaseError, InterfaceError, connection

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
