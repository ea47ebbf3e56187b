"""`manage.py revoke_token NUMBER`: revoke an API token."""

import argparse
from typing import Any

from apps.access.commands import revoke_token
from apps.django_support.service_command import ServiceCommand


class Command(ServiceCommand):
    help = "Revoke the API token of a number that list_tokens shows."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("number", type=int, help="the token's number")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        revoke_token(options["number"])
        self.stdout.write(f"revoked {options['number']}")
