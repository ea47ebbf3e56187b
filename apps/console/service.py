"""The parts of `manage.py serve`: its lock, its port, its token and its processes."""

import http.client
import time
from pathlib import Path
from typing import Any

from apps.access import commands as access_commands
from apps.access import queries as access_queries
from apps.console.supervision import Program
from apps.embedded_postgres import locks
from apps.embedded_postgres.home import HOST, is_free, prepare_home_folder, write_private
from apps.kernel.errors import DomainError

ADMINISTRATOR = "admin"
PORT_MAX = 65_535
PORT_WAIT_SECONDS_MAX = 5.0
"""The processes of a run that was killed take a moment to notice it."""
POLL_SECONDS = 0.2


class PortUnusable(DomainError):
    """The port is invalid or in use."""


class AlreadyServing(DomainError):
    """Another process serves this SMALLVILLE_HOME."""


def acquire_serve_lock(home: Path) -> int:
    """Return the lock of the process that serves a home.

    :raises AlreadyServing: if another process has it.
    :raises FolderOfAnotherUser: if the home is another user's.
    """
    prepare_home_folder(home)
    descriptor = locks.open_lock(home / "serve.lock")
    if not locks.try_exclusive(descriptor):
        raise AlreadyServing(
            f"Smallville is being served from {home} already: stop that, "
            "or set SMALLVILLE_HOME and PORT for a second one."
        )
    return descriptor


def free_port(setting: str) -> int:
    """Return the port to serve on.

    :raises PortUnusable: if the setting is not a port, or the port is in use.
    """
    if not (setting.isdecimal() and 0 < int(setting) <= PORT_MAX):
        raise PortUnusable(f"PORT is {setting!r}: set it to a number from 1 to {PORT_MAX}.")
    port = int(setting)
    deadline = time.monotonic() + PORT_WAIT_SECONDS_MAX
    while not is_free(port):
        if time.monotonic() > deadline:
            raise PortUnusable(
                f"Port {port} of {HOST} is in use: stop what listens there, "
                "or choose another, as in PORT=8001 make run."
            )
        time.sleep(POLL_SECONDS)
    return port


def answers(port: int) -> bool:
    """Return whether a web server answers at a port, with any status."""
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/health")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def kept_token(home: Path, administrator: Any) -> str:
    """Return the token in the home's file; if it is not valid, issue and store another."""
    path = home / "token"
    if path.exists():
        token = path.read_text().strip()
        if access_queries.user_of(token) == administrator:
            return token
    token = access_commands.issue_token(administrator, "make run")
    write_private(path, token)
    return token


def programs(port: int) -> list[Program]:
    """Return the processes of the service. Names are fixed, because queues depend on them."""
    celery = ("-m", "celery", "--app", "smallville_api")
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return [
        Program("web", ("-m", "smallville_api.web", "--host", HOST, "--port", str(port))),
        Program(
            "worker",
            (*celery, "worker", "--pool", "threads", "--hostname", "worker@smallville", *quiet),
        ),
        Program("scheduler", ("manage.py", "schedule")),
        Program("beat", (*celery, "beat", "--pidfile=")),
    ]
