#!/usr/bin/env python
"""The command line of the service: Django's commands and those of apps/console."""

import os
import sys

from apps.embedded_postgres.environment import ensure_database_url_or_exit

WITHOUT_DATABASE = frozenset(
    {
        "check_world",
        "collectstatic",
        "collect_phrases",
        "describe_llm_tasks",
        "describe_metrics",
        "diffsettings",
        "estimate",
        "help",
        "startapp",
        "version",
    }
)
"""Commands that must work where no database can be had, as when an image is built."""


WITH_ANY_SCHEMA = frozenset(
    {
        "check",
        "dbshell",
        "makemigrations",
        "migrate",
        "optimizemigration",
        "serve",
        "shell",
        "showmigrations",
        "sqlmigrate",
        "squashmigrations",
        "test",
    }
)
"""Commands that migrate the database, or are for looking at what it is that is not migrated."""


def needs_database(arguments: list[str]) -> bool:
    """Say whether a command line is of a command that works on the database."""
    asks_for_help = not arguments or bool({"-h", "--help", "--version"} & set(arguments))
    return not asks_for_help and arguments[0] not in WITHOUT_DATABASE


def main() -> None:
    """Provide the database, look at its schema, then hand over to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")
    arguments = sys.argv[1:]
    if needs_database(arguments):
        ensure_database_url_or_exit()
    # Django reads the settings when its commands are imported, so after the line above.
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    if needs_database(arguments) and arguments[0] not in WITH_ANY_SCHEMA:
        ensure_schema()
    try:
        execute_from_command_line(sys.argv)
    except Exception as error:
        exit_if_disk_is_full(error)
        raise


def ensure_schema() -> None:
    """Exit with one line if the database's schema is not this code's."""
    import django  # noqa: PLC0415 (as above)

    from apps.django_support.schema_version import ensure_schema_or_exit  # noqa: PLC0415

    django.setup()
    ensure_schema_or_exit()


def exit_if_disk_is_full(error: Exception) -> None:
    """Exit with one line where a full disk ended a command."""
    from apps.django_support.outages import Outage, outage_of  # noqa: PLC0415

    if outage_of(error) is Outage.DISK_FULL:
        reason = " ".join(str(error).split())
        sys.stderr.write(f"The disk is full ({reason}): free space, then run this again.\n")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
