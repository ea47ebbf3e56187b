"""The metrics that a process records itself: measurements, and samples of states.

A thread takes samples every few seconds, and each scrape takes one. Recording a state at its
change would be exact, but a finalizer could do it while a lock of the metrics is held.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

from apps.django_support.heartbeat import PeriodicThread
from apps.metrics import definitions
from apps.metrics.definitions import Definition
from apps.metrics.directory import ensure_named_directory

# The client opens its files when a metric is made.
ensure_named_directory()
# A second series per child, without use: Prometheus detects resets by itself.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the client's


def _arguments(definition: Definition) -> tuple[str, str, tuple[str, ...]]:
    return definition.name, definition.meaning, tuple(definition.labels)


def _gauge(definition: Definition) -> Gauge:
    # The sum over the live processes: what a process had open is closed when it ends.
    return Gauge(*_arguments(definition), multiprocess_mode="livesum")


def _histogram(definition: Definition) -> Histogram:
    return Histogram(*_arguments(definition), buckets=definition.buckets)


_request_duration = _histogram(definitions.REQUEST_DURATION)
_open_streams = _gauge(definitions.OPEN_STREAMS)
_turns_started = Counter(*_arguments(definitions.TURNS_STARTED))
_turn_duration = _histogram(definitions.TURN_DURATION)
_turn_redeliveries = Counter(*_arguments(definitions.TURN_REDELIVERIES))
_model_call_duration = _histogram(definitions.MODEL_CALL_DURATION)
_pool_connections = _gauge(definitions.POOL_CONNECTIONS)
_pool_size_max = _gauge(definitions.POOL_SIZE_MAX)
_pool_waiting = _gauge(definitions.POOL_WAITING)

record_open_streams: Callable[[float], None] = _open_streams.set
"""Record how many event streams are open."""
record_turn_redelivery: Callable[[], None] = _turn_redeliveries.inc
"""Record that a turn was sent again because its worker fell silent."""


def record_request(*, method: str, route: str, status: int, seconds: float) -> None:
    """Record an HTTP request; `method` and `route` are of a bounded set."""
    status_class = f"{status // 100}xx"
    _request_duration.labels(method, route, status_class).observe(seconds)


@contextmanager
def record_turn(duplicates: tuple[type[Exception], ...]) -> Iterator[None]:
    """Record the turn that the block executes; `duplicates` are errors of a repeated turn."""
    _turns_started.inc()
    started_at = time.perf_counter()
    outcome = "failed"
    try:
        yield
        outcome = "completed"
    except duplicates:
        outcome = "duplicate"
        raise
    finally:
        _turn_duration.labels(outcome).observe(time.perf_counter() - started_at)


def record_model_call(*, server: str, model: str, task: str, seconds: float) -> None:
    """Record the duration of a model call; `model` is of a bounded set."""
    _model_call_duration.labels(server, model, task).observe(seconds)


def record_pool(process: str, *, idle: int, in_use: int, waiting: int, size_max: int) -> None:
    """Record the state of the pool of database connections."""
    _pool_connections.labels(process, "idle").set(idle)
    _pool_connections.labels(process, "in_use").set(in_use)
    _pool_waiting.labels(process).set(waiting)
    _pool_size_max.labels(process).set(size_max)


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
