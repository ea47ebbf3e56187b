"""The doorbell between processes: PostgreSQL's NOTIFY, and one connection that listens."""

from types import TracebackType
from uuid import UUID

import psycopg

from apps.django_support import bell

TURNS_CHANNEL = "smallville_turns"


def ring(simulation_id: UUID) -> None:
    """Say, when the transaction commits, that a turn of the simulation has come back."""
    bell.ring(TURNS_CHANNEL, str(simulation_id))


class Listener:
    """Listens for the bell on a connection of its own, outside the pool."""

    def __init__(self) -> None:
        """Connect and listen."""
        self._connection = psycopg.connect(**bell.listening_parameters(), autocommit=True)
        self._connection.execute(f"LISTEN {TURNS_CHANNEL}")

    def wait(self, timeout_seconds: float) -> bool:
        """Return whether the bell rang before the time was over."""
        for _ in self._connection.notifies(timeout=timeout_seconds, stop_after=1):
            return True
        return False

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> "Listener":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
