"""The environment of every entry point: secrets from files, and a DATABASE_URL that works."""

import os
import re
import sys
import time
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from apps.embedded_postgres.database import ROOT, ensure_database
from apps.embedded_postgres.errors import DatabaseUnreachable
from apps.embedded_postgres.home import Home
from apps.kernel.errors import DomainError, exit_with_message

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


EMBEDDED_MARK = "SMALLVILLE_DATABASE_IS_EMBEDDED"
"""Set to the home's folder if DATABASE_URL is that of the embedded server."""
DEFAULT_HOME = ".smallville"
_SETTING = re.compile(
    r"""\s*(?:export\s+)?(?P<name>\w+)\s*=\s*?
    (?:'(?P<literal>[^']*)'|"(?P<escaped>(?:\\.|[^"\\])*)"|(?P<plain>(?!\s*['"]).*?))
    (?:\s\#.*|\s*)""",
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\\(.)")
_CONTROL_CHARACTERS = {"n": "\n", "r": "\r", "t": "\t"}
SECRETS = (
    "DATABASE_LISTEN_URL",
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


class EnvironmentFileUnreadable(DomainError):
    """The file .env cannot be read."""


class PortInvalid(DomainError):
    """The port of the database is no number."""


class SecretUnreadable(DomainError):
    """The file of a secret cannot be read."""


def smallville_home() -> Path:
    """Return the folder of this installation's data, as an absolute path."""
    return Path(os.environ.get("SMALLVILLE_HOME") or DEFAULT_HOME).expanduser().absolute()


def ensure_database_url() -> None:
    """Ensure that DATABASE_URL is set and answers; without one, start the embedded server.

    The file .env beside manage.py is read first; variables of the environment precede it.
    Child processes inherit the URL and the mark. Each of them calls this function, and so
    uses the server in its own right: it runs until the last of them has ended.

    :raises DomainError: if the embedded server does not start, the database does not answer,
        or a file or a variable that says which it is cannot be read.
    """
    if (ROOT / ".env").exists():
        for name, value in read_environment_file(ROOT / ".env").items():
            os.environ.setdefault(name, value)
    read_secret_files()
    assemble_database_url()
    url = os.environ.get("DATABASE_URL")
    if url and EMBEDDED_MARK not in os.environ:
        check_database_url(url)
        if os.environ.get("DATABASE_LISTEN_URL"):
            check_database_url(os.environ["DATABASE_LISTEN_URL"], "DATABASE_LISTEN_URL")
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


def read_environment_file(path: Path) -> dict[str, str]:
    """Return the variables of a file .env, read as `docker compose` reads it.

    A value between single quotes is literal, one between double quotes has escapes, and
    another one ends before " #", where a comment begins.

    :raises EnvironmentFileUnreadable: if a line is no setting, or the file is not UTF-8.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise EnvironmentFileUnreadable(
            f"{path} cannot be read ({error}): save it as UTF-8."
        ) from error
    found = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        setting = _SETTING.fullmatch(line)
        if setting is None:
            raise EnvironmentFileUnreadable(
                f"{path}, line {number}, is no setting: write NAME=value, with the value "
                "between quotes if it has quotes in it, and a comment behind #."
            )
        escaped, literal, plain = setting["escaped"], setting["literal"], setting["plain"]
        if escaped is not None:
            value = _ESCAPED.sub(lambda at: _CONTROL_CHARACTERS.get(at[1], at[1]), escaped)
        else:
            value = literal if literal is not None else plain.strip()
        found[setting["name"]] = value
    return found


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
            environment[name] = Path(path).read_text(encoding="utf-8-sig").rstrip("\r\n")
        except (OSError, ValueError) as error:
            raise SecretUnreadable(
                f"{name}_FILE names {path}, which cannot be read ({error}): name a file with "
                f"the value, or set {name}."
            ) from error


def assemble_database_url(environment: MutableMapping[str, str] = os.environ) -> None:
    """Set DATABASE_URL from DATABASE_HOST and its like, unless it has a value.

    The parts may have any characters, which are percent-encoded here.

    :raises PortInvalid: if DATABASE_PORT is no number.
    """
    host = environment.get("DATABASE_HOST")
    if environment.get("DATABASE_URL") or not host:
        return

    def part(name: str) -> str:
        return quote(environment.get(name) or DEFAULTS.get(name, ""), safe="")

    port = environment.get("DATABASE_PORT") or DEFAULTS["DATABASE_PORT"]
    if not port.isdigit():
        raise PortInvalid(describe_invalid_number("DATABASE_PORT", port))
    address = f"[{host}]" if ":" in host else quote(host, safe="")
    environment["DATABASE_URL"] = (
        f"postgresql://{part('DATABASE_USER')}:{part('DATABASE_PASSWORD')}"
        f"@{address}:{port}/{part('DATABASE_NAME')}"
    )


def describe_invalid_number(name: str, value: str) -> str:
    """Return what to do about a variable that is no number."""
    message = f"{name} is {value!r}, which is no number: correct it."
    if name.endswith("_PORT") and "://" in value:
        service = name.removesuffix("_PORT").lower()
        message += (
            f' Kubernetes sets {name} so in the pods beside a Service named "{service}": '
            "rename the Service, or set enableServiceLinks: false in the pod."
        )
    return message
