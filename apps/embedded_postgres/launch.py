"""Runs a program of PostgreSQL as a user that it accepts; it ends with its parent.

This file is run by an isolated interpreter, so it imports nothing of the project:
`python -I -S launch.py {plain|namespace|uid:N} PARENT_PID PROGRAM ARGUMENT...`

PostgreSQL refuses to run as root, and as a user without an entry in the list of users. A user
namespace that maps this user to another one needs no further user and no change of owners;
`uid:N` is for machines without user namespaces.
"""

import ctypes
import os
import pwd
import signal
import stat
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1
INSIDE_ID_DEFAULT = 1
PARENT_GONE = 3
NOBODY = 65534
PLAIN = "plain"
NAMESPACE = "namespace"
FREE = 0
"""In place of the parent's process id, for a process that survives its parent."""
RUNNER_FOLDER_MODE = 0o710
"""The mode of a folder of root that the user of the embedded PostgreSQL may pass through."""


def main(arguments: list[str]) -> None:
    """Change the user, tie this process to its parent, and execute the program."""
    way, parent, *program = arguments
    if way == "namespace":
        enter_user_namespace()
    elif way.startswith("uid:"):
        become(int(way.removeprefix("uid:")))
    die_with_parent(int(parent))
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.execv(program[0], program)  # noqa: S606  # no shell


def enter_user_namespace() -> None:
    """Enter a user namespace that maps this user to one with an entry.

    :raises OSError: if the machine does not allow it.
    """
    uid, gid = os.geteuid(), os.getegid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    inside = min(
        (user.pw_uid for user in pwd.getpwall() if user.pw_uid), default=INSIDE_ID_DEFAULT
    )
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{inside} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{inside} {gid} 1")


def become(uid: int) -> None:
    """Change from root to another user."""
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)


def die_with_parent(parent: int) -> None:
    """Request SIGINT, a clean shutdown, for the end of the parent.

    It must be the last step before the program: a change of user would undo it.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)
    if parent and os.getppid() != parent:
        raise SystemExit(PARENT_GONE)


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
    interpreter = [sys.executable, "-I", "-S", __file__]
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


if __name__ == "__main__":
    main(sys.argv[1:])
