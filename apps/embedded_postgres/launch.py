"""Becomes a program of PostgreSQL: as a user that it accepts, and ended with the parent.

Run as a file by an isolated interpreter, so it imports nothing of the project:
`python -I -S launch.py {plain|namespace|uid:N} PARENT_PID PROGRAM ARGUMENT...`

PostgreSQL refuses to run as root, and as a user without an entry in the list of users. A user
namespace that maps this user to another one needs no further user and no change of owners;
`uid:N` is for machines without user namespaces.
"""

import ctypes
import os
import pwd
import signal
import sys
from pathlib import Path

CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1
INSIDE_ID_DEFAULT = 1
PARENT_GONE = 3


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


if __name__ == "__main__":
    main(sys.argv[1:])
