"""Sees that the database has the tables that this version of the code wants."""

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def ensure_tables() -> None:
    """Make the tables of an embedded database; an operator's own is left to the operator.

    :raises CommandError: if an operator's database is not up to date.
    """
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    if not settings.EMBEDDED:
        raise CommandError(
            "the tables of this database are not those of this version: run manage.py migrate"
        )
    call_command("migrate", interactive=False, verbosity=0)
