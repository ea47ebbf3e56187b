"""A thread that records, every few seconds, that this worker process is alive."""

import threading

import structlog
from django.db import DatabaseError, InterfaceError, connection

from apps.simulation.models import ProcessRow
from apps.simulation.processes import (
    HEARTBEAT_SECONDS,
    forget_process,
    process_name,
    record_heartbeat,
)

logger = structlog.get_logger(__name__)


class WorkerHeartbeat:
    """The heartbeat of one worker process, from `start` to `stop`."""

    def __init__(self, *, threads: int) -> None:
        """Take the number of turns that the process executes at once."""
        self.name = process_name()
        self._threads = threads
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Record the process at once, and again and again from a thread."""
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
            forget_process(self.name)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("process not forgotten", error=str(error))
        finally:
            connection.close()

    def _record(self) -> None:
        try:
            record_heartbeat(ProcessRow.Kind.WORKER, self.name, threads=self._threads)
        except (DatabaseError, InterfaceError) as error:
            # The next heartbeat is recorded if the database is back by then.
            logger.warning("heartbeat not recorded", error=str(error))
            connection.close()
