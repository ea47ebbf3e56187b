"""The embedded PostgreSQL for the processes that use it: started on demand, with its URL."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psycopg
from psycopg import sql

from apps.embedded_postgres import locks
from apps.embedded_postgres.errors import START_ERRORS, PostgresDidNotStart
from apps.embedded_postgres.home import HOST, Home, kept_secret, prepare_home
from apps.embedded_postgres.server import RECOVERY_SECONDS_MAX, ROLE
from apps.embedded_postgres.supervisor import IDLE_SECONDS

DATABASE = "smallville"
ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS_MAX = 60.0
CONNECT_SECONDS_MAX = 10

_used: dict[Path, int] = {}
"""The homes that this process uses, each with the descriptor of its shared users' lock."""
_lock = threading.Lock()


class NotReadyYet(Exception):
    """The supervisor has not stored the port of its server yet."""


def ensure_database(folder: Path, *, idle_seconds: float = IDLE_SECONDS) -> str:
    """Return the URL of a home's database; its server runs as long as this process.

    :param folder: the SMALLVILLE_HOME; created if necessary.
    :param idle_seconds: the time after which the server stops when no process uses it; that
        of the process that starts it counts.
    :raises StartError: if the server cannot start; see `errors`.
    """
    home = Home(folder)
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    while True:
        try:
            url = ensure_running(folder, idle_seconds=idle_seconds)
            create_database(home)
        except (psycopg.OperationalError, NotReadyYet) as error:
            # The supervisor runs and the server does not: it is starting or stopping.
            if time.monotonic() > deadline:
                reason = " ".join(str(error).split())
                raise PostgresDidNotStart(
                    f"The embedded PostgreSQL does not answer ({reason}); "
                    f"{home.server_log} may say why."
                ) from error
            time.sleep(0.05)
        else:
            return url


def ensure_running(folder: Path, *, idle_seconds: float = IDLE_SECONDS) -> str:
    """Start the supervisor if it does not run; return the URL. Cheap if it does."""
    home = Home(folder)
    with _lock:
        if home.folder not in _used:
            prepare_home(folder)
            descriptor = locks.open_lock(home.users_lock)
            locks.take_shared(descriptor)
            _used[home.folder] = descriptor
        if not (locks.is_held(home.supervisor_lock) and home.port.exists()):
            # Another process that has the start lock is starting it: wait, and check again.
            with locks.exclusive(home.start_lock):
                if not locks.is_held(home.supervisor_lock):
                    start_supervisor(home, idle_seconds=idle_seconds)
    return url_of(home, DATABASE)


def stop_using(folder: Path) -> None:
    """Release this process's use of the server."""
    with _lock:
        descriptor = _used.pop(Home(folder).folder, None)
        if descriptor is not None:
            os.close(descriptor)


def stop_server(folder: Path) -> None:
    """Stop the server of a home now, even if it is in use, and wait for its end."""
    home = Home(folder)
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    is_signalled = False
    while home.supervisor_lock.exists() and locks.is_held(home.supervisor_lock):
        if time.monotonic() > deadline:
            raise PostgresDidNotStart(f"The embedded PostgreSQL of {folder} does not end.")
        if not is_signalled:
            os.kill(supervisor_process(home), signal.SIGTERM)
            is_signalled = True
        time.sleep(0.02)


def supervisor_process(home: Home) -> int:
    """Return the process id of a home's supervisor."""
    return int(home.supervisor_lock.read_text())


def start_supervisor(home: Home, *, idle_seconds: float) -> None:
    """Start a supervisor and wait until its server is ready.

    :raises StartError: with the reason that the supervisor reports.
    """
    kept_secret(home.password)
    started = subprocess.run(  # noqa: S603
        [
            *(sys.executable, "-m", "apps.embedded_postgres.supervisor"),
            *(str(home.folder), str(idle_seconds)),
        ],
        check=False,
        cwd=ROOT,
        env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=2 * RECOVERY_SECONDS_MAX,
    )
    if not started.stdout.strip():
        if locks.is_held(home.supervisor_lock):
            return
        raise PostgresDidNotStart(
            "The supervisor of the embedded PostgreSQL ended at once; "
            f"{home.server_log} may say why. {started.stderr.strip()[-500:]}"
        )
    report = json.loads(started.stdout)
    if report:
        raise START_ERRORS[report["code"]](report["message"])


def url_of(home: Home, database: str) -> str:
    """Return the URL of a database; the characters of the password need no quoting.

    :raises NotReadyYet: if the server was never ready.
    """
    password = kept_secret(home.password)
    try:
        port = int(home.port.read_text())
    except FileNotFoundError as error:
        raise NotReadyYet from error
    return f"postgresql://{ROLE}:{password}@{HOST}:{port}/{database}"


def create_database(home: Home) -> None:
    """Create the database and its extension unless they exist.

    :raises psycopg.OperationalError: if the server does not answer.
    """
    if has_vectors(home):
        return
    with locks.exclusive(home.start_lock):
        with connect(home, "postgres") as connection:
            found = connection.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]
            )
            if found.fetchone() is None:
                name = sql.Identifier(DATABASE)
                connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        with connect(home, DATABASE) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")


def has_vectors(home: Home) -> bool:
    """Return whether the database exists and has the vector extension."""
    try:
        with connect(home, DATABASE) as connection:
            found = connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'")
            return found.fetchone() is not None
    except psycopg.OperationalError as error:
        if "does not exist" in str(error):
            return False
        raise


def connect(home: Home, database: str) -> psycopg.Connection:
    """Return a connection that commits each statement."""
    return psycopg.connect(
        url_of(home, database), autocommit=True, connect_timeout=CONNECT_SECONDS_MAX
    )
