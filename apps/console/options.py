"""Options that several commands share: agents of a world, and users by name."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from apps.kernel.names import names_there_are
from apps.kernel.request_models import read_value


def chosen_agents(option: list[str] | None) -> int | list[str] | None:
    """Return the number or the names in the option --agents, None for all agents."""
    if not option:
        return None
    if len(option) == 1 and option[0].isdigit():
        return int(option[0])
    return option


def user_named(name: str) -> User:
    """Return the user.

    :raises CommandError: if there is none.
    """
    user = User.objects.filter(username=name).first()
    if user is None:
        names = list(User.objects.order_by("username").values_list("username", flat=True))
        raise CommandError(
            f"there is no user {name!r}; {names_there_are(names, name)}; "
            f"`manage.py create_user {name}` creates it"
        )
    return user


def check_options(options: dict[str, Any], **kinds: object) -> None:
    """Check the values of options that are given, by the rules that they have over HTTP.

    :raises UnusableValues: for one of another type, or out of bounds.
    """
    for name, kind in kinds.items():
        if options.get(name) is not None:
            options[name] = read_value(kind, options[name], f"--{name.replace('_', '-')}")
