"""The heartbeat of a worker process, recorded by a thread every few seconds."""

import threading
from collections.abc import Callable, Collection

import structlog
from django.db import DatabaseError, InterfaceError, connection

from apps.simulation.engine.process_heartbeats import (
    HEARTBEAT_SECONDS,
    forget_process,
    record_heartbeat,
)
from apps.simulation.models import ProcessRow
from apps.worker.claims import keep_claims

logger = structlog.get_logger(__name__)


class WorkerHeartbeat:
    """The heartbeat of a worker process and of the turns that it has claimed."""

    def __init__(
        self, name: str, *, threads: int, claimed: Callable[[], Collection[int]]
    ) -> None:
        """Take the process's name, its number of threads, and the ids of the claimed turns."""
        self._name = name
        self._claimed = claimed
        self._threads = threads
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Record the process now and then periodically, from a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and delete the row of the process."""
        self._stopped.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while True:
                self._record()
                if self._stopped.wait(HEARTBEAT_SECONDS):
                    break
            forget_process(self._name)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("process not forgotten", error=str(error))
        finally:
            connection.close()

    def _record(self) -> None:
        try:
            record_heartbeat(ProcessRow.Kind.WORKER, self._name, threads=self._threads)
            keep_claims(self._name, self._claimed())
        except (DatabaseError, InterfaceError) as error:
            # The next heartbeat is recorded if the database is back by then.
            logger.warning("heartbeat not recorded", error=str(error))
            connection.close()
