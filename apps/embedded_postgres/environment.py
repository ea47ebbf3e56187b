"""What every entry point does first: see that DATABASE_URL names a database that answers."""

import os
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import environ  # type: ignore[import-untyped]
import psycopg

from apps.embedded_postgres.errors import DatabaseUnreachable
from apps.embedded_postgres.given import assemble_database_url, read_secret_files
from apps.embedded_postgres.provide import ROOT, provide_database
from apps.kernel.errors import DomainError

EMBEDDED_MARK = "SMALLVILLE_DATABASE_IS_EMBEDDED"
"""Set, to the home's folder, beside a DATABASE_URL that we made and the user did not."""
DEFAULT_HOME = ".smallville"
CONNECT_SECONDS_MAX = 10
STARTING_UP = ("is starting up", "is not yet accepting connections", "is shutting down")
RETRY_SECONDS = 0.2


def smallville_home() -> Path:
    """Return the folder that keeps what belongs to this installation, as an absolute path."""
    named = os.environ.get("SMALLVILLE_HOME") or DEFAULT_HOME
    return Path(named).expanduser().absolute()


def ensure_database_url() -> None:
    """Put a working DATABASE_URL into the environment, of the embedded server if none is there.

    A file .env beside manage.py is read first; what the environment says already wins.
    Child processes inherit the URL and the mark; calling this makes each a user of the server
    of its own, so that it stays while any of them lives.

    :raises Refusal: if the embedded server cannot be had or the given one does not answer.
    """
    if (ROOT / ".env").exists():
        environ.Env.read_env(ROOT / ".env", overwrite=False)
    read_secret_files()
    assemble_database_url()
    given = os.environ.get("DATABASE_URL")
    if given and EMBEDDED_MARK not in os.environ:
        check_database_url(given)
        return
    home = smallville_home()
    os.environ["DATABASE_URL"] = provide_database(home)
    os.environ[EMBEDDED_MARK] = str(home)


def check_database_url(url: str) -> None:
    """Connect once.

    :raises DatabaseUnreachable: with the reason, and without the password.
    """
    mend = (
        "set it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE, set DATABASE_HOST and "
        "DATABASE_PASSWORD instead, or unset it to use the embedded PostgreSQL."
    )
    if not url.startswith(("postgres://", "postgresql://")) or is_broken(url):
        raise DatabaseUnreachable(f"DATABASE_URL is not the URL of a PostgreSQL: {mend}")
    try:
        connect_when_started(url)
    except psycopg.Error as error:
        reason = " ".join(str(error).split())
        raise DatabaseUnreachable(
            f"DATABASE_URL names a database that does not answer ({reason}): {mend}"
        ) from error


def is_broken(url: str) -> bool:
    """Say whether a URL cannot be taken apart."""
    try:
        urlsplit(url)
    except ValueError:
        return True
    return False


def connect_when_started(url: str) -> None:
    """Connect once, waiting for a server that is only just starting up.

    :raises psycopg.Error: if it does not answer in time.
    """
    ends_at = time.monotonic() + CONNECT_SECONDS_MAX
    while True:
        try:
            psycopg.connect(url, connect_timeout=CONNECT_SECONDS_MAX).close()
        except psycopg.OperationalError as error:
            if time.monotonic() > ends_at or not any(say in str(error) for say in STARTING_UP):
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return


def ensure_database_url_or_exit() -> None:
    """Do the same for a person at a terminal: one sentence and exit status 1 if refused."""
    try:
        ensure_database_url()
    except DomainError as refusal:
        sys.stderr.write(f"{refusal.message}\n")
        raise SystemExit(1) from None
