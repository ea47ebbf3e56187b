"""Sets Django up for a benchmark, on the database that a command would use."""

import os

import django

from apps.embedded_postgres.environment import ensure_database_url_or_exit

MILLISECONDS = 1_000
"""Of a second."""


def prepare() -> None:
    """Provide the database and its tables, and set Django up."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")
    ensure_database_url_or_exit()
    django.setup()
    from apps.django_support.schema_version import (  # noqa: PLC0415 (Django has to be set up first)
        ensure_tables,
    )

    ensure_tables()
