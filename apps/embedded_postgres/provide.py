"""The embedded PostgreSQL as its users see it: ask for it, and it is there."""

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
from apps.embedded_postgres.errors import KEEPER_REFUSALS, PostgresDidNotStart
from apps.embedded_postgres.home import Home, home_at, kept_secret
from apps.embedded_postgres.keeper import LINGER_SECONDS
from apps.embedded_postgres.server import HOST, RECOVERY_SECONDS_MAX, ROLE

DATABASE = "smallville"
ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS_MAX = 60.0
CONNECT_SECONDS_MAX = 10

_used: dict[Path, int] = {}
"""The homes this process uses, each with the descriptor whose lock says so to the keeper."""
_one_at_a_time = threading.Lock()


def provide_database(folder: Path, *, linger_seconds: float = LINGER_SECONDS) -> str:
    """Return the URL of the database of a home; its server runs as long as this process lives.

    :param folder: the SMALLVILLE_HOME; made if it is not there.
    :param linger_seconds: how long the server stays once the last process that uses it is
        gone; counts for who starts it.
    :raises DataFolderNotWritable: if nothing can be written there.
    :raises PostgresMissing: if no PostgreSQL is installed for this platform.
    :raises NoFreePort: if no port can be had.
    :raises PostgresDidNotStart: if it did not start.
    """
    home = home_at(folder)
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    while True:
        try:
            url = ensure_running(folder, linger_seconds=linger_seconds)
            create_database(home)
        except (psycopg.OperationalError, NotThereYet) as error:
            # The keeper is there and the server is not: it is coming back, or going.
            if time.monotonic() > deadline:
                reason = " ".join(str(error).split())
                raise PostgresDidNotStart(
                    f"The embedded PostgreSQL does not answer ({reason}); "
                    f"{home.server_log} may say why."
                ) from error
            time.sleep(0.05)
        else:
            return url


def ensure_running(folder: Path, *, linger_seconds: float = LINGER_SECONDS) -> str:
    """Bring the keeper back if it is gone and return the URL; cheap when all is well."""
    home = Home(folder.expanduser().absolute())
    with _one_at_a_time:
        if home.folder not in _used:
            home_at(home.folder)
            descriptor = locks.open_lock(home.users_lock)
            locks.take_shared(descriptor)
            _used[home.folder] = descriptor
        if not (locks.is_held(home.keeper_lock) and home.port.exists()):
            # Whoever holds the lock to start is just starting one: wait, and look again.
            with locks.exclusive(home.start_lock):
                if not locks.is_held(home.keeper_lock):
                    start_keeper(home, linger_seconds=linger_seconds)
    return url_of(home, DATABASE)


class NotThereYet(Exception):
    """The keeper has not yet said where its server is."""


def stop_using(folder: Path) -> None:
    """Say that this process needs the server no longer."""
    home = Home(folder.expanduser().absolute())
    with _one_at_a_time:
        descriptor = _used.pop(home.folder, None)
        if descriptor is not None:
            os.close(descriptor)


def stop_server(folder: Path) -> None:
    """End the server of a home now, whoever uses it, and wait until it is gone."""
    home = Home(folder.expanduser().absolute())
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    told = False
    while home.keeper_lock.exists() and locks.is_held(home.keeper_lock):
        if time.monotonic() > deadline:
            raise PostgresDidNotStart(f"The embedded PostgreSQL of {folder} does not end.")
        if not told:
            os.kill(keeper_process(home), signal.SIGTERM)
            told = True
        time.sleep(0.02)


def keeper_process(home: Home) -> int:
    """Return the process id of the keeper that holds a home."""
    return int(home.keeper_lock.read_text())


def start_keeper(home: Home, *, linger_seconds: float) -> None:
    """Start a keeper and wait until it says that the server is ready.

    :raises Refusal: for the reason that the keeper gives.
    """
    kept_secret(home.password)
    started = subprocess.run(  # noqa: S603
        [
            *(sys.executable, "-m", "apps.embedded_postgres.keeper"),
            *(str(home.folder), str(linger_seconds)),
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
        if locks.is_held(home.keeper_lock):
            return
        raise PostgresDidNotStart(
            "The embedded PostgreSQL's keeper ended at once; "
            f"{home.server_log} may say why. {started.stderr.strip()[-500:]}"
        )
    report = json.loads(started.stdout)
    if report:
        raise KEEPER_REFUSALS[report["code"]](report["message"])


def url_of(home: Home, database: str) -> str:
    """Return the URL of a database on a home's server; the password's letters need no quoting.

    :raises NotThereYet: if the server has never been ready.
    """
    password = kept_secret(home.password)
    try:
        port = int(home.port.read_text())
    except FileNotFoundError as error:
        raise NotThereYet from error
    return f"postgresql://{ROLE}:{password}@{HOST}:{port}/{database}"


def create_database(home: Home) -> None:
    """Make the database and its extension unless they are there.

    :raises psycopg.OperationalError: if the server does not answer.
    """
    if has_vectors(home):
        return
    with locks.exclusive(home.start_lock):
        create_empty_database(home)
        with connect(home, DATABASE) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")


def create_empty_database(home: Home) -> None:
    """Make the database unless it is there."""
    with connect(home, "postgres") as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
        if known.fetchone() is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def has_vectors(home: Home) -> bool:
    """Say whether the database is there and knows the vector extension."""
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
