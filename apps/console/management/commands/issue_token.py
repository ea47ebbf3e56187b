"""`manage.py issue_token USER NAME`: a new API token for a user, printed once."""

import argparse
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from apps.access.commands import issue_token
from apps.access.queries import user_named
from apps.django_support.service_command import ServiceCommand


class Command(ServiceCommand):
    help = "Print a new API token for a user. It is not stored: store it now."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("user", help="the user's name")
        parser.add_argument("name", help="the purpose of the token, as in 'laptop'")
        parser.add_argument(
            "--days", type=int, help="valid for so many days; default: until it is revoked"
        )
        parser.add_argument(
            "--read-only", action="store_true", help="the token can read and change nothing"
        )

    def handle(self, *_arguments: Any, **options: Any) -> None:
        user = user_named(options["user"])
        days = options["days"]
        if days is not None and days < 1:
            raise CommandError("--days takes a number of days from 1.")
        ends = None if days is None else timezone.now() + timedelta(days=days)
        token = issue_token(
            user, options["name"], expires_at=ends, reads_only=options["read_only"]
        )
        self.stdout.write(token)
