"""Compares the migrations recorded in the database with those of this code.

One query at the start of a process, instead of a ProgrammingError at the first use of a missing
table or column.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from apps.embedded_postgres import locks
from apps.embedded_postgres.home import Home
from apps.kernel.errors import DomainError, exit_with_message


class SchemaOlder(DomainError):
    """The database's schema is older than this code."""


class SchemaMissing(SchemaOlder):
    """The database has no tables."""


class SchemaNewer(DomainError):
    """The database's schema is newer than this code."""


def ensure_schema_matches() -> None:
    """Compare the database's schema with this code.

    :raises SchemaMissing: if no migration has been applied.
    :raises SchemaOlder: if a migration of this code has not been applied.
    :raises SchemaNewer: if a migration has been applied that this code does not have.
    """
    loader = MigrationLoader(connection, ignore_no_migrations=True)
    ensure_no_newer_migration(loader)
    if not loader.applied_migrations:
        raise SchemaMissing(
            f"The database {connection.settings_dict['NAME']!r} has no tables yet: run "
            "`manage.py migrate` to create them."
        )
    missing = sorted(loader.graph.nodes.keys() - loader.applied_migrations.keys())
    if missing:
        raise SchemaOlder(
            "The database's schema is older than this code: run `manage.py migrate` first "
            f"({named(missing)} not applied)."
        )


def ensure_tables() -> None:
    """Bring the embedded database up to date, or compare another one with this code.

    :raises SchemaMissing: if another database has no tables.
    :raises SchemaOlder: if another database is not up to date.
    :raises SchemaNewer: if the database is newer than this code.
    """
    try:
        ensure_schema_matches()
    except SchemaOlder:
        if not settings.EMBEDDED:
            raise
        # Two commands may be the first in a home.
        with locks.exclusive(Home(settings.SMALLVILLE_HOME).start_lock):
            sys.stderr.write("Bringing the tables of the database up to date.\n")
            call_command("migrate", interactive=False, verbosity=0)


def ensure_no_newer_migration(loader: MigrationLoader) -> None:
    """Check the recorded migrations of installed apps.

    :raises SchemaNewer: if this code does not have one of them.
    """
    assert loader.disk_migrations is not None, "the loader reads them when it is created"
    known = set(loader.disk_migrations)
    known.update(old for one in loader.disk_migrations.values() for old in one.replaces)
    installed = {config.label for config in apps.get_app_configs()}
    unknown = sorted(
        key for key in loader.applied_migrations if key[0] in installed and key not in known
    )
    if unknown:
        raise SchemaNewer(
            "The database's schema is newer than this code: run a release that has "
            f"{named(unknown)}, or restore a backup from before its migration."
        )


def ensure_schema_or_exit() -> None:
    """Compare the schema with this code; if it differs, write the error and exit with status 1.

    It runs in a thread, because uvicorn may load the application inside its event loop, where
    Django refuses to use a connection.
    """

    def compare() -> None:
        try:
            ensure_schema_matches()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread, exit_with_message():
        thread.submit(compare).result()


def named(migrations: list[tuple[str, str]]) -> str:
    """Return the name of the first migration, and the number of the others."""
    app, name = migrations[0]
    more = f" and {len(migrations) - 1} more" if len(migrations) > 1 else ""
    return f"{app}.{name}{more}"
