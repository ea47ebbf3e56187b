"""Reads what the environment says of the database and of secrets, from variables or files."""

import os
from collections.abc import MutableMapping
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from apps.kernel.errors import DomainError

SECRETS = (
    "DATABASE_PASSWORD",
    "DATABASE_URL",
    "METRICS_TOKEN",
    "OPENAI_API_KEY",
    "SECRET_KEY",
)
"""Settings that a file named by NAME_FILE may hold instead, as a mounted secret."""
FILE_SUFFIX = "_FILE"
DEFAULTS = {
    "DATABASE_PORT": "5432",
    "DATABASE_NAME": "smallville",
    "DATABASE_USER": "smallville",
}


class SecretUnreadable(DomainError):
    """A file that a setting is to be read from cannot be read."""

    code: ClassVar[str] = "secret-unreadable"


def read_secret_files(environment: MutableMapping[str, str] = os.environ) -> None:
    """Set each secret that NAME_FILE names a file for; a line break at its end is dropped.

    A variable that has a value wins over its file, and an empty one is as none.

    :raises SecretUnreadable: if a file cannot be read.
    """
    for name in SECRETS:
        path = environment.get(name + FILE_SUFFIX)
        if not path or environment.get(name):
            continue
        try:
            environment[name] = Path(path).read_text().rstrip("\r\n")
        except (OSError, ValueError) as error:
            raise SecretUnreadable(
                f"{name}{FILE_SUFFIX} names {path}, which cannot be read ({error}): name a "
                f"file that holds the value, or set {name}."
            ) from error


def assemble_database_url(environment: MutableMapping[str, str] = os.environ) -> None:
    """Set DATABASE_URL from DATABASE_HOST and its like, unless it has a value.

    Every part may hold any character; in a URL it would have to be percent-encoded by hand.
    """
    host = environment.get("DATABASE_HOST")
    if environment.get("DATABASE_URL") or not host:
        return

    def part(name: str) -> str:
        return quote(environment.get(name) or DEFAULTS.get(name, ""), safe="")

    place = f"[{host}]" if ":" in host else quote(host, safe="")
    environment["DATABASE_URL"] = (
        f"postgresql://{part('DATABASE_USER')}:{part('DATABASE_PASSWORD')}"
        f"@{place}:{part('DATABASE_PORT')}/{part('DATABASE_NAME')}"
    )


def pgmq_connection(url: str) -> str:
    """Return a database's URL in the form in which pgmq 1.1 takes it with any password.

    pgmq parses what it is given and writes the values into a libpq connection string as they
    are. So each value is quoted for that string beforehand.
    """

    def quoted(value: object) -> str:
        return make_conninfo(password=str(value)).removeprefix("password=")

    given = conninfo_to_dict(url)
    names = ("host", "port", "dbname", "user", "password")
    return make_conninfo(**{name: quoted(given[name]) for name in names if given.get(name)})
