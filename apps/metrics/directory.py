"""The directory through which several processes of one machine share their metrics.

prometheus_client keeps metrics in memory, or, if PROMETHEUS_MULTIPROC_DIR is set before it is
imported, in memory-mapped files of that directory, which any of the processes can add up.
"""

import logging
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
_PREFIX = "smallville-metrics"
_MEMORY = Path("/dev/shm")  # noqa: S108  # directories in it are private
_PRIVATE_MODE = 0o700

logger = logging.getLogger(__name__)


def share_metrics(owner_pid: int, *, base: Path | None = None) -> None:
    """Share metrics among the processes that `owner_pid` starts.

    Call it in the owner before it starts them, or in each of them before anything imports
    prometheus_client. The owner keeps its own metrics in memory.

    A directory that the environment names is used as it is. Otherwise the directory is made in
    `base`, by default in a file system in memory: a mapped file on a full disk would end the
    process.
    """
    if os.environ.get(VARIABLE):
        return
    base = base or _base()
    _remove_abandoned(base)
    path = base / _name(owner_pid)
    if _is_made_private(path):
        os.environ[VARIABLE] = str(path)
    else:
        logger.warning(
            "each process exposes its own metrics only: %s is not a private directory of this "
            "user; remove it, or set %s",
            path,
            VARIABLE,
        )


def remove_shared_metrics(owner_pid: int, *, base: Path | None = None) -> None:
    """Remove the directory of `owner_pid`, once its processes have ended."""
    shutil.rmtree((base or _base()) / _name(owner_pid), ignore_errors=True)


def ensure_named_directory() -> None:
    """Create the directory that the environment names; without one, do nothing.

    :raises SystemExit: with the reason and a hint, if no file can be written there.
    """
    named = os.environ.get(VARIABLE)
    if not named:
        return
    try:
        Path(named).mkdir(mode=_PRIVATE_MODE, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=named):
            pass
    except OSError as error:
        sys.exit(
            f"{VARIABLE} names {named}, where no metrics can be written ({error.strerror}): "
            "name a folder that this user may write to, or unset it."
        )


def shared_directory() -> Path | None:
    """Return the directory, or None if the metrics of this process are in its memory."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def is_alive(pid: int) -> bool:
    """Return whether a process of this id is running."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _base() -> Path:
    return _MEMORY if os.access(_MEMORY, os.W_OK) else Path(tempfile.gettempdir())


def _name(pid: int) -> str:
    # The time of the start distinguishes a process from a later one with the same id.
    return f"{_PREFIX}-{os.getuid()}-{pid}-{_started(pid)}"


def _started(pid: int) -> str:
    """Return when the process was started, in clock ticks of the system; "0" if unknown."""
    try:
        # The name of the program, in parentheses, may hold blanks.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "0"
    return fields[19]


def _is_made_private(path: Path) -> bool:
    """Create the directory if it is missing; return whether only this user has access to it.

    Another user can guess its name and create it first.
    """
    try:
        path.mkdir(mode=_PRIVATE_MODE, exist_ok=True)
    except OSError:
        return False
    found = path.lstat()
    is_private = not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and is_private


def _remove_abandoned(base: Path) -> None:
    """Remove the directories of owners that have ended."""
    for left in base.glob(f"{_PREFIX}-{os.getuid()}-*"):
        pid = left.name.split("-")[3]
        if not (pid.isdecimal() and left.name == _name(int(pid)) and is_alive(int(pid))):
            shutil.rmtree(left, ignore_errors=True)
