"""Ensures that the tables of the database are those of this version of the code."""

from django.conf import settings
from django.core.management import call_command

from apps.django_support.schema_version import SchemaOlder, ensure_schema_matches


def ensure_tables() -> None:
    """Migrate the embedded database if necessary.

    :raises SchemaOlder: if another database is not up to date.
    :raises SchemaNewer: if the database is newer than this code.
    """
    try:
        ensure_schema_matches()
    except SchemaOlder:
        if not settings.EMBEDDED:
            raise
        call_command("migrate", interactive=False, verbosity=0)
