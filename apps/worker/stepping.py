"""The steps of one simulation in a scheduler process, and the handling of their errors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

import psycopg
import structlog
from django.db import InterfaceError, OperationalError, close_old_connections, connection

from apps.django_support.heartbeat import LAPSE_SECONDS
from apps.kernel.errors import DomainError, problem_of_error
from apps.simulation.engine.lease import release_lease, take_lease
from apps.simulation.engine.run_control import stop_at_once
from apps.simulation.engine.scheduler import SimulationScheduler
from apps.simulation.queries import LeaseLost, SimulationUnknown

logger = structlog.get_logger(__name__)

EnsureLease: TypeAlias = Callable[[], None]
"""Raises `LeaseLost` once another process may hold the lease."""
OpenScheduler: TypeAlias = Callable[[UUID, EnsureLease], SimulationScheduler]

OUTAGE_RETRY_SECONDS = 1.0
"""The wait before the next attempt after an outage of the database."""
FAILURE_RETRY_SECONDS = 60.0
"""The same after a failure, unless a user requests something before."""

_DATABASE_AWAY = (OperationalError, InterfaceError, psycopg.OperationalError)


@dataclass(slots=True)
class Scheduled:
    """A simulation that a process schedules under its lease; the first step takes the lease.

    `lease_ends_at` is a second of the monotonic clock, moved when the lease is renewed.
    `is_stale` is set when the schedule state is to be read again: a crash of the database
    server may have lost the latest writes. `retry_seconds` is the wait before the next attempt
    after a step that failed.
    """

    simulation_id: UUID
    holder: str
    open_scheduler: OpenScheduler
    monotonic: Callable[[], float]
    lease_ends_at: float = 0.0
    is_stale: bool = False
    retry_seconds: float = 0.0
    _scheduler: SimulationScheduler | None = None

    def step(self, *, has_requests: bool) -> float | None:
        """Take the next step; return the seconds to the one after, None at rest.

        :raises LeaseLost: if another process holds the lease.
        """
        if self._scheduler is None or self.is_stale:
            self.is_stale = False
            taken_at = self.monotonic()
            if not take_lease(self.simulation_id, self.holder):
                raise LeaseLost(f"another scheduler works on {self.simulation_id}")
            self.lease_ends_at = taken_at + LAPSE_SECONDS
            self._scheduler = self.open_scheduler(self.simulation_id, self.ensure_lease)
        return self._scheduler.step(requests=has_requests)

    def ensure_lease(self) -> None:
        """Check that the lease has not lapsed, as far as this process knows.

        :raises LeaseLost: if it has.
        """
        if self.monotonic() >= self.lease_ends_at:
            raise LeaseLost(f"the lease on {self.simulation_id} has lapsed")

    def release(self) -> None:
        """Commit the clocks, and release the lease."""
        try:
            if self._scheduler is not None:
                self._scheduler.close()
        except LeaseLost:
            return
        except _DATABASE_AWAY as error:
            logger.warning("clocks not committed", error=str(error))
            connection.close()
        self.release_lease()

    def release_lease(self) -> None:
        """Release the lease, so that any process may schedule the simulation at once."""
        try:
            release_lease(self.simulation_id, self.holder)
        except _DATABASE_AWAY as error:
            # The lease lapses.
            logger.warning("lease not released", error=str(error))
            connection.close()


def step(scheduled: Scheduled, *, has_requests: bool) -> float | None:
    """Take a step; return the seconds to the next one, None if this process takes no other.

    Never raises: an error is recorded with the simulation, and affects no other one.
    """
    with structlog.contextvars.bound_contextvars(simulation=str(scheduled.simulation_id)):
        close_old_connections()
        try:
            seconds = scheduled.step(has_requests=has_requests)
        except (LeaseLost, SimulationUnknown) as error:
            logger.info("simulation given up", reason=error.message)
            return None
        except DomainError as error:
            # Another attempt fails as well: the world's files have changed, for example.
            _stop(scheduled, error.message)
            return None
        except _DATABASE_AWAY as error:
            logger.warning("database away", error=str(error))
            connection.close()
            scheduled.retry_seconds = OUTAGE_RETRY_SECONDS
            scheduled.release_lease()
            return None
        except Exception as error:
            # A defect: further attempts would only hide it.
            logger.exception("scheduler failed")
            _stop(scheduled, problem_of_error(error)[1])
            return None
        else:
            if seconds is None:
                scheduled.release_lease()
            return seconds
        finally:
            connection.close()


def _stop(scheduled: Scheduled, reason: str) -> None:
    """Stop the simulation with the reason, so that its user sees it."""
    scheduled.retry_seconds = FAILURE_RETRY_SECONDS
    try:
        stop_at_once(scheduled.simulation_id, reason=reason)
    except _DATABASE_AWAY as error:
        logger.warning("simulation not stopped", error=str(error))
        connection.close()
    scheduled.release_lease()
