"""Reads the URL of a database with libpq, and checks the server that it names."""

import re
import time
from typing import Any

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from apps.embedded_postgres.errors import DatabaseUnreachable

CONNECT_SECONDS_MAX = 10
STARTING_UP = ("is starting up", "is not yet accepting connections", "is shutting down")
RETRY_SECONDS = 0.2
SCHEMES = ("postgres", "postgresql")
ENCODE = (
    "percent-encode special characters of the user name and the password, or set "
    "DATABASE_HOST and DATABASE_PASSWORD in place of the URL."
)
HINT = (
    "set it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE, set DATABASE_HOST and "
    "DATABASE_PASSWORD instead, or unset it to use the embedded PostgreSQL."
)


def read_database_url(url: str, name: str = "DATABASE_URL") -> dict[str, str]:
    """Return the parameters of libpq that a URL has, such as host, dbname and sslmode.

    :param name: the setting that has the URL, for the message.
    :raises DatabaseUnreachable: if it is not the URL of a PostgreSQL; without its password.
    """
    scheme, separator, rest = url.partition("://")
    if not separator or scheme not in SCHEMES:
        raise DatabaseUnreachable(f"{name} is not the URL of a PostgreSQL: {HINT}")
    try:
        found = {key: str(value) for key, value in conninfo_to_dict(url).items()}
    except psycopg.ProgrammingError as error:
        unknown = re.search(r'invalid URI query parameter: "(.*)"', str(error))
        if unknown is not None:
            raise DatabaseUnreachable(
                f'{name} has the parameter "{unknown[1]}", which PostgreSQL does not know: '
                "remove it from the URL."
            ) from None
        # The message of libpq has the password, or a part of it.
        raise DatabaseUnreachable(f"{name} is not the URL of a PostgreSQL: {ENCODE}") from None
    is_numeric = all(port.isdigit() for port in found.get("port", "").split(",") if port)
    if not is_numeric or "@" in found.get("host", ""):
        raise DatabaseUnreachable(f"{name} has a host or a port that cannot be: {ENCODE}")
    if not rest or not (found.get("dbname") or found.get("service")):
        raise DatabaseUnreachable(f"{name} names no database: {HINT}")
    return found


def check_database_url(url: str, name: str = "DATABASE_URL") -> None:
    """Connect, and check that connections can prepare statements.

    :raises DatabaseUnreachable: with the reason, and without the password.
    """
    parameters = read_database_url(url, name)
    try:
        with connect_when_started(parameters) as first, connect(parameters) as second:
            # A pooler that passes both to one server connection has to tell their statements
            # apart: each connection of psycopg gives its first one the same name.
            for connection in (first, second):
                connection.execute("SELECT 1", prepare=True)
                connection.commit()
    except (errors.DuplicatePreparedStatement, errors.InvalidSqlStatementName) as error:
        raise DatabaseUnreachable(
            f"{name} names a pooler that mixes up the prepared statements of its clients: "
            "use PgBouncer 1.21 or later with max_prepared_statements above 0, let it pool by "
            "session, or connect to PostgreSQL directly."
        ) from error
    except psycopg.Error as error:
        reason = " ".join(str(error).split())
        raise DatabaseUnreachable(
            f"{name} names a database that does not answer ({reason}): {HINT}"
        ) from error


def connect_when_started(parameters: dict[str, str]) -> psycopg.Connection:
    """Return a connection, and wait for a server that is starting.

    :raises psycopg.Error: if it does not answer in time.
    """
    ends_at = time.monotonic() + CONNECT_SECONDS_MAX
    while True:
        try:
            return connect(parameters)
        except psycopg.OperationalError as error:
            if time.monotonic() > ends_at or not any(say in str(error) for say in STARTING_UP):
                raise
            time.sleep(RETRY_SECONDS)


def connect(parameters: dict[str, str]) -> psycopg.Connection:
    """Return a connection that is made within CONNECT_SECONDS_MAX, or as the URL says."""
    with_limit: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS_MAX, **parameters}
    return psycopg.connect(**with_limit)
