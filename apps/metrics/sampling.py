"""Samples the metrics of states: connection pools, open streams.

A thread takes samples every few seconds, and each scrape takes one. Recording at the change
itself would be exact, but a finalizer could do it while a lock of the metrics is held.
"""

from collections.abc import Callable
from typing import Any

from django.db import connection

from apps.django_support.periodic_thread import PeriodicThread
from apps.metrics.instruments import record_pool

SAMPLE_SECONDS = 5.0

_process = ""
_samplers: list[Callable[[], None]] = []


def add_sampler(take: Callable[[], None]) -> None:
    """Call `take` for every sample of this process."""
    _samplers.append(take)


def start_sampling(process: str) -> None:
    """Sample every SAMPLE_SECONDS, for scrapes of another process that shares the metrics.

    :param process: "web", "worker" or "scheduler".
    """
    global _process  # noqa: PLW0603  # one process, one name
    _process = process
    PeriodicThread("metrics sampling", SAMPLE_SECONDS, sample).start()


def sample() -> None:
    """Record the present state."""
    _sample_pool()
    for take in _samplers:
        take()


def _sample_pool() -> None:
    if not _process:
        return  # a management command: access to the pool would create it
    pool: Any = getattr(connection, "pool", None)
    if pool is None or pool.closed:
        return
    state = pool.get_stats()
    size, idle = state["pool_size"], state["pool_available"]
    record_pool(
        _process,
        idle=idle,
        in_use=size - idle,
        waiting=state["requests_waiting"],
        size_max=state["pool_max"],
    )
