#!/usr/bin/env python
"""The command line of the service: commands of Django, apps/console and tools."""

import gc
import os
import signal
import sys

from apps.embedded_postgres.environment import ensure_database_url_or_exit
from apps.kernel.errors import exit_with_message

WITHOUT_DATABASE = frozenset(
    {
        "check_model",
        "check_world",
        "collectstatic",
        "collect_phrases",
        "describe_llm_tasks",
        "describe_metrics",
        "diffsettings",
        "list_prices",
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
    """Provide the database and its tables, then hand over to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")
    arguments = sys.argv[1:]
    if needs_database(arguments):
        ensure_database_url_or_exit()
    # Django reads the settings when its commands are imported, so after the line above.
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    try:
        if arguments:
            app = load(arguments[0])
            # The commands in Django's core, such as `migrate` and `shell`, take any schema.
            if needs_database(arguments) and app not in ("", "django.core"):
                provide_tables()
        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        raise SystemExit(128 + signal.SIGINT) from None
    except Exception as error:
        exit_if_disk_is_full(error)
        raise


def load(command: str) -> str:
    """Load the code of a command, and return its app; "" if there is no such command."""
    import django  # noqa: PLC0415 (as above)
    from django.core.management import get_commands, load_command_class  # noqa: PLC0415

    # What is loaded stays: a fifth of the time went into looking for garbage among it.
    gc.disable()
    django.setup()
    app = get_commands().get(command, "")
    if isinstance(app, str) and app:
        load_command_class(app, command)
    gc.freeze()
    gc.enable()
    return app if isinstance(app, str) else ""


def provide_tables() -> None:
    """Bring the embedded database up to date; exit if another one is not."""
    from apps.django_support.schema_version import ensure_tables  # noqa: PLC0415 (as above)

    with exit_with_message():
        ensure_tables()


def exit_if_disk_is_full(error: Exception) -> None:
    """Exit with one line where a full disk ended a command."""
    from apps.django_support.outage_log import Outage, outage_of  # noqa: PLC0415

    if outage_of(error) is Outage.DISK_FULL:
        reason = " ".join(str(error).split())
        sys.stderr.write(f"The disk is full ({reason}): free space, then run this again.\n")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
