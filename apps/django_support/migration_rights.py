"""Checks before a migration that role and database allow it, so that none ends halfway."""

from typing import Any

import psycopg
from django.core.management.base import CommandError
from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

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
