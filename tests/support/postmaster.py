"""The test's PostgreSQL server, to be killed; its supervisor starts it again."""

import os
import signal
from pathlib import Path

import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper

from apps.embedded_postgres.home import Home
from apps.embedded_postgres.server import postmaster_lines
from apps.simulation.models import SimulationRow
from tests.support.processes import database_url, wait_until

RETURNS_SECONDS = 150.0


def kill_database() -> None:
    """Kill the PostgreSQL server; its supervisor starts it again, and it recovers first."""
    killed = postmaster()
    os.kill(int(killed), signal.SIGKILL)
    wait_until(
        lambda: postmaster() not in {"", killed} and takes_connections(),
        seconds=RETURNS_SECONDS,
        told=lambda: "the server stays away",
    )
    # The pool of this process waits ever longer between its tries: the run would be over.
    open_connection = connections[DEFAULT_DB_ALIAS]
    assert isinstance(open_connection, DatabaseWrapper)
    open_connection.close()
    open_connection.close_pool()
    wait_until(database_answers, seconds=RETURNS_SECONDS, told=lambda: "nothing can be asked")


def postmaster() -> str:
    """Return the process id of the PostgreSQL server, "" while none runs."""
    lines = postmaster_lines(Home(Path(settings.SMALLVILLE_HOME)).data)
    return lines[0] if lines else ""


def takes_connections() -> bool:
    """Say whether the server takes a connection that comes from no pool."""
    try:
        psycopg.connect(database_url(), connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def database_answers() -> bool:
    """Say whether the database answers; connections from before its death are dropped."""
    connection.close()
    try:
        SimulationRow.objects.exists()
    except OperationalError:
        connection.close()
        return False
    return True
