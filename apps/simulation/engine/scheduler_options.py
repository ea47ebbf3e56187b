"""The options of a scheduler, given by the process that it runs in."""

from collections.abc import Callable
from dataclasses import dataclass, field

from apps.simulation.engine.pace import RealTime

REQUESTS_POLL_SECONDS = 2.0
"""How often requests are read and lapsed turns resubmitted should a notification be lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerOptions:
    """How a simulation is scheduled.

    `ensure_lease` raises `LeaseLost` once another process may hold the lease; `on_progress` is
    called with the committed tick; `requests_poll_seconds` is shorter where no notification
    arrives.
    """

    ensure_lease: Callable[[], None]
    lock_step: bool = False
    on_progress: Callable[[int], None] = lambda _committed: None
    requests_poll_seconds: float = REQUESTS_POLL_SECONDS
    time: RealTime = field(default_factory=RealTime)
