"""Locks on files, which the kernel releases at the end of their holder, and private files."""

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from apps.embedded_postgres.launch import RUNNER_FOLDER_MODE


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


PRIVATE_FOLDER_MODE = 0o700
PRIVATE_FILE_MODE = 0o600
PRIVATE_UMASK = 0o077
ROOT_UID = 0


def create_private_folder(path: Path) -> None:
    """Create a private folder; an existing one is not changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=PRIVATE_FOLDER_MODE, exist_ok=True)


def restrict_folder(path: Path) -> None:
    """Remove the access of other users to a folder."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode == RUNNER_FOLDER_MODE and os.geteuid() == ROOT_UID:
        return
    if mode & PRIVATE_UMASK:
        path.chmod(mode & PRIVATE_FOLDER_MODE)


def restrict_file(path: Path) -> None:
    """Remove the access of other users to a file."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & PRIVATE_UMASK:
        path.chmod(mode & ~PRIVATE_UMASK)
