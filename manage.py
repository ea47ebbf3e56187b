#!/usr/bin/env python
"""The command line of the service: Django's commands and those of apps/console."""

import os
import sys

from apps.embedded_postgres.environment import ensure_database_url_or_exit

WITHOUT_DATABASE = frozenset(
    {
        "check_world",
        "collectstatic",
        "describe_chains",
        "describe_metrics",
        "diffsettings",
        "estimate",
        "help",
        "startapp",
        "version",
    }
)
"""Commands that must work where no database can be had, as when an image is built."""


def needs_database(arguments: list[str]) -> bool:
    """Say whether a command line is of a command that works on the database."""
    asks_for_help = not arguments or bool({"-h", "--help", "--version"} & set(arguments))
    return not asks_for_help and arguments[0] not in WITHOUT_DATABASE


def main() -> None:
    """Provide the database, then hand over to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")
    if needs_database(sys.argv[1:]):
        ensure_database_url_or_exit()
    # Django reads the settings when its commands are imported, so after the line above.
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
