"""The base class of the commands of the service, with their progress bars and files."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from apps.django_support.outage_log import outage_of
from apps.kernel.errors import SmallvilleError
from apps.kernel.followed_items import follower
from apps.kernel.request_models import RequestModel, inline_schema, without_null
from apps.kernel.strict_yaml import load_yaml_file

SILENT_SECONDS = 2.0
"""Work that takes less shows no bar."""


@contextmanager
def progress_bar(
    noun: str, *, total: float = 0, initial: float = 0
) -> Iterator[Callable[..., None]]:
    """Show a bar while the block runs; yield the function that takes what is done.

    The function also takes another total, where that is known later.
    """
    with tqdm(unit=noun, total=total, initial=initial) as bar:

        def show(done: float, new_total: float | None = None) -> None:
            if new_total is not None:
                bar.total = new_total
            bar.update(done - bar.n)

        yield show


def follow(items: Iterable[Any], noun: str, total: int | None) -> Iterable[Any]:
    """Return the items, with a bar once they take long."""
    return tqdm(items, unit=noun, total=total, delay=SILENT_SECONDS, leave=False)


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


NO_DEFAULTS: Mapping[str, Any] = MappingProxyType({})
_TYPES: Mapping[str, Callable[[str], Any]] = {"integer": int, "number": Decimal}


def add_options(
    parser: ArgumentParser,
    model: type[RequestModel],
    *names: str,
    prefix: str = "",
    defaults: Mapping[str, Any] = NO_DEFAULTS,
) -> None:
    """Add options for members of a request model, with their words and choices.

    `read_values` checks what `given_options` returns; `defaults` are those of the command.
    """
    members = inline_schema(model)["properties"]
    for name in names:
        schema = without_null(members[name])
        is_list = any(one.get("type") == "array" for one in schema.get("anyOf", (schema,)))
        parser.add_argument(
            f"--{prefix}{name}".replace("_", "-"),
            action="extend" if is_list else "store",
            nargs="+" if is_list else None,
            type=str if is_list else _TYPES.get(schema.get("type", ""), str),
            choices=schema.get("enum"),
            default=(default := defaults.get(name)),
            help=(
                schema.get("description", "") + (f" Default: {default}." if default else "")
            ).replace("%", "%%"),
        )


def given_options(options: Mapping[str, Any], *names: str, prefix: str = "") -> dict[str, Any]:
    """Return the values of options that were given, by the name of the member."""
    found = {name: options[f"{prefix}{name}".replace("-", "_")] for name in names}
    return {name: value for name, value in found.items() if value is not None}
