"""Locks on files, which the kernel releases at the end of their holder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from apps.embedded_postgres.private_files import PRIVATE_FILE_MODE


def open_lock(path: Path) -> int:
    """Return a descriptor for locking; child programs do not inherit it.

    Any user that can open a lock file can hold its lock, so the file is private.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    return os.open(path, flags, PRIVATE_FILE_MODE)


def take_shared(descriptor: int) -> None:
    """Wait for a shared lock and take it."""
    fcntl.flock(descriptor, fcntl.LOCK_SH)


def try_exclusive(descriptor: int) -> bool:
    """Take an exclusive lock unless the file is locked; return whether it was taken."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def release(descriptor: int) -> None:
    """Release the lock and keep the descriptor."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)


def is_held(path: Path) -> bool:
    """Return whether a process holds the lock exclusively."""
    descriptor = open_lock(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Wait for an exclusive lock and hold it for the block."""
    descriptor = open_lock(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
