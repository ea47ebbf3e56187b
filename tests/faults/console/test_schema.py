"""On a database with another schema each process and command ends with one line."""

import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, connections

from apps.django_support.schema_version import ensure_migrations_are_allowed
from tests.support.preloaded import run_program

NAME = "of_another_release"
CELERY = ("-m", "celery", "--app", "smallville_api")
WEB = ("-m", "uvicorn", "smallville_api.asgi:application", "--port", "0")
GUARDED = """
import django, manage
from django.core.management import get_commands
django.setup()
for name, app in get_commands().items():
    if app != "django.core" and manage.needs_database([name]):
        try:
            manage.provide_tables()
        except SystemExit as refused:
            print(name, refused.code)
        else:
            print(name, "not refused")
"""
PROCESSES = {
    "a command": ("manage.py", "list_tokens"),
    "a command of Django's": ("manage.py", "createsuperuser", "--no-input"),
    "web": WEB,
    "several web": (*WEB, "--workers", "2"),
    "worker": (*CELERY, "worker", "--pool", "threads"),
    "beat": (*CELERY, "beat", "--pidfile=", "--schedule"),
}
APPLIED = """
CREATE TABLE django_migrations (id serial, app text, name text, applied timestamptz);
INSERT INTO django_migrations (app, name, applied) VALUES ('simulation', '{}', now());
"""


@pytest.fixture
def database_url() -> Iterator[str]:
    """Give a database without any table."""
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {NAME}")
        connection.execute(f"CREATE DATABASE {NAME}")
        yield urlunsplit(urlsplit(server)._replace(path=f"/{NAME}"))
        connection.execute(f"DROP DATABASE {NAME} (FORCE)")


def ended(arguments: tuple[str, ...], url: str, home: Path) -> subprocess.CompletedProcess[str]:
    inputs = [str(home / "schedule")] if arguments[-1] == "--schedule" else []
    environment = {
        **{key: value for key, value in os.environ.items() if "SMALLVILLE" not in key},
        "DATABASE_URL": url,
        "SECRET_KEY": "for tests only, and nowhere else",
        "SMALLVILLE_HOME": str(home),
        "DJANGO_SETTINGS_MODULE": "smallville_api.settings",
    }
    return run_program([*arguments, *inputs], environment)


def complaint(process: subprocess.CompletedProcess[str]) -> str:
    """Return the one line that says what is wrong with the schema."""
    lines = {line for line in process.stderr.splitlines() if "The database" in line}
    assert "Traceback" not in process.stderr + process.stdout
    assert len(lines) == 1, process.stderr
    return lines.pop()


class TestSchema:
    def test_that_is_missing_ends_every_process(
        self, database_url: str, tmp_path: Path
    ) -> None:
        with ThreadPoolExecutor(2) as pool:
            results = pool.map(
                lambda arguments: ended(arguments, database_url, tmp_path), PROCESSES.values()
            )
        for name, process in zip(PROCESSES, results, strict=True):
            expected = f"The database {NAME!r} has no tables yet: run `manage.py migrate`"
            assert expected in complaint(process), name
            # uvicorn has no exit status of its own for children that all end.
            assert process.returncode == (0 if name == "several web" else 1), name

    def test_that_is_missing_is_refused_to_every_command(
        self, database_url: str, tmp_path: Path
    ) -> None:
        program = tmp_path / "guarded.py"
        program.write_text(GUARDED)
        process = ended((str(program),), database_url, tmp_path)
        refused = dict(line.split(" ", 1) for line in process.stdout.splitlines())
        assert {"serve", "simulate", "carry_out", "import", "create_user"} <= refused.keys()
        assert set(refused.values()) == {"1"}, refused
        assert "has no tables yet" in complaint(process)

    def test_that_differs_is_called_older_or_newer(
        self, database_url: str, tmp_path: Path
    ) -> None:
        with psycopg.connect(database_url) as connection:
            connection.execute(APPLIED.format("0001_initial"))
        process = ended(("manage.py", "list_tokens"), database_url, tmp_path)
        assert process.returncode == 1
        assert "older than this code: run `manage.py migrate` first" in complaint(process)
        with psycopg.connect(database_url) as connection:
            connection.execute("UPDATE django_migrations SET name = '9999_later'")
        process = ended(("manage.py", "serve"), database_url, tmp_path)
        assert process.returncode == 1
        assert "newer than this code" in complaint(process)
        assert "simulation.9999_later" in process.stderr


ROLE = "of_few_rights"
RIGHTS = {
    f"CREATE SCHEMA extensions; CREATE EXTENSION vector SCHEMA extensions; "
    f"ALTER DATABASE {NAME} OWNER TO {ROLE}": 'in the schema "extensions"',
    f"GRANT CREATE ON SCHEMA public TO {ROLE}": "GRANT CREATE ON DATABASE",
    "SELECT 1": "GRANT CREATE ON SCHEMA",
}
"""Statements that prepare a database, each with what a migration then lacks."""


@pytest.fixture
def owner(database_url: str) -> Iterator[psycopg.Connection]:
    """Give a connection to the database, beside a role without rights."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {ROLE} LOGIN PASSWORD 'few'")
        yield connection
        connection.execute(f"REASSIGN OWNED BY {ROLE} TO current_user")
        connection.execute(f"DROP OWNED BY {ROLE}; DROP ROLE {ROLE}")


class TestMigration:
    def test_says_what_it_lacks_before_it_begins(
        self, owner: psycopg.Connection, database_url: str, tmp_path: Path
    ) -> None:
        owner.execute(f"ALTER DATABASE {NAME} OWNER TO {ROLE}")
        parts = urlsplit(database_url)
        url = urlunsplit(parts._replace(netloc=f"{ROLE}:few@{parts.hostname}:{parts.port}"))
        process = ended(("manage.py", "migrate", "--no-input"), url, tmp_path)
        assert process.returncode == 1
        assert "may not create the extension vector: as a superuser, run" in process.stderr
        assert "Traceback" not in process.stderr
        tables = owner.execute("SELECT to_regclass('django_migrations')").fetchone()
        assert tables == (None,)

    @pytest.mark.django_db
    @pytest.mark.parametrize("statements", RIGHTS)
    def test_names_the_statement_that_gives_the_right(
        self, owner: psycopg.Connection, statements: str
    ) -> None:
        owner.execute(statements)
        other = connections[DEFAULT_DB_ALIAS].copy()
        other.settings_dict |= {"NAME": NAME, "USER": ROLE, "PASSWORD": "few"}
        del other.settings_dict["OPTIONS"]["pool"]
        try:
            with pytest.raises(CommandError, match=RIGHTS[statements]):
                ensure_migrations_are_allowed(other)
        finally:
            other.close()
