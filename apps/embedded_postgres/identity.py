"""The user that PostgreSQL runs as, and the command that changes to it."""

import os
import pwd
import stat
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from apps.embedded_postgres import launch
from apps.embedded_postgres.locks import RUNNER_FOLDER_MODE

NOBODY = 65534
PLAIN = "plain"
NAMESPACE = "namespace"
FREE = 0
"""In place of the parent's process id, for a process that survives its parent."""


def way_to_run(data: Path) -> str:
    """Return how to run PostgreSQL for a data folder: plain, namespace or uid:N.

    An ordinary user runs it plainly, unless the machine has no entry for the user, as in some
    containers. Root runs it as the folder's owner if that is another user, else in a user
    namespace, else (if there are none) as nobody.
    """
    if os.geteuid() != 0:
        return PLAIN if is_listed(os.geteuid()) or not namespaces_work() else NAMESPACE
    owner = data.stat().st_uid if data.exists() else 0
    if owner:
        return f"uid:{owner}"
    return NAMESPACE if namespaces_work() else f"uid:{NOBODY}"


def is_listed(uid: int) -> bool:
    """Return whether the machine has an entry for a user."""
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def namespaces_work() -> bool:
    """Return whether processes may create user namespaces."""
    tried = subprocess.run(  # noqa: S603
        command_for(NAMESPACE, [Path(sys.executable), "-I", "-S", "-c", ""], parent=FREE),
        check=False,
        capture_output=True,
    )
    return tried.returncode == 0


def command_for(way: str, program: list[Path | str], *, parent: int) -> list[str]:
    """Return the command line that runs a program, which ends with its parent."""
    interpreter = [sys.executable, "-I", "-S", str(Path(launch.__file__))]
    return [*interpreter, way, str(parent), *map(str, program)]


def give_to_runner(folder: Path, way: str) -> None:
    """Change the owner of a folder and its content to the user of `way`."""
    if not way.startswith("uid:"):
        return
    uid = int(way.removeprefix("uid:"))
    for path in (folder, *folder.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)


def let_runner_pass(folders: Iterable[Path], way: str) -> None:
    """Let the user of `way` pass through folders without listing them."""
    if not way.startswith("uid:"):
        return
    gid = int(way.removeprefix("uid:"))
    for folder in folders:
        os.chown(folder, -1, gid)
        folder.chmod(RUNNER_FOLDER_MODE)


def closed_folder(path: Path, way: str) -> Path | None:
    """Return a parent of the path that the user of `way` may not enter, if there is one."""
    if not way.startswith("uid:"):
        return None
    uid = int(way.removeprefix("uid:"))
    closed = (folder for folder in path.parents if not may_enter(uid, folder.stat()))
    return next(closed, None)


def may_enter(uid: int, folder: os.stat_result) -> bool:
    """Return whether a user, in the group of the same number only, may enter a folder."""
    if folder.st_uid == uid:
        return bool(folder.st_mode & stat.S_IXUSR)
    if folder.st_gid == uid:
        return bool(folder.st_mode & stat.S_IXGRP)
    return bool(folder.st_mode & stat.S_IXOTH)
