"""Ensures that the tables of the database are those of this version of the code."""

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def ensure_tables() -> None:
    """Migrate the embedded database if necessary.

    :raises CommandError: if another database is not up to date.
    """
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    if not settings.EMBEDDED:
        raise CommandError(
            "the tables of this database are not those of this version: run manage.py migrate"
        )
    call_command("migrate", interactive=False, verbosity=0)
