"""`manage.py list_tokens [USER]`: API tokens and whether they are valid; revoke one."""

import argparse
from typing import Any

from django.utils import timezone

from apps.access.commands import revoke_token
from apps.access.models import ApiToken
from apps.access.queries import list_tokens, user_named
from apps.django_support.service_command import ServiceCommand


class Command(ServiceCommand):
    help = "List API tokens by number, with their purpose; they are not stored themselves."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("user", nargs="?", help="the user's name; default: all users")
        parser.add_argument("--revoke", type=int, metavar="NUMBER", help="revoke this one")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        if options["revoke"] is not None:
            revoke_token(options["revoke"])
        user = None if options["user"] is None else user_named(options["user"])
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
