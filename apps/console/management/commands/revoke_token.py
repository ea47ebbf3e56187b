"""`manage.py revoke_token NUMBER`: revoke an API token."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.access.commands import TokenUnknown, revoke_token


class Command(BaseCommand):
    help = "Revoke the API token of a number that list_tokens shows."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("number", type=int, help="the token's number")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        try:
            revoke_token(options["number"])
        except TokenUnknown as error:
            raise CommandError(f"{error.message}: list_tokens shows them.") from None
        self.stdout.write(f"revoked {options['number']}")
