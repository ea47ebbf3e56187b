"""The doorbell between processes: PostgreSQL's NOTIFY, and one connection that listens."""

from types import TracebackType
from uuid import UUID

import psycopg
from django.db import connection

TURNS_CHANNEL = "smallville_turns"


def ring(simulation_id: UUID) -> None:
    """Say, when the transaction commits, that a turn of the simulation has come back."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [TURNS_CHANNEL, str(simulation_id)])


class Listener:
    """Listens for the bell on a connection of its own, outside the pool."""

    def __init__(self) -> None:
        """Connect and listen."""
        parameters = connection.get_connection_params()
        for name in ("cursor_factory", "context", "prepare_threshold", "pool"):
            parameters.pop(name, None)
        self._connection = psycopg.connect(**parameters, autocommit=True)
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
