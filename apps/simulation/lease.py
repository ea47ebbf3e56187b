"""The right to conduct a simulation: one holder at a time, taken over when it lapses."""

import threading
from datetime import timedelta
from types import TracebackType
from uuid import UUID

import structlog
from django.db import OperationalError, connection
from django.db.models import Q
from django.utils import timezone

from apps.simulation.models import SimulationRow
from apps.simulation.queries import LeaseLost

LEASE_SECONDS = 15.0
RENEWALS_PER_LEASE = 5

logger = structlog.get_logger(__name__)


class Lease:
    """Held for as long as the block runs, and renewed meanwhile by a thread of its own."""

    def __init__(self, simulation_id: UUID, holder: str) -> None:
        """Prepare; nothing is taken yet."""
        self._simulation_id = simulation_id
        self._holder = holder
        self._over = threading.Event()
        self.is_lost = False
        self._thread = threading.Thread(target=self._renew, name="lease", daemon=True)

    def __enter__(self) -> "Lease":
        if not take_lease(self._simulation_id, self._holder):
            raise LeaseLost(f"another conductor works on {self._simulation_id}")
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()
        SimulationRow.objects.filter(pk=self._simulation_id, lease_holder=self._holder).update(
            lease_until=None, lease_holder=""
        )

    def refuse_lost(self) -> None:
        """Stop whoever works on without the lease.

        :raises LeaseLost: if another holder has taken it over.
        """
        if self.is_lost:
            raise LeaseLost(f"another conductor has taken over {self._simulation_id}")

    def _renew(self) -> None:
        try:
            while not self._over.wait(LEASE_SECONDS / RENEWALS_PER_LEASE):
                try:
                    self.is_lost = not take_lease(self._simulation_id, self._holder)
                except OperationalError as error:
                    # It lapses if the database stays away, and is renewed if it does not.
                    logger.warning("lease not renewed", error=str(error))
                    connection.close()
        finally:
            connection.close()


def take_lease(simulation_id: UUID, holder: str) -> bool:
    """Take or renew the lease; False if another holder's has not lapsed."""
    now = timezone.now()
    free = Q(lease_holder=holder) | Q(lease_until=None) | Q(lease_until__lt=now)
    until = now + timedelta(seconds=LEASE_SECONDS)
    return bool(
        SimulationRow.objects.filter(free, pk=simulation_id).update(
            lease_holder=holder, lease_until=until
        )
    )
