"""The environment of every entry point: secrets from files, and a working DATABASE_URL."""

import os
import sys
import time
from collections.abc import MutableMapping
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote, urlsplit

import environ  # type: ignore[import-untyped]
import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from apps.embedded_postgres.database import ROOT, ensure_database
from apps.embedded_postgres.errors import DatabaseUnreachable
from apps.embedded_postgres.home import Home
from apps.kernel.errors import DomainError, exit_with_message

EMBEDDED_MARK = "SMALLVILLE_DATABASE_IS_EMBEDDED"
"""Set to the home's folder if DATABASE_URL is that of the embedded server."""
DEFAULT_HOME = ".smallville"
CONNECT_SECONDS_MAX = 10
STARTING_UP = ("is starting up", "is not yet accepting connections", "is shutting down")
RETRY_SECONDS = 0.2
SECRETS = (
    "DATABASE_PASSWORD",
    "DATABASE_URL",
    "METRICS_TOKEN",
    "OPENAI_API_KEY",
    "SECRET_KEY",
)
"""Settings that a file named by NAME_FILE may have instead, as a mounted secret."""
DEFAULTS = {
    "DATABASE_PORT": "5432",
    "DATABASE_NAME": "smallville",
    "DATABASE_USER": "smallville",
}


class SecretUnreadable(DomainError):
    """The file of a secret cannot be read."""

    code: ClassVar[str] = "secret-unreadable"


def smallville_home() -> Path:
    """Return the folder of this installation's data, as an absolute path."""
    return Path(os.environ.get("SMALLVILLE_HOME") or DEFAULT_HOME).expanduser().absolute()


def ensure_database_url() -> None:
    """Ensure that DATABASE_URL is set and answers; without one, start the embedded server.

    The file .env beside manage.py is read first; variables of the environment precede it.
    Child processes inherit the URL and the mark. Each of them calls this function, and so
    uses the server in its own right: it runs until the last of them has ended.

    :raises DomainError: if the embedded server does not start, or the database does not answer.
    """
    if (ROOT / ".env").exists():
        environ.Env.read_env(ROOT / ".env", overwrite=False)
    read_secret_files()
    assemble_database_url()
    url = os.environ.get("DATABASE_URL")
    if url and EMBEDDED_MARK not in os.environ:
        check_database_url(url)
        return
    home = smallville_home()
    if not Home(home).data.exists():
        sys.stderr.write(f"Creating the embedded PostgreSQL in {home}, once.\n")
    os.environ["DATABASE_URL"] = ensure_database(home)
    os.environ[EMBEDDED_MARK] = str(home)


def ensure_database_url_or_exit() -> None:
    """Ensure that DATABASE_URL works; else write the error and exit with status 1."""
    with exit_with_message():
        ensure_database_url()


def read_secret_files(environment: MutableMapping[str, str] = os.environ) -> None:
    """Set each secret whose NAME_FILE names a file; a line break at its end is dropped.

    A variable with a value precedes its file.

    :raises SecretUnreadable: if a file cannot be read.
    """
    for name in SECRETS:
        path = environment.get(f"{name}_FILE")
        if not path or environment.get(name):
            continue
        try:
            environment[name] = Path(path).read_text().rstrip("\r\n")
        except (OSError, ValueError) as error:
            raise SecretUnreadable(
                f"{name}_FILE names {path}, which cannot be read ({error}): name a file with "
                f"the value, or set {name}."
            ) from error


def assemble_database_url(environment: MutableMapping[str, str] = os.environ) -> None:
    """Set DATABASE_URL from DATABASE_HOST and its like, unless it has a value.

    The parts may have any characters, which are percent-encoded here.
    """
    host = environment.get("DATABASE_HOST")
    if environment.get("DATABASE_URL") or not host:
        return

    def part(name: str) -> str:
        return quote(environment.get(name) or DEFAULTS.get(name, ""), safe="")

    address = f"[{host}]" if ":" in host else quote(host, safe="")
    environment["DATABASE_URL"] = (
        f"postgresql://{part('DATABASE_USER')}:{part('DATABASE_PASSWORD')}"
        f"@{address}:{part('DATABASE_PORT')}/{part('DATABASE_NAME')}"
    )


def check_database_url(url: str) -> None:
    """Connect once.

    :raises DatabaseUnreachable: with the reason, and without the password.
    """
    hint = (
        "set it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE, set DATABASE_HOST and "
        "DATABASE_PASSWORD instead, or unset it to use the embedded PostgreSQL."
    )
    try:
        is_postgres = urlsplit(url).scheme in ("postgres", "postgresql")
    except ValueError:
        is_postgres = False
    if not is_postgres:
        raise DatabaseUnreachable(f"DATABASE_URL is not the URL of a PostgreSQL: {hint}")
    try:
        connect_when_started(url)
    except psycopg.Error as error:
        reason = " ".join(str(error).split())
        raise DatabaseUnreachable(
            f"DATABASE_URL names a database that does not answer ({reason}): {hint}"
        ) from error


def connect_when_started(url: str) -> None:
    """Connect once, and wait for a server that is starting.

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


def pgmq_connection(url: str) -> str:
    """Return a database's URL in the form in which pgmq 1.1 takes it with any password.

    pgmq parses the URL and writes the values unquoted into a libpq connection string, so each
    value is quoted for that string beforehand.
    """

    def quoted(value: object) -> str:
        return make_conninfo(password=str(value)).removeprefix("password=")

    parts = conninfo_to_dict(url)
    names = ("host", "port", "dbname", "user", "password")
    return make_conninfo(**{name: quoted(parts[name]) for name in names if parts.get(name)})
