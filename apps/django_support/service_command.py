"""The base class of the commands of the service."""

from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import BaseCommand, CommandError

from apps.django_support.outage_log import outage_of
from apps.django_support.progress_bar import follow
from apps.kernel.errors import SmallvilleError
from apps.kernel.followed_items import follower
from apps.kernel.strict_yaml import load_yaml_file


class ServiceCommand(BaseCommand):
    """A command that ends with one line where it cannot do what is requested.

    What takes long shows its progress (`apps.kernel.followed_items`). Django's checks load
    every view, for a second; `manage.py check` makes them.
    """

    requires_system_checks = ()

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Execute the command; from the command line, an error is a message without its class.

        :raises CommandError: with the message of an error of the service, or of a file.
        """
        try:
            return self._execute(*args, **options)
        except CommandError as error:
            is_typed = self._called_from_command_line  # type: ignore[attr-defined]
            if not is_typed or options["traceback"]:
                raise
            self.stderr.write(str(error))
            raise SystemExit(error.returncode) from None

    def _execute(self, *args: Any, **options: Any) -> str | None:
        token = follower.set(follower.get() or follow)
        try:
            return super().execute(*args, **options)
        except SmallvilleError as error:
            raise CommandError(error.message) from error
        except OSError as error:
            if error.filename is None or outage_of(error) is not None:
                raise
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        finally:
            follower.reset(token)


def members_of_file(path: Path) -> dict[str, Any]:
    """Return the members of a YAML or JSON file.

    :raises CommandError: if it has none, or is no YAML.
    """
    try:
        members = load_yaml_file(path)
    except yaml.YAMLError as error:
        raise CommandError(f"{path} cannot be read as YAML: {error}") from error
    if not isinstance(members, dict):
        raise CommandError(f"{path} has no members")
    return members
