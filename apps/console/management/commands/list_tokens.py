"""`manage.py list_tokens [USER]`: which API tokens there are, and whether they are valid."""

import argparse
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from apps.access.models import ApiToken
from apps.access.queries import list_tokens


class Command(BaseCommand):
    help = "List API tokens by number, with what they are for; the tokens are kept nowhere."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("user", nargs="?", help="the user's name; all users' if left out")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        user = None
        if options["user"] is not None:
            user = User.objects.filter(username=options["user"]).first()
            if user is None:
                raise CommandError(f"There is no user {options['user']!r}.")
        for token in list_tokens(user):
            rights = "reads only" if token.reads_only else "everything"
            line = (token.pk, token.user.get_username(), token.name, rights, _state(token))
            self.stdout.write("\t".join(map(str, line)))


def _state(token: ApiToken) -> str:
    if token.revoked_at is not None:
        return f"revoked {token.revoked_at:%Y-%m-%d}"
    if token.expires_at is None:
        return "valid"
    word = "expired" if token.expires_at <= timezone.now() else "valid until"
    return f"{word} {token.expires_at:%Y-%m-%d}"
