"""CPU and memory of processes, read from the system while a benchmark runs."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TypeAlias

import psutil
from django.db import connection

LOOK_SECONDS = 0.2

Groups: TypeAlias = Mapping[str, Callable[[], list[psutil.Process]]]


def this_process() -> list[psutil.Process]:
    """Return the process that measures."""
    return [psutil.Process()]


def postgres() -> list[psutil.Process]:
    """Return the server's processes, the first one first; none if it runs elsewhere."""
    server = postgres_server()
    return [] if server is None else family(server)


@cache
def postgres_server() -> psutil.Process | None:
    """Return the server's first process, None if it runs elsewhere; looked for once."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = int(cursor.fetchone()[0])
    try:
        return psutil.Process(backend).parent()
    except psutil.NoSuchProcess:
        return None


def family(parent: psutil.Process) -> list[psutil.Process]:
    """Return a process with all that it has started, itself first."""
    return [parent, *parent.children(recursive=True)]


def cpu_seconds(processes: Iterable[psutil.Process]) -> float:
    """Return what they have used so far, with those of their children that have ended."""
    return sum(sum(process.cpu_times()[:4]) for process in alive(processes))


def memory_bytes(processes: Iterable[psutil.Process]) -> int:
    """Return their resident memory; what they share counts once."""
    infos = [process.memory_info() for process in alive(processes)]
    shared = [getattr(info, "shared", 0) for info in infos]
    own: int = sum(info.rss for info in infos) - sum(shared)
    return own + max(shared, default=0)


def alive(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Leave out those that have ended."""
    return [process for process in processes if process.is_running()]


class Peaks:
    """The highest memory of each group of processes."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups
        self.bytes = dict.fromkeys(groups, 0)

    def look(self) -> None:
        """Look at all groups once."""
        for name, processes in self._groups.items():
            try:
                now = memory_bytes(processes())
            except psutil.NoSuchProcess:
                continue  # it has ended in this very moment
            self.bytes[name] = max(self.bytes[name], now)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look again and again while the block runs."""
        over = threading.Event()

        def watch() -> None:
            while not over.wait(LOOK_SECONDS):
                self.look()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()
            self.look()
