"""The metrics of this process, and of those that share a directory with it, as text."""

import re
from collections.abc import Callable
from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from apps.metrics.directory import is_alive, shared_directory
from apps.metrics.sampling import sample

_LIVE_FILE = re.compile(r"gauge_live\w+_(\d+)\.db")


def exposed(accepts: str, *more: Collector) -> tuple[bytes, str]:
    """Return the metrics and their media type, in the format that a scraper accepts.

    :param accepts: the header Accept of the request.
    :param more: collectors beside those of the process.
    """
    sample()
    registry = CollectorRegistry()
    registry.register(_of_processes())
    for collector in more:
        registry.register(collector)
    encode: Callable[[Collector], bytes]
    encode, media_type = choose_encoder(accepts)
    return encode(registry), media_type


def _of_processes() -> Collector:
    """Return the collector of this process, or of all that share the directory."""
    directory = shared_directory()
    if directory is None:
        return REGISTRY
    _forget_ended_processes(directory)
    return MultiProcessCollector(None, str(directory))  # type: ignore[no-untyped-call]


def _forget_ended_processes(directory: Path) -> None:
    """Remove the gauges of processes that have ended; their counters stay.

    uvicorn and Celery have no hook for the end of every process: each scrape checks them.
    """
    for file in directory.glob("gauge_live*.db"):
        found = _LIVE_FILE.fullmatch(file.name)
        if found and not is_alive(int(found[1])):
            mark_process_dead(int(found[1]), str(directory))  # type: ignore[no-untyped-call]
