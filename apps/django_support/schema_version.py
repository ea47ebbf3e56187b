"""Compares the migrations of the database with those of this code, and checks their rights.

One query at the start of a process, instead of a ProgrammingError at the first use of a missing
table or column; no migration ends halfway because a right is missing.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
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


_FOUND = """
SELECT current_user, current_database(), current_schema(), current_setting('search_path'),
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false),
    has_database_privilege(current_database(), 'CREATE') OR to_regnamespace('pgmq') IS NOT NULL,
    to_regtype('halfvec') IS NOT NULL,
    (SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
        WHERE extname = 'vector')
"""


def check_before_migrations(*, using: str, plan: Any, **_ignored: Any) -> None:
    """Have the rights checked before migrations: a receiver of `pre_migrate`."""
    if plan:
        ensure_migrations_are_allowed(connections[using])


def ensure_migrations_are_allowed(connection: BaseDatabaseWrapper) -> None:
    """Create the extension vector, and check what else the migrations need.

    :raises CommandError: with what an owner of the database has to do.
    """
    with connection.cursor() as cursor:
        cursor.execute(_FOUND)
        role, database, schema, path, has_tables, has_schemas, has_halfvec, home = (
            cursor.fetchone()
        )
    if not has_tables:
        raise CommandError(
            f'The role "{role}" may not create tables in the database "{database}" '
            f"(search_path: {path}): as its owner, run "
            f'GRANT CREATE ON SCHEMA "{schema or "public"}" TO "{role}".'
        )
    if not has_schemas:
        raise CommandError(
            f'The role "{role}" may not create the schema of the queue: as the owner of the '
            f'database, run GRANT CREATE ON DATABASE "{database}" TO "{role}".'
        )
    if has_halfvec:
        return
    if home is None:
        _create_extension(connection, role, database)
    elif home in {part.strip(' "') for part in path.split(",")} | {schema}:
        raise CommandError(
            "The extension vector is too old: install pgvector 0.8 or later, and run "
            f'ALTER EXTENSION vector UPDATE in the database "{database}".'
        )
    else:
        raise CommandError(
            f'The extension vector is in the schema "{home}", which is not on the search path '
            f'of the role "{role}" ({path}): run ALTER ROLE "{role}" IN DATABASE "{database}" '
            f'SET search_path = "{schema}", "{home}".'
        )


def _create_extension(connection: BaseDatabaseWrapper, role: str, database: str) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION vector")
    except DatabaseError as error:
        if isinstance(error.__cause__, psycopg.errors.InsufficientPrivilege):
            raise CommandError(
                f'The role "{role}" may not create the extension vector: as a superuser, run '
                f'CREATE EXTENSION vector in the database "{database}".'
            ) from error
        reason = " ".join(str(error).split())
        raise CommandError(
            f"The extension vector cannot be created ({reason}): install pgvector 0.8 or later "
            "on the server of the database."
        ) from error
