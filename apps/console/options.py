"""Options that several commands share: agents of a world, and users by name."""

from django.contrib.auth.models import User
from django.core.management.base import CommandError


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
        raise CommandError(
            f"There is no user {name!r}: create one with create_user or in the admin."
        )
    return user
