"""The lease on a simulation: the right of one process to schedule it, until it lapses."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.django_support.heartbeat import HEARTBEAT_SECONDS, LAPSE_SECONDS, PeriodicThread
from apps.django_support.statements import discard_interrupted_connection
from apps.simulation.models import SimulationRow
from apps.simulation.notifications import wake_scheduler
from apps.simulation.queries import LeaseLost


class Lease:
    """A lease held while the `with` block runs, renewed by a thread of its own."""

    def __init__(self, simulation_id: UUID, holder: str) -> None:
        """Take the name of the holder; entering the block takes the lease."""
        self._simulation_id = simulation_id
        self._holder = holder
        self._renewal = PeriodicThread("lease renewal", HEARTBEAT_SECONDS, self._renew)
        self.is_held = True

    def __enter__(self) -> "Lease":
        if not take_lease(self._simulation_id, self._holder):
            raise LeaseLost(f"another scheduler works on {self._simulation_id}")
        self._renewal.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        self._renewal.stop()
        if kind is not None and not issubclass(kind, Exception):
            discard_interrupted_connection()
        release_lease(self._simulation_id, self._holder)
        # A scheduler process starts a run that was requested since at once.
        wake_scheduler(self._simulation_id)

    def ensure_held(self) -> None:
        """Check that no other holder has taken the lease over.

        :raises LeaseLost: if one has.
        """
        if not self.is_held:
            raise LeaseLost(f"another scheduler has taken over {self._simulation_id}")

    def _renew(self) -> None:
        self.is_held = take_lease(self._simulation_id, self._holder)


def take_lease(simulation_id: UUID, holder: str) -> bool:
    """Take or renew the lease; return False if that of another holder has not lapsed."""
    now = timezone.now()
    free = Q(lease_holder=holder) | Q(lease_until=None) | Q(lease_until__lt=now)
    until = now + timedelta(seconds=LAPSE_SECONDS)
    return bool(
        SimulationRow.objects.filter(free, pk=simulation_id).update(
            lease_holder=holder, lease_until=until
        )
    )


def renew_leases(simulation_ids: Collection[UUID], holder: str) -> tuple[set[UUID], set[UUID]]:
    """Renew the leases of one holder; return those renewed, and those it has lost.

    A row that another transaction locks is neither: it is renewed the next time.
    """
    rows = SimulationRow.objects.filter(pk__in=simulation_ids, lease_holder=holder)
    with transaction.atomic():
        free = rows.select_for_update(skip_locked=True)
        renewed = set(free.values_list("pk", flat=True))
        until = timezone.now() + timedelta(seconds=LAPSE_SECONDS)
        SimulationRow.objects.filter(pk__in=renewed).update(lease_until=until)
    lost = set(simulation_ids) - renewed
    if lost:
        lost -= set(rows.values_list("pk", flat=True))
    return renewed, lost


def leased_by_others(simulation_ids: Collection[UUID], holder: str) -> set[UUID]:
    """Return those on which another holder has a lease that has not lapsed."""
    leased = SimulationRow.with_deleted.filter(
        pk__in=simulation_ids, lease_until__gt=timezone.now()
    )
    return set(leased.exclude(lease_holder=holder).values_list("pk", flat=True))


def release_lease(simulation_id: UUID, holder: str) -> None:
    """Release the lease, if the holder still has it."""
    SimulationRow.objects.filter(pk=simulation_id, lease_holder=holder).update(
        lease_until=None, lease_holder=""
    )
